import { contextOpener, mailSender } from '@paddock/context';
import { observeNumberSpaces } from '@paddock/database';
import { createCountryCodes, createOpenEntries } from '@paddock/peers';
import { openMaintenance } from '@paddock/service';
import { context } from '../context.ts';
import type { HorsesSettings } from './config.ts';
import type { HorsesSchema } from './database-schema.ts';
import { demoHorseSet } from './demo.ts';
import type { HorsesDeps } from './deps.ts';
import { numberSpaces } from './horses/identifiers.ts';
import { countHorses } from './horses/stats.ts';
import { migrations } from './migrations.ts';
import { remindOfTransfers } from './ownership/transfer-mails.ts';
import { endExpiredTransfers } from './ownership/transfer-store.ts';
import { createMemberDirectory } from './peers/member-directory.ts';
import { horsesRoutes } from './routes.ts';

/** Until it is written, the expiry of a transfer slows down lists of what has changed. */
const maintenanceIntervalMs = 10_000;

export const openHorses = contextOpener<HorsesSchema, HorsesDeps, HorsesSettings>({
	description: context,
	migrations,
	demo: demoHorseSet,
	open: async ({ settings, db, now, logger, metrics, openPeers, openJobs }) => {
		observeNumberSpaces(metrics, db, { spaces: numberSpaces, now });
		const { peer } = openPeers(settings.SERVICE_SECRET);
		const isDeployed = (name: string) => settings.CONTEXTS.includes(name);
		const jobs = isDeployed('auth') ? await openJobs([mailSender(peer('auth-service'))]) : undefined;
		const remind = async () => jobs && remindOfTransfers({ db, jobs, now: now() });
		return {
			routes: horsesRoutes,
			deps: {
				db,
				jobs,
				directory: createMemberDirectory(peer('members-service')),
				countries: createCountryCodes(peer('masterdata-service'), now),
				openEntries: isDeployed('events') ? createOpenEntries(peer('events-service')) : undefined,
			},
			count: () => countHorses(db, now()),
			maintenance: openMaintenance({
				tasks: {
					endExpiredTransfers: () => endExpiredTransfers(db, now()),
					remind,
				},
				intervalMs: maintenanceIntervalMs,
				logger,
			}),
		};
	},
});
