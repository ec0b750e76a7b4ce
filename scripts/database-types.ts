import { readFile, writeFile } from 'node:fs/promises';
import { migratedTypes, typedSources } from './docs/database-types/database-types.ts';

// `npm run database-types` writes the types of each context's tables from a database with its migrations; `--check` only
// reports whether they are up to date.
const isCheck = process.argv.includes('--check');

for (const [path, text] of await migratedTypes(typedSources())) {
	const target = new URL(`../${path}`, import.meta.url);
	if (text === (await readFile(target, 'utf8'))) console.log(`${path} matches the migrations.`);
	else if (isCheck) {
		console.error(
			`${path} does not match the migrations: run \`npm run database-types\` and commit the result.`,
		);
		process.exitCode = 1;
	} else {
		await writeFile(target, text);
		console.log(`Wrote ${path}.`);
	}
}
