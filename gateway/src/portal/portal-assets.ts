import { accessSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStaticDocument, lazyDocument, type StaticDocument } from './static-document.ts';

const types: Readonly<Record<string, string>> = {
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const ours = fileURLToPath(new URL('./public/', import.meta.url));
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const ofSwagger = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** The files that the portal's pages load, by name. A request's path never becomes the path of a file. */
export function openAssets(): Map<string, StaticDocument> {
	const paths = [
		...readdirSync(ours).map((name) => [name, join(ours, name)] as const),
		...ofSwagger.map((name) => [name, join(swagger, name)] as const),
	];
	return new Map(paths.map(([name, path]) => [name, open(path)]));
}

/** Read at the first request for it. @throws Error if the file is missing or its type is unknown. */
function open(path: string): StaticDocument {
	const type = types[extname(path)];
	if (type === undefined) throw new TypeError(`${path} has no known media type.`);
	accessSync(path);
	return lazyDocument(() => {
		// The source maps are not served; browsers' developer tools would report each as missing.
		const content = readFileSync(path, 'utf8').replace(/\n\/[/*]# sourceMappingURL=\S+(?: \*\/)?\s*$/, '\n');
		return createStaticDocument(content, type);
	});
}
