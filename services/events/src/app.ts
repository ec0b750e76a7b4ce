import { contextOpener, mailSender } from '@paddock/context';
import { observeNumberSpaces } from '@paddock/database';
import { openMaintenance } from '@paddock/service';
import { context } from '../context.ts';
import type { EventsSettings } from './config.ts';
import type { EventsSchema } from './database-schema.ts';
import { demoEvents } from './demo.ts';
import type { EventsDeps } from './deps.ts';
import { createKeyedQueue } from './entries/keyed-queue.ts';
import { overrideCounter } from './entries/overrides.ts';
import { promoteEverywhere } from './entries/waiting-list.ts';
import { createEventCalendar } from './events/calendar.ts';
import { countThisYear } from './events/list.ts';
import { sendDueReminders } from './events/reminders.ts';
import { eventNumbers } from './events/store.ts';
import { migrations } from './migrations.ts';
import { createDirectory } from './peers/directory.ts';
import { createPublicity } from './peers/publicity.ts';
import { eventsRoutes } from './routes.ts';

const hourMs = 3_600_000;
/** Interval of the check of waiting entries that could not be checked when a place became free, and of reminders. */
const maintenanceIntervalMs = 60_000;

export const openEvents = contextOpener<EventsSchema, EventsDeps, EventsSettings>({
	description: context,
	migrations,
	demo: demoEvents,
	open: async ({ settings, db, now, logger, metrics, openPeers, openJobs }) => {
		observeNumberSpaces(metrics, db, { spaces: { eventNumber: eventNumbers }, now });
		const peers = openPeers(settings.SERVICE_SECRET);
		const hasAuth = settings.CONTEXTS.includes('auth');
		const jobs = hasAuth ? await openJobs([mailSender(peers.peer('auth-service'))]) : undefined;
		const directory = createDirectory(peers, now);
		const closing = new AbortController();
		const freeWithdrawalMs = settings.PROMOTION_WITHDRAWAL_HOURS * hourMs;
		const promotion = { db, jobs, directory, freeWithdrawalMs, now, logger, closing: closing.signal };
		const approval = {
			isRequired: settings.EVENT_APPROVAL,
			submissionDays: settings.EVENT_SUBMISSION_DAYS,
		};
		const remind = async () => jobs && sendDueReminders({ db, jobs, directory, approval, now: now() });
		return {
			routes: eventsRoutes,
			deps: {
				db,
				jobs,
				directory,
				publicity: createPublicity({ members: directory.members, logger, now }),
				entryQueue: createKeyedQueue({ atOnce: 2 }),
				calendar: createEventCalendar(db),
				freeWithdrawalMs,
				refundsFilledPlaces: settings.REFUND_FILLED_PLACES,
				countOverrides: overrideCounter(metrics),
				approval,
			},
			count: () => countThisYear(db, now()),
			maintenance: openMaintenance({
				tasks: {
					promoteWaiting: () => promoteEverywhere(promotion),
					remind,
				},
				intervalMs: maintenanceIntervalMs,
				logger,
			}),
			close: () => closing.abort(),
		};
	},
});
