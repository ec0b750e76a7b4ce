import { readFile } from 'node:fs/promises';
import { createDatabase } from '@paddock/database';
import { on, openJobs } from '@paddock/jobs';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import type { AuthSchema } from '../services/auth/src/database-schema.ts';
import { eraseAgain, listErasedAccounts } from '../services/auth/src/privacy/erase-again.ts';
import { erasureQueue } from '../services/auth/src/privacy/person-jobs.ts';
import { onDatabases } from './start/on-databases.ts';
import { StartError } from './start/start-error.ts';

const usage = 'npm run erasures -- list [DATABASES.json] | repeat ACCOUNTS.txt [DATABASES.json]';
const [command, ...rest] = process.argv.slice(2);
const [accounts, file] = command === 'repeat' ? rest : [undefined, rest[0]];
if ((command !== 'list' && command !== 'repeat') || (command === 'repeat' && accounts === undefined)) {
	console.error(usage);
	process.exit(2);
}

// `list` prints the ids of erased accounts, one a line, before a restore; `repeat` erases those of such a file again after it.
// The jobs run when auth is started.
await onDatabases('erasures', file, async (urls) => {
	const url = urls.get('auth');
	if (url === undefined) throw new StartError('no database given for auth');
	await using db = createDatabase<AuthSchema>({
		url,
		poolMax: 2,
		applicationName: 'erasures',
		logger: silentLogger(),
	});
	if (accounts === undefined) {
		for (const id of await listErasedAccounts(db)) console.log(id);
		return;
	}
	const ids = idsIn(await readFile(accounts, 'utf8'), accounts);
	const jobs = await openJobs<AuthSchema>({
		db,
		handlers: [on(erasureQueue, async () => {})],
		logger: silentLogger(),
		metrics: createMetrics({ prefix: 'service', service: 'erasures' }),
	});
	try {
		const outcomes = await eraseAgain({ db, jobs, now: () => new Date() }, ids);
		for (const [id, outcome] of outcomes) console.log(`${id}: ${outcome}`);
	} finally {
		await jobs.close();
	}
});

function idsIn(text: string, path: string): string[] {
	const lines = text
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const wrong = lines.find((line) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(line));
	if (wrong !== undefined) throw new StartError(`${path}: ${wrong} is not the id of an account`);
	return lines;
}
