import type { ContextDescription } from '@paddock/contract';
import { createDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { type DemoRemoval, demoRemovalOf } from './contexts/context-modules.ts';
import { contexts } from './contexts/contexts.ts';
import { onDatabases } from './start/on-databases.ts';

// `npm run demo:remove`: removes the demo data, including the accounts with their public password, from the databases
// of `npm start`, running or not. Other records remain; removed demo data is not inserted again.
await onDatabases('demo-remove', undefined, async (urls, signal) => {
	// In reverse order: records that refer to others are removed before them.
	for (const context of contexts.toReversed()) {
		signal.throwIfAborted();
		const { name, demo } = context;
		const url = urls.get(name);
		if (url === undefined || demo === undefined) continue;
		const { removed, note } = await removeDemo(context, url);
		console.log(`${name}: ${removed} demo ${demo} removed`);
		if (note !== undefined) console.log(`${name}: ${note}`);
	}
});

/** Removes the demo data of one context from the database at `url`; zero if the context was never started there. */
async function removeDemo(context: ContextDescription, url: string): Promise<DemoRemoval> {
	const remove = await demoRemovalOf(context);
	await using db = createDatabase<never>({
		url,
		poolMax: 2,
		applicationName: 'demo-remove',
		logger: silentLogger(),
	});
	// The marks record which demo data has been inserted.
	const marks = sql<{ table: string | null }>`select to_regclass('seed_marks')::text as table`;
	const { rows } = await marks.execute(db);
	if (rows[0]?.table === null) return { removed: 0 };
	const removal = await remove(db);
	return typeof removal === 'number' ? { removed: removal } : removal;
}
