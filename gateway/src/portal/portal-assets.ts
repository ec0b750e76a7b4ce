import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiError } from '@paddock/contract';
import express, { type Request, type Response, type Router } from 'express';
import { exchangeOf } from '../exchange.ts';
import { createStaticDocument, type StaticDocument } from './static-document.ts';

const types: Readonly<Record<string, string>> = {
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.svg': 'image/svg+xml',
};

const ours = fileURLToPath(new URL('./public/', import.meta.url));
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const ofSwagger = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** What the portal's pages load, from `/assets/`. Exactly these files: a request's path never becomes one of a file. */
export function portalAssets(): Router {
	const files = new Map<string, StaticDocument>();
	for (const name of readdirSync(ours)) files.set(name, read(join(ours, name)));
	for (const name of ofSwagger) files.set(name, read(join(swagger, name)));
	const router = express.Router({ caseSensitive: true, strict: true });
	router.get('/assets/:file', async (req: Request<{ file: string }>, res: Response) => {
		exchangeOf(req).route = '/assets/{file}';
		const file = files.get(req.params.file);
		if (file === undefined) throw apiError('ROUTE_NOT_FOUND');
		// A page loads a dozen of them, and each request counts against the rate limit of the client's address.
		res.setHeader('Cache-Control', 'public, max-age=300');
		await file.send(req, res);
	});
	router.all('/assets/:file', () => {
		throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } });
	});
	return router;
}

/** @throws when it is missing or of a type that nobody has thought of: the gateway is misbuilt then. */
function read(path: string): StaticDocument {
	const type = types[extname(path)];
	if (type === undefined) throw new TypeError(`${path} has no known media type.`);
	// Its source map is not served, and asking for it would be an error in every reader's developer tools.
	const content = readFileSync(path, 'utf8').replace(/\n\/[/*]# sourceMappingURL=\S+(?: \*\/)?\s*$/, '\n');
	return createStaticDocument(content, type);
}
