import { openContext } from '@paddock/context';
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

/** Interval of the check of waiting entries that could not be checked when a place became free. */
const promotionIntervalMs = 60_000;

/** @throws as `openContext` */
export function openEvents(
	settings: EventsSettings,
	context: OpenContext,
): Promise<OpenedService<EventsDeps>> {
	const { logger, now } = context;
	const seedSets = settings.DEMO ? [demoEvents(now)] : [];
	return openContext<EventsSchema, EventsDeps>(
		{ description, settings, context, migrations, seedSets },
		({ db, openPeers }) => {
			const directory = createDirectory({ peers: openPeers(settings.SERVICE_SECRET), now });
			const closing = new AbortController();
			const promotion = { db, directory, now, logger, closing: closing.signal };
			return {
				routes: eventsRoutes,
				deps: {
					db,
					directory,
					publicity: createPublicity({ members: directory.members, logger, now }),
					entryQueue: createKeyedQueue(),
					calendar: createEventCalendar(db),
				},
				maintenance: createMaintenance({
					tasks: { promoteWaiting: () => promoteEverywhere(promotion) },
					intervalMs: promotionIntervalMs,
					logger,
				}),
				close: () => closing.abort(),
			};
		},
	);
}
