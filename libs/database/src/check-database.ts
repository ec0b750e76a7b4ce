import { withDeadline } from '@paddock/resilience';
import { type Kysely, sql } from 'kysely';
import { describeDatabaseFailure } from './database-errors.ts';
import { storageOf } from './pooled-dialect.ts';
import type { ReadReplica } from './read-replica.ts';
import { refuseReadOnly } from './server-urls.ts';
import { writeTemporaryFile } from './storage-watch.ts';

/**
 * Resolves when the database responds within `timeoutMs` and accepts writes; otherwise rejects with the reason. For readiness.
 */
export async function checkDatabase<Schema>(db: Kysely<Schema>, timeoutMs: number): Promise<void> {
	// The deadline also frees the connection: otherwise the checks of a hanging database would occupy the pool.
	await withDeadline(timeoutMs, () => sql.raw(refuseReadOnly).execute(db));
}

// Below the default timeout of a health probe: the probe must receive the response that names the database.
const readinessTimeoutMs = 750;

/** The readiness check of a service's database. While its disk is full it serves reads, so the service stays ready. */
export function databaseCheck<Schema>(db: Kysely<Schema>): {
	name: string;
	check: () => Promise<void>;
	limitation: () => Promise<string | undefined>;
	describe: (error: unknown) => string;
} {
	return {
		name: 'database',
		check: () => checkDatabase(db, readinessTimeoutMs),
		limitation: () =>
			withDeadline(readinessTimeoutMs, () => storageOf(db).problem(() => writeTemporaryFile(db))),
		describe: describeDatabaseFailure,
	};
}

/** The check of a service's read replica, whose lists come from the primary while it fails. */
export function replicaCheck(replica: Pick<ReadReplica<never>, 'state'>) {
	return {
		name: 'readReplica',
		optional: true as const,
		check: async () => {
			const { problem } = replica.state();
			if (problem !== undefined) throw new Error(problem);
		},
		details: () => ({ lagMs: Math.round(replica.state().lagMs ?? 0) }),
		describe: () => replica.state().problem ?? 'was not in use during the check',
	};
}
