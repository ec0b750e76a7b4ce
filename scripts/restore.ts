import { parseArgs } from 'node:util';
import { dumpFile, readSums } from './backup/backup-files.ts';
import { restoreDatabase } from './backup/restore-database.ts';
import { onDatabases } from './start/on-databases.ts';
import { StartError } from './start/start-error.ts';

// `npm run restore -- FOLDER [DATABASES.json] [--replace]`: the reverse of `npm run backup`, with stopped services.
const { positionals, values } = parseArgs({
	allowPositionals: true,
	options: { replace: { type: 'boolean', default: false } },
});
const [folder, file] = positionals;
if (folder === undefined || positionals.length > 2) {
	console.error('npm run restore -- FOLDER [DATABASES.json] [--replace]');
	process.exit(2);
}

await onDatabases('restore', file, async (urls, signal) => {
	const contexts = await readSums(folder);
	const missing = contexts.filter((context) => !urls.has(context));
	if (missing.length > 0) throw new StartError(`no database given for ${missing.join(', ')}`);
	for (const context of contexts) {
		const url = urls.get(context) ?? '';
		try {
			await restoreDatabase(url, dumpFile(folder, context), { replace: values.replace, signal });
		} catch (error) {
			if (!(error instanceof StartError)) throw error;
			throw new StartError(`${context}: ${error.message}`, { cause: error });
		}
		console.log(`${context}: restored`);
	}
});
