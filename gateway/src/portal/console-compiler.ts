import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { type ConsoleModule, consoleSources } from './console-sources.ts';

/** The modules of the console as browsers load them: without types, each import by the name of its file. */
function compiled(): readonly ConsoleModule[] {
	const { folders, packages } = consoleSources();
	const ours = folders.flatMap(({ prefix, folder }) =>
		readdirSync(folder).map((file) => {
			const code = stripTypeScriptTypes(readFileSync(new URL(file, folder), 'utf8'));
			const rename = (specifier: string) =>
				specifier.startsWith('./')
					? `${prefix}${basename(specifier, '.ts')}.js`
					: packageFile(packages, specifier, file);
			return moduleOf(`${prefix}${basename(file, '.ts')}.js`, withoutBlanks(code), rename);
		}),
	);
	const theirs = Object.values(packages).flatMap(({ name, url }) => {
		if (url === undefined) return [];
		const code = readFileSync(fileURLToPath(url), 'utf8').replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');
		return [moduleOf(name, code, (specifier) => packageFile(packages, specifier, name))];
	});
	return [...ours, ...theirs];
}

function packageFile(
	packages: ReturnType<typeof consoleSources>['packages'],
	specifier: string,
	from: string,
) {
	const found = packages[specifier];
	if (found === undefined)
		throw new TypeError(`${from} imports ${specifier}, which the console does not have.`);
	return found.name;
}

/** Imports and re-exports; in a dynamic import the second group is its bracket. */
const importing = /(\bfrom\s*|\bimport\s*(\(\s*)?)(["'])([^"'\n]+)\3/g;

function moduleOf(name: string, source: string, rename: (specifier: string) => string): ConsoleModule {
	const imports: string[] = [];
	const code = source.replaceAll(
		importing,
		(_all, before: string, dynamic: string | undefined, quote: string, specifier: string) => {
			const file = rename(specifier);
			if (dynamic === undefined) imports.push(file);
			return `${before}${quote}./${file}${quote}`;
		},
	);
	return { name, code, imports };
}

/** Removed types leave blanks, and comments are for readers of the source. A line of its own begins each comment. */
function withoutBlanks(code: string): string {
	const kept: string[] = [];
	let isComment = false;
	for (const line of code.split('\n')) {
		const text = line.trim();
		isComment ||= text.startsWith('/*');
		if (!isComment && text !== '' && !text.startsWith('//')) kept.push(text);
		if (isComment && text.endsWith('*/')) isComment = false;
	}
	return kept.join('\n');
}

// Of a thread of its own: the compiler takes a third of a second and 50 MB, which end with the thread.
parentPort?.postMessage(compiled());
