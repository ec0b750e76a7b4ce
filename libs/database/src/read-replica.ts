import { type Admission, openCircuitBreaker, startRetryLoop, withDeadline } from '@paddock/resilience';
import { type Kysely, sql } from 'kysely';
import { checkDatabase } from './check-database.ts';
import { isBusy } from './connection-errors.ts';
import { createDatabase, type Database, type DatabaseOptions, poolMaxDefault } from './database.ts';
import { describeDatabaseFailure, isDatabaseError } from './database-errors.ts';
import { warnIfConnectionsScarce } from './inspect-server.ts';
import { serverUrls, UnusableDatabaseError } from './server-urls.ts';
import { cancelStatistics } from './statistics.ts';

interface ReadReplicaOptions
	extends Pick<DatabaseOptions, 'poolMax' | 'onPool' | 'applicationName' | 'logger'> {
	/** The address of one standby. */
	readonly url: string;
	readonly primaryUrl: string;
	/** The replica is not used while it may lack a commit older than this. */
	readonly lagMsMax: number;
	readonly now: () => Date;
}

/** The permit for one list on the replica; exactly one outcome must be reported. */
interface ReplicaUse<Schema> extends Pick<Admission, 'succeeded' | 'failed' | 'abandoned'> {
	readonly db: Database<Schema>;
}

/** A streaming standby from which lists are read while it is up to date. */
export interface ReadReplica<Schema> {
	/** Undefined while the replica must not be used. The caller repeats on the primary what failed. */
	admit(): ReplicaUse<Schema> | undefined;
	/**
	 * `lagMs`: the replica has all commits older than this; undefined before the first comparison. `problem`: why it is
	 * not used, without addresses.
	 */
	state(): { readonly lagMs: number | undefined; readonly problem: string | undefined };
	close(): Promise<void>;
}

// A list that the replica does not return in time is read from the primary, within the deadline of the request.
const replicaLimits = { connectTimeoutMs: 500, statementTimeoutMs: 500 };
// A replica can respond to comparisons while lists time out, e.g. because of a lock; each would cost its time-out.
const breakerSettings = { windowMs: 10_000, volume: 3, failurePercent: 50, openMs: 5_000 };
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
	const breaker = openCircuitBreaker({ settings: breakerSettings, now: options.now });
	let isStandby = false;
	let comparedAt = Number.NEGATIVE_INFINITY;
	let problem: string | undefined = 'not compared with the primary yet';
	let wasUsed: boolean | undefined;
	let failureLogged = false;

	const lagMs = () =>
		progress.completeUntil === undefined ? undefined : performance.now() - progress.completeUntil;
	const isCurrent = () =>
		isStandby &&
		performance.now() - comparedAt <= comparisonAgeMaxMs &&
		(lagMs() ?? Number.POSITIVE_INFINITY) <= lagMsMax;
	// Half-open admits a list, but only its success means that lists are read from the replica again.
	const isUsed = () => isCurrent() && breaker.view().state === 'CLOSED';
	const whyUnused = () => (isCurrent() ? 'circuit breaker open' : (problem ?? 'replay lags behind'));
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
			// With several hosts the probe may have connected to a standby: leads to the next one.
			await checkDatabase(primary, probeTimeoutMs).catch(() => {}); // The next comparison reports the failure.
		});
		failureLogged = false;
		if (isUsed() !== wasUsed) {
			wasUsed = isUsed();
			if (!wasUsed) logger.warn('lists are read from the primary', { problem: whyUnused(), lagMs: lagMs() });
			else {
				logger.info('lists are read from the read replica');
				await warnIfConnectionsScarce(db, options.poolMax ?? poolMaxDefault, logger).catch(() => {}); // The next comparison reports the failure.
			}
		}
		return Math.min(probeIntervalMaxMs, lagMsMax / 4);
	};
	const loop = startRetryLoop({ step });
	return {
		admit: () => {
			const admission = isCurrent() ? breaker.admit() : undefined;
			if (admission === undefined) return undefined;
			const failed = (error: unknown): void => {
				if (isFailure(error)) admission.failed(error);
				else admission.abandoned();
				if (failureLogged || !isDatabaseError(error)) return;
				failureLogged = true;
				logger.warn('a list was read from the primary after a failure of the read replica', { error });
			};
			return { ...admission, db, failed };
		},
		state: () => ({ lagMs: lagMs(), problem: isUsed() ? undefined : whyUnused() }),
		close: async () => {
			await loop.stop();
			breaker.close();
			await Promise.all([destroy(db), destroy(primary), destroy(standby)]);
		},
	};
}

function destroy<Schema>(db: Database<Schema>): Promise<void> {
	cancelStatistics(db);
	return db.destroy();
}

/** A busy pool and a bug of the handler say nothing about the server; the primary's result reports the bug. */
function isFailure(error: unknown): boolean {
	return isDatabaseError(error) && !isBusy(error);
}

/** Several servers are refused: the measured one and the one that responds could differ. */
function requireSingleServer(url: string): void {
	const { urls, target } = serverUrls(url);
	if (urls.length > 1) throw new UnusableDatabaseError('must be the address of a single server');
	if (target !== 'any') throw new UnusableDatabaseError('must not have target_session_attrs');
}

interface Position {
	/** Identifies the cluster, its timeline and the database; null on a primary where a standby is expected. */
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
	const { rows } = await withDeadline(probeTimeoutMs, () => sql.raw<Position>(query).execute(db));
	return rows[0] ?? { identity: null, position: 0 };
}

interface Sample {
	/** Time of a monotonic clock, in milliseconds; before the position was read. */
	readonly at: number;
	/** A position in the WAL, in bytes. */
	readonly position: number;
}

/** Which past state of the primary a standby has, from positions of both. */
interface ReplayProgress {
	/** The primary had written `position` at `at`, or later. */
	written(at: number, position: number): void;
	/** The standby has replayed up to `position`. */
	replayed(position: number): void;
	/** The standby has everything that was committed before this time; undefined if unknown. */
	readonly completeUntil: number | undefined;
}

// A standby that is further behind than this many samples gets a time that is too early, never one that is too late.
const samplesMax = 1_000;

/**
 * Compares positions, not the time of the last replayed transaction: that grows on a primary without writes, and the
 * clocks of two servers differ.
 */
export function createReplayProgress(): ReplayProgress {
	const samples: Sample[] = [];
	let completeUntil: number | undefined;
	return {
		written: (at, position) => {
			if (samples.at(-1)?.position === position) samples.pop();
			samples.push({ at, position });
			if (samples.length > samplesMax) samples.shift();
		},
		replayed: (position) => {
			const last = samples.findLastIndex((sample) => sample.position <= position);
			if (last === -1) return;
			completeUntil = samples[last]?.at;
			samples.splice(0, last + 1);
		},
		get completeUntil() {
			return completeUntil;
		},
	};
}
