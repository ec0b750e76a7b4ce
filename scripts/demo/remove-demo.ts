import type { ContextDescription } from '@paddock/contract';
import { createDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { type DemoRemoval, demoRemovalOf } from '../contexts/context-modules.ts';

/** Removes the demo data of one context from the database at `url`; zero if the context was never started there. */
export async function removeDemo(context: ContextDescription, url: string): Promise<DemoRemoval> {
	const remove = await demoRemovalOf(context);
	const db = createDatabase<never>({
		url,
		poolMax: 2,
		applicationName: 'demo-remove',
		logger: silentLogger(),
	});
	try {
		// The marks record which demo data has been inserted.
		const marks = sql<{ table: string | null }>`select to_regclass('seed_marks')::text as table`;
		const { rows } = await marks.execute(db);
		if (rows[0]?.table === null) return { removed: 0 };
		const removal = await remove(db);
		return typeof removal === 'number' ? { removed: removal } : removal;
	} finally {
		await db.destroy();
	}
}
