import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { dumpFile, writeSums } from './backup/backup-files.ts';
import { clientProgram } from './backup/client-program.ts';
import { onDatabases } from './start/on-databases.ts';
import { StartError } from './start/start-error.ts';

// `npm run backup -- FOLDER [DATABASES.json]`: writes one dump per context into a new folder, from the databases of
// `npm start`, running or not, or from those of a file `{ "<context>": "<DATABASE_URL>", … }`.
const { positionals } = parseArgs({ allowPositionals: true });
const [folder, file] = positionals;
if (folder === undefined || positionals.length > 2) {
	console.error('npm run backup -- FOLDER [DATABASES.json]');
	process.exit(2);
}

await onDatabases('backup', file, async (urls, signal) => {
	if (existsSync(folder)) throw new StartError(`${folder} exists already: name a new folder`);
	// Renamed when complete, so that an interrupted backup is not mistaken for a complete one. The dumps hold personal data.
	const partial = `${folder}.partial`;
	await mkdir(partial, { mode: 0o700 }).catch((cause: Error) => {
		throw new StartError(`${partial} can't be created: ${cause.message}`, { cause });
	});
	try {
		for (const [context, url] of urls) {
			const dump = dumpFile(partial, context);
			await clientProgram('pg_dump', url, ['--format=custom', `--file=${dump}`], signal);
			const { size } = await stat(dump);
			console.log(`${context}: ${size} bytes`);
		}
		await writeSums(partial, [...urls.keys()]);
		await rename(partial, folder);
		if (urls.has('auth'))
			console.log(
				'The secrets in the backup of auth are encrypted: keep KEY_ENCRYPTION_KEY too, apart from it (npm start: DATA_DIR/key-encryption-key).',
			);
	} catch (error) {
		await rm(partial, { recursive: true, force: true });
		throw error;
	}
});
