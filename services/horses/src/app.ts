import { type ApiError, fail } from '@paddock/contract';
import {
	checkDatabase,
	createDatabase,
	type Database,
	isDatabaseUnavailable,
	migrateToLatest,
	seed,
} from '@paddock/database';
import { createPeers, type Peers } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import type { HorsesSettings } from './config.ts';
import type { HorsesSchema } from './database-schema.ts';
import { demoHorseSet } from './demo.ts';
import type { HorsesDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { createCountryCodes } from './references/country-codes.ts';
import { createMemberDirectory } from './references/member-directory.ts';
import { createOpenEntries } from './references/open-entries.ts';
import { createReferences } from './references/references.ts';
import { horsesRoutes } from './routes.ts';

const checkTimeoutMs = 1_000;
const retryAfterMs = 2_000;

/** The settings that this context itself reads. */
export type OpenSettings = Pick<
	HorsesSettings,
	'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'SERVICE_SECRET' | 'PEER_TIMEOUT_MS' | 'CONTEXTS' | 'DEMO'
>;

/** Connects, migrates, seeds, and begins to watch the other services. @throws what the database says; nothing is left open then. */
export async function openHorses(
	settings: OpenSettings,
	context: OpenContext,
): Promise<OpenedService<HorsesDeps>> {
	const { logger, now } = context;
	const db = createDatabase<HorsesSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		applicationName: 'horses-service',
		logger,
	});
	try {
		await migrateToLatest(db, migrations, logger);
		await seed(db, settings.DEMO ? [demoHorseSet(now)] : [], logger);
	} catch (error) {
		await db.destroy();
		throw error;
	}
	const peers = createPeers({
		...context,
		client: 'horses-service',
		secret: settings.SERVICE_SECRET,
		timeoutMs: settings.PEER_TIMEOUT_MS,
	});
	return {
		routes: horsesRoutes,
		deps: depsOf(db, peers, settings, now),
		checks: [{ name: 'database', check: () => checkDatabase(db, checkTimeoutMs) }],
		troubledPeers: () => peers.troubled(),
		translateError,
		close: async () => {
			await peers.close();
			await db.destroy();
		},
	};
}

function depsOf(
	db: Database<HorsesSchema>,
	peers: Peers,
	{ CONTEXTS }: Pick<OpenSettings, 'CONTEXTS'>,
	now: () => Date,
): HorsesDeps {
	return {
		db,
		references: createReferences({
			directory: createMemberDirectory(peers.peer('members-service')),
			countries: createCountryCodes({ masterdata: peers.peer('masterdata-service'), now }),
		}),
		openEntries: CONTEXTS.includes('events') ? createOpenEntries(peers.peer('events-service')) : undefined,
	};
}

function translateError(error: unknown): ApiError | undefined {
	return isDatabaseUnavailable(error)
		? fail('SERVICE_UNAVAILABLE', { retryAfterMs, cause: error })
		: undefined;
}
