import { ApiError } from '@paddock/contract';
import { requestDeadline, startRetryLoop } from '@paddock/resilience';
import { type Kysely, sql } from 'kysely';
import { checkDatabase } from './check-database.ts';
import { createDatabase, type Database, type DatabaseOptions, poolMaxDefault } from './database.ts';
import { describeDatabaseFailure } from './database-failure.ts';
import { warnIfConnectionsScarce } from './inspect-server.ts';
import { createReplayProgress } from './replay-progress.ts';
import { serverUrls } from './server-urls.ts';
import { UnusableDatabaseError } from './unusable-database-error.ts';

export interface ReadReplicaOptions
	extends Pick<DatabaseOptions, 'poolMax' | 'camelCase' | 'applicationName' | 'logger'> {
	/** The address of one standby. */
	readonly url: string;
	readonly primaryUrl: string;
	/** The replica is not used while it may lack a commit older than this. */
	readonly lagMsMax: number;
}

export interface ReadReplica<Schema> {
	/** The replica; undefined while it must not be used. */
	current(): Database<Schema> | undefined;
	/** To be called when work on the replica failed; the caller repeats it on the primary. */
	reportFailure(error: unknown): void;
	/**
	 * `lagMs`: the replica has all commits older than this; undefined before the first comparison. `problem`: why it is
	 * not used, without addresses.
	 */
	state(): { readonly lagMs: number | undefined; readonly problem: string | undefined };
	close(): Promise<void>;
}

// A list that the replica does not return in time is read from the primary, within the deadline of the request.
const replicaLimits = { connectTimeoutMs: 500, statementTimeoutMs: 500 };
const probeTimeoutMs = 1_000;
const probeIntervalMaxMs = 1_000;
// With a long `lagMsMax`, a server that doesn't respond, or is promoted while the primary is down, would be used for as long.
const comparisonAgeMaxMs = 3_000;

/**
 * A pool on a streaming standby, which compares its replay position with the primary's at an interval. The comparison
 * uses connections of its own: behind a busy pool the replica would seem to lag, and its load would move to the primary.
 * @throws UnusableDatabaseError if the address is not that of a single server
 */
export function openReadReplica<Schema>(options: ReadReplicaOptions): ReadReplica<Schema> {
	const { url, primaryUrl, lagMsMax, applicationName } = options;
	requireSingleServer(url);
	const logger = options.logger.child({ server: 'read replica' });
	const db = createDatabase<Schema>({ ...options, ...replicaLimits, logger });
	const probe = (address: string) =>
		createDatabase<unknown>({ url: address, applicationName, logger, poolMax: 1 });
	const [primary, standby] = [probe(primaryUrl), probe(url)];
	const progress = createReplayProgress();
	let isStandby = false;
	let comparedAt = Number.NEGATIVE_INFINITY;
	let problem: string | undefined = 'not compared with the primary yet';
	let wasUsed: boolean | undefined;
	let failureLogged = false;

	const lagMs = () =>
		progress.completeUntil === undefined ? undefined : performance.now() - progress.completeUntil;
	const isUsed = () =>
		isStandby &&
		performance.now() - comparedAt <= comparisonAgeMaxMs &&
		(lagMs() ?? Number.POSITIVE_INFINITY) <= lagMsMax;
	const compare = async () => {
		const at = performance.now();
		const written = await read(primary, primaryPosition);
		progress.written(at, written.position);
		const replayed = await read(standby, standbyPosition);
		isStandby = replayed.identity === written.identity;
		if (isStandby) progress.replayed(replayed.position);
		comparedAt = at;
		problem = isStandby ? undefined : 'not a standby of this database';
	};
	const step = async () => {
		await compare().catch(async (error: unknown) => {
			problem = describeDatabaseFailure(error);
			// Of several hosts the probe may have connected to a standby: leads to the next one.
			await checkDatabase(primary, probeTimeoutMs).catch(() => {}); // The next comparison reports the failure.
		});
		failureLogged = false;
		if (isUsed() !== wasUsed) {
			wasUsed = isUsed();
			if (!wasUsed) logger.warn('lists are read from the primary', { problem, lagMs: lagMs() });
			else {
				logger.info('lists are read from the read replica');
				await warnIfConnectionsScarce(db, options.poolMax ?? poolMaxDefault, logger).catch(() => {}); // The next comparison reports the failure.
			}
		}
		return Math.min(probeIntervalMaxMs, lagMsMax / 4);
	};
	const loop = startRetryLoop({ step });
	return {
		current: () => (isUsed() ? db : undefined),
		reportFailure: (error) => {
			if (failureLogged || error instanceof ApiError) return;
			failureLogged = true;
			logger.warn('a list was read from the primary after a failure of the read replica', { error });
		},
		state: () => ({ lagMs: lagMs(), problem: isUsed() ? undefined : (problem ?? 'replay lags behind') }),
		close: async () => {
			await loop.stop();
			await Promise.all([db, primary, standby].map((pool) => pool.destroy()));
		},
	};
}

/** Several servers are refused: the measured one and the one that responds could differ. */
function requireSingleServer(url: string): void {
	const { urls, target } = serverUrls(url);
	if (urls.length > 1) throw new UnusableDatabaseError('must be the address of a single server');
	if (target !== 'any') throw new UnusableDatabaseError('must not have target_session_attrs');
}

interface Position {
	/** Of the cluster, its timeline and the database; null on a primary where a standby is expected. */
	readonly identity: string | null;
	readonly position: number;
}

const identityOn = (timeline: string) =>
	`concat_ws('/', (select system_identifier from pg_control_system()), ${timeline}, (select oid from pg_database where datname = current_database()))`;

// The end of what is flushed, not of what is inserted: that is beyond the header of an empty page, which a standby never reaches.
const primaryPosition = `
	select pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0')::float8 as position,
		${identityOn(`('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int`)} as identity`;

const standbyPosition = `
	select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::float8 as position,
		case when pg_is_in_recovery() then ${identityOn('(select timeline_id from pg_control_checkpoint())')} end as identity`;

async function read(db: Kysely<unknown>, query: string): Promise<Position> {
	const { rows } = await requestDeadline.run(performance.now() + probeTimeoutMs, () =>
		sql.raw<Position>(query).execute(db),
	);
	return rows[0] ?? { identity: null, position: 0 };
}
