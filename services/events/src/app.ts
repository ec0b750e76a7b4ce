import { databaseCheck, databaseOutage, openDatabase } from '@paddock/database';
import { createPeers } from '@paddock/peers';
import { createMaintenance, type OpenContext, type OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { EventsSettings } from './config.ts';
import type { EventsSchema } from './database-schema.ts';
import { demoEvents } from './demo.ts';
import type { EventsDeps } from './deps.ts';
import { createDirectory } from './directory/directory.ts';
import { createPublicity } from './directory/publicity.ts';
import { createKeyedQueue } from './entries/keyed-queue.ts';
import { promoteEverywhere } from './entries/promote-everywhere.ts';
import { createEventCalendar } from './event-calendar.ts';
import { migrations } from './migrations.ts';
import { eventsRoutes } from './routes.ts';

/** Settings that this context reads. */
export type OpenSettings = Pick<
	EventsSettings,
	'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'SERVICE_SECRET' | 'PEER_TIMEOUT_MS' | 'DEMO'
>;

/** Interval of the check of waiting entries that could not be checked when a place became free. */
const promotionIntervalMs = 60_000;

/**
 * Connects, migrates, seeds, and starts watching the registry for its peers.
 * @throws the database error, after closing everything.
 */
export async function openEvents(
	settings: OpenSettings,
	{ logger, metrics, now, registry }: OpenContext,
): Promise<OpenedService<EventsDeps>> {
	const db = await openDatabase<EventsSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		camelCase: true,
		applicationName: 'events-service',
		logger,
		migrations,
		seedSets: settings.DEMO ? [demoEvents(now)] : [],
	});
	const peers = createPeers({
		calls: description.calls,
		registry,
		client: 'events-service',
		secret: settings.SERVICE_SECRET,
		logger,
		metrics,
		now,
		timeoutMs: settings.PEER_TIMEOUT_MS,
	});
	const directory = createDirectory({ peers, now });
	const closing = new AbortController();
	const maintenance = createMaintenance({
		tasks: {
			promoteWaiting: () => promoteEverywhere({ db, directory, now, logger, closing: closing.signal }),
		},
		intervalMs: promotionIntervalMs,
		logger,
	});
	maintenance.start();
	return {
		routes: eventsRoutes,
		deps: {
			db,
			directory,
			publicity: createPublicity({ members: directory.members, logger, now }),
			entryQueue: createKeyedQueue(),
			calendar: createEventCalendar(db),
		},
		checks: [databaseCheck(db)],
		troubledPeers: () => peers.troubled(),
		translateError: databaseOutage,
		close: async () => {
			closing.abort();
			await maintenance.close();
			await peers.close();
			await db.destroy();
		},
	};
}
