import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { collectionText, environmentText } from './docs/collection/collection-text.ts';
import { checksumsPath, checksumsText, migratedContexts } from './docs/migrations/released-migrations.ts';
import { openapiDocument, openapiText } from './docs/openapi-text.ts';
import { settingsText } from './docs/settings/settings-text.ts';

// `npm run docs` writes what is generated from the code; `--check` only says whether it is up to date.
const openapi = openapiText();
const checksums = migratedContexts().map(
	async (context) => [checksumsPath(context), await checksumsText(context)] as const,
);
const documents = [
	['openapi.yaml', openapi],
	['postman/collection.json', await collectionText(openapiDocument(), openapi)],
	['postman/environment.json', environmentText()],
	['docs/settings.md', settingsText()],
	...(await Promise.all(checksums)),
] as const;
const isCheck = process.argv.includes('--check');

await mkdir(new URL('../postman/', import.meta.url), { recursive: true });
for (const [name, text] of documents) {
	const target = new URL(`../${name}`, import.meta.url);
	if (!isCheck) {
		await writeFile(target, text);
		console.log(`Wrote ${name}.`);
		continue;
	}
	const committed = await readFile(target, 'utf8').catch(() => '');
	if (committed === text) console.log(`${name} matches the code.`);
	else {
		console.error(`${name} does not match the code: run \`npm run docs\` and commit the result.`);
		process.exitCode = 1;
	}
}
