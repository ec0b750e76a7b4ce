import type { ContextDescription } from '@paddock/contract';
import {
	cancelStatistics,
	type Database,
	databaseCheck,
	databaseOutages,
	deleteChangesBefore,
	deleteExpiredKeys,
	type Migration,
	observeDatabase,
	observePools,
	observeReplica,
	openDatabase,
	openReadReplica,
	type PoolCounts,
	type ReadReplica,
	replicaCheck,
	type SeedSet,
	statisticsIntervalMs,
	UnusableDatabaseError,
} from '@paddock/database';
import { type JobHandler, type Jobs, openJobs } from '@paddock/jobs';
import { openPeers, type Peers, type ServiceToken } from '@paddock/peers';
import {
	type ContextDeps,
	type LaggingDeps,
	type Maintenance,
	type OpenedService,
	openMaintenance,
	SettingsError,
} from '@paddock/service';
import { jobRoutes } from './job-routes.ts';

export interface ContextSettings {
	readonly DATABASE_URL: string;
	readonly DATABASE_POOL_MAX: number;
	/** Default: DATABASE_URL. */
	readonly MIGRATION_DATABASE_URL?: string | undefined;
	readonly MIGRATE_ON_START: boolean;
	/** A streaming standby for the routes that may lag; none by default. */
	readonly READ_DATABASE_URL?: string | undefined;
	readonly READ_LAG_MS_MAX?: number;
	readonly HISTORY_DAYS?: number;
	readonly DEMO?: boolean;
	readonly PEER_TIMEOUT_MS?: number;
	readonly JOB_POLL_MS?: number;
}

interface ContextDeclaration<Schema, Deps, Settings> {
	readonly description: Pick<ContextDescription, 'name' | 'calls'>;
	readonly migrations: Readonly<Record<string, Migration>>;
	readonly seedSets?: readonly SeedSet<Schema>[];
	/** Seeded too if DEMO=on. */
	readonly demo?: (now: () => Date) => SeedSet<Schema>;
	readonly open: (opened: OpenedParts<Schema, Settings>) => ContextParts<Deps> | Promise<ContextParts<Deps>>;
}

interface OpenedParts<Schema, Settings> extends ContextDeps {
	readonly settings: Settings;
	/** Migrated and seeded. */
	readonly db: Database<Schema>;
	/** The services that this context calls, see `PeersDeps.secret`. To be called once. */
	readonly openPeers: (secret: string | ServiceToken) => Peers;
	/** The jobs of this context, whose migrations need `jobsSchema`. To be called once; the workers start when the context is open. */
	readonly openJobs: (handlers: readonly JobHandler[]) => Promise<Jobs<Schema>>;
	/** Registers what is closed with the context, after its jobs and maintenance; also if opening fails later. */
	readonly closeWith: (close: () => void) => void;
}

interface ContextParts<Deps> extends Pick<OpenedService<Deps>, 'routes' | 'deps' | 'keys' | 'announceClose'> {
	readonly maintenance?: Maintenance;
	/** Counts the statistics that callers are not to wait for. Apart from the maintenance, which must not wait for it either. */
	readonly count?: () => Promise<unknown>;
	/** Runs before maintenance, peers and database are closed. */
	readonly close?: () => void;
}

/**
 * Declares a context with a database: connects, migrates, seeds, and adds the health check, the peers' states and closing.
 * @throws SettingsError if the database can't be used, and errors of the database and of `open`; nothing is left open then
 */
export function contextOpener<Schema, Deps, Settings extends ContextSettings>(
	declaration: ContextDeclaration<Schema, Deps, Settings>,
) {
	return (settings: Settings, context: ContextDeps) => openContext(declaration, settings, context);
}

async function openContext<Schema, Deps, Settings extends ContextSettings>(
	declaration: ContextDeclaration<Schema, Deps, Settings>,
	settings: Settings,
	context: ContextDeps,
): Promise<OpenedService<Deps>> {
	const { description, migrations, seedSets = [], demo, open } = declaration;
	const client = `${description.name}-service`;
	const observePool = observePools(context.metrics);
	const db = await openDatabase<Schema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		applicationName: client,
		logger: context.logger,
		migrations,
		migrate: settings.MIGRATE_ON_START,
		migrationUrl: settings.MIGRATION_DATABASE_URL,
		seedSets: demo !== undefined && settings.DEMO === true ? [...seedSets, demo(context.now)] : seedSets,
		onPool: (pool) => observePool('primary', pool),
	}).catch(refusedStart('DATABASE_URL'));
	observeDatabase(context.metrics, db);
	let replica: ReadReplica<Schema> | undefined;
	let peers: Peers | undefined;
	const openOwnPeers = (secret: string | ServiceToken): Peers => {
		peers = peersOf(client, description.calls, settings, context, secret);
		return peers;
	};
	let jobs: Jobs<Schema> | undefined;
	const openOwnJobs = async (handlers: readonly JobHandler[]): Promise<Jobs<Schema>> => {
		jobs = await openJobs<Schema>({ ...context, db, handlers, pollMs: settings.JOB_POLL_MS });
		return jobs;
	};
	const closers: (() => void)[] = [];
	const close = async (): Promise<void> => {
		await jobs?.close();
		for (const closePart of closers.splice(0).reverse()) closePart();
		await peers?.close();
		await replica?.close();
		await db.destroy();
	};
	try {
		const onPool = (pool: PoolCounts) => observePool('replica', pool);
		replica = openReplica<Schema>(settings, { applicationName: client, onPool }, context);
		const parts = await open({
			...context,
			settings,
			db,
			openPeers: openOwnPeers,
			openJobs: openOwnJobs,
			closeWith: (closePart) => closers.push(closePart),
		});
		const { maintenance, count, close: closeParts, ...own } = parts;
		await jobs?.start();
		const background = [maintenance, retentionOf(db, settings, context), countingOf(count, context)];
		for (const each of background) each?.start();
		return {
			...own,
			routes: jobs === undefined ? own.routes : [...own.routes, ...jobRoutes(jobs)],
			checks: [databaseCheck(db), ...(replica === undefined ? [] : [replicaCheck(replica)])],
			...(replica === undefined ? {} : { lagging: laggingDeps(own.deps, replica) }),
			heavyMax: heavyMaxOf(settings),
			failingPeers: () => peers?.failing() ?? {},
			translateError: databaseOutages(context.logger),
			close: async () => {
				await jobs?.close();
				closeParts?.();
				cancelStatistics(db);
				await Promise.all(background.map((each) => each?.close()));
				await close();
			},
		};
	} catch (error) {
		await close();
		throw error;
	}
}

function peersOf(
	client: string,
	calls: readonly string[],
	{ PEER_TIMEOUT_MS: timeoutMs }: ContextSettings,
	context: ContextDeps,
	secret: string | ServiceToken,
): Peers {
	const limits = timeoutMs === undefined ? {} : { timeoutMs };
	return openPeers({ ...context, calls, client, secret, ...limits });
}

/** Heavy requests leave two thirds of the pool to all others. */
function heavyMaxOf({ DATABASE_POOL_MAX: poolMax }: ContextSettings): number {
	return Math.max(1, Math.floor(poolMax / 3));
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

function retentionOf<Schema>(
	db: Database<Schema>,
	{ HISTORY_DAYS: days = 3_650 }: ContextSettings,
	{ now, logger }: ContextDeps,
): Maintenance {
	const history = () => deleteChangesBefore(db, new Date(now().getTime() - days * dayMs));
	const requests = () => deleteExpiredKeys(db, now());
	return openMaintenance({ tasks: { history, requests }, intervalMs: hourMs, logger });
}

function countingOf(
	count: (() => Promise<unknown>) | undefined,
	{ logger }: ContextDeps,
): Maintenance | undefined {
	return count && openMaintenance({ tasks: { count }, intervalMs: statisticsIntervalMs, logger });
}

/** Opened after the migrations: positions that are compared later include them. */
function openReplica<Schema>(
	{ READ_DATABASE_URL: url, READ_LAG_MS_MAX: lagMsMax = 2_000, ...settings }: ContextSettings,
	own: { readonly applicationName: string; readonly onPool: (pool: PoolCounts) => void },
	{ logger, metrics, now }: ContextDeps,
): ReadReplica<Schema> | undefined {
	if (url === undefined) return undefined;
	try {
		const replica = openReadReplica<Schema>({
			url,
			primaryUrl: settings.DATABASE_URL,
			poolMax: settings.DATABASE_POOL_MAX,
			lagMsMax,
			...own,
			logger,
			now,
		});
		observeReplica(metrics, replica);
		return replica;
	} catch (error) {
		return refusedStart('READ_DATABASE_URL')(error);
	}
}

function laggingDeps<Schema, Deps>(deps: Deps, replica: ReadReplica<Schema>): LaggingDeps<Deps> {
	return {
		admit: () => {
			const use = replica.admit();
			return use && { ...use, deps: { ...deps, db: use.db } };
		},
	};
}

/** An operator must change a setting or the database; the stack adds no information. */
function refusedStart(name: keyof ContextSettings) {
	return (error: unknown): never => {
		if (!(error instanceof UnusableDatabaseError)) throw error;
		throw new SettingsError([{ name, rule: error.message }]);
	};
}
