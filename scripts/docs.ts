import { readFile, writeFile } from 'node:fs/promises';
import { openapiText } from './docs/openapi-text.ts';

// `npm run docs` writes what is generated from the code; `--check` only says whether it is up to date.
const target = new URL('../openapi.yaml', import.meta.url);
const text = openapiText();

if (process.argv.includes('--check')) {
	const committed = await readFile(target, 'utf8').catch(() => '');
	if (committed !== text) {
		console.error('openapi.yaml does not match the routes: run `npm run docs` and commit the result.');
		process.exit(1);
	}
	console.log('openapi.yaml matches the routes.');
} else {
	await writeFile(target, text);
	console.log('Wrote openapi.yaml.');
}
