import { type ApiError, fail } from '@paddock/contract';
import {
	checkDatabase,
	createDatabase,
	isDatabaseUnavailable,
	migrateToLatest,
	seed,
} from '@paddock/database';
import { createPeers } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import type { EventsSettings } from './config.ts';
import type { EventsSchema } from './database-schema.ts';
import { demoEvents } from './demo.ts';
import type { EventsDeps } from './deps.ts';
import { createDirectory } from './directory/directory.ts';
import { createMasterdata } from './directory/masterdata.ts';
import { createTurnstile } from './entries/turnstile.ts';
import { migrations } from './migrations.ts';
import { eventsRoutes } from './routes.ts';

const checkTimeoutMs = 1_000;
const retryAfterMs = 2_000;

/** The settings that this context itself reads. */
export type OpenSettings = Pick<
	EventsSettings,
	'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'SERVICE_SECRET' | 'PEER_TIMEOUT_MS' | 'DEMO'
>;

/** Connects, migrates, seeds, begins to watch for the services it asks. @throws what the database says; nothing is left open then. */
export async function openEvents(
	settings: OpenSettings,
	{ logger, metrics, now, registry }: OpenContext,
): Promise<OpenedService<EventsDeps>> {
	const db = createDatabase<EventsSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		applicationName: 'events-service',
		logger,
	});
	try {
		await migrateToLatest(db, migrations, logger);
		await seed(db, settings.DEMO ? [demoEvents(now)] : [], logger);
	} catch (error) {
		await db.destroy();
		throw error;
	}
	const peers = createPeers({
		registry,
		client: 'events-service',
		secret: settings.SERVICE_SECRET,
		logger,
		metrics,
		now,
		timeoutMs: settings.PEER_TIMEOUT_MS,
	});
	return {
		routes: eventsRoutes,
		deps: {
			db,
			directory: createDirectory(peers),
			masterdata: createMasterdata({ peers, now }),
			turnstile: createTurnstile(),
		},
		checks: [{ name: 'database', check: () => checkDatabase(db, checkTimeoutMs) }],
		troubledPeers: () => peers.troubled(),
		translateError,
		close: async () => {
			await peers.close();
			await db.destroy();
		},
	};
}

function translateError(error: unknown): ApiError | undefined {
	return isDatabaseUnavailable(error)
		? fail('SERVICE_UNAVAILABLE', { retryAfterMs, cause: error })
		: undefined;
}
