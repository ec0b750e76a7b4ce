import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedSources } from './docs/sources/generated-sources.ts';
import { yamlDifferences } from './docs/yaml-differences.ts';

// `npm run docs` writes the files that are generated from the code; `--check` only reports whether they are up to date.
const isCheck = process.argv.includes('--check');

type Document = readonly [path: string, text: string];

// Sources first: the modules that the documents are generated from import them.
for (const document of generatedSources()) await put(document);
// Contracts next: the gateway's settings list them.
const { contractTexts } = await import('./docs/openapi-text.ts');
const contracts = contractTexts();
for (const document of contracts) await put(document);
await removeOthers('contracts', contracts);
const { documents } = await import('./docs/documents.ts');
for (const document of await documents()) await put(document);
if (isCheck) await checkCompatibility();

async function checkCompatibility(): Promise<void> {
	const { openapiDocument } = await import('./docs/openapi-text.ts');
	const { unannouncedChanges } = await import('./release/released-contract.ts');
	const changes = unannouncedChanges(openapiDocument());
	if (changes.length === 0) return console.log('openapi.yaml is compatible with the last release.');
	console.error(
		`Clients break, but the version is not raised (docs/api-policy.md):\n- ${changes.join('\n- ')}`,
	);
	process.exitCode = 1;
}

/** Removes the contracts of contexts that are gone. */
async function removeOthers(folder: string, kept: readonly Document[]): Promise<void> {
	const paths = new Set(kept.map(([path]) => path));
	for (const name of await readdir(new URL(`../${folder}/`, import.meta.url))) {
		const path = `${folder}/${name}`;
		if (paths.has(path)) continue;
		if (!isCheck) await rm(new URL(`../${path}`, import.meta.url));
		console[isCheck ? 'error' : 'log'](`${path} belongs to no context${isCheck ? '' : ', removed'}.`);
		if (isCheck) process.exitCode = 1;
	}
}

async function put([path, text]: Document): Promise<void> {
	for (const difference of /\.ya?ml$/.test(path) ? yamlDifferences(text) : []) {
		console.error(`${path}: ${difference}.`);
		process.exitCode = 1;
	}
	const target = fileURLToPath(new URL(`../${path}`, import.meta.url));
	const committed = await readFile(target, 'utf8').catch(() => '');
	if (committed === text) return console.log(`${path} matches the code.`);
	if (isCheck) {
		console.error(`${path} does not match the code: run \`npm run docs\` and commit the result.`);
		process.exitCode = 1;
		return;
	}
	await mkdir(dirname(target), { recursive: true });
	await writeFile(target, text);
	console.log(`Wrote ${path}.`);
}
