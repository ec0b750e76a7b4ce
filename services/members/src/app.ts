import { contextOpener, mailSender } from '@paddock/context';
import { observeNumberSpaces } from '@paddock/database';
import { createOpenEntries, createReferenceCounter } from '@paddock/peers';
import { openMaintenance } from '@paddock/service';
import { context } from '../context.ts';
import { numberSpaces } from './codes.ts';
import type { MembersSettings } from './config.ts';
import type { MembersSchema } from './database-schema.ts';
import { demoMembership } from './demo.ts';
import type { MembersDeps } from './deps.ts';
import { endSuspensions } from './members/change-state.ts';
import { countAllMembers } from './members/stats.ts';
import { migrations } from './migrations.ts';
import { createCountOwnedHorses } from './peers/owned-horses.ts';
import { anyPlaceCode, createPlaceCodes } from './peers/place-codes.ts';
import { membersRoutes } from './routes.ts';

const clubContexts = ['auth', 'horses', 'events'];

/** Until it is written, the end of a suspension slows down lists of what has changed. */
const suspensionIntervalMs = 10_000;

/** A context that the deployment excludes is never called. */
export const openMembers = contextOpener<MembersSchema, MembersDeps, MembersSettings>({
	description: context,
	migrations,
	demo: demoMembership,
	open: async ({ settings, db, now, logger, metrics, openPeers, openJobs }) => {
		observeNumberSpaces(metrics, db, { spaces: numberSpaces, now });
		const peers = openPeers(settings.SERVICE_SECRET);
		const { peer } = peers;
		const isDeployed = (name: string) => settings.CONTEXTS.includes(name);
		return {
			routes: membersRoutes,
			deps: {
				db,
				jobs: isDeployed('auth') ? await openJobs([mailSender(peer('auth-service'))]) : undefined,
				placeCodes: isDeployed('masterdata')
					? createPlaceCodes(peer('masterdata-service'), now)
					: anyPlaceCode,
				openEntries: isDeployed('events') ? createOpenEntries(peer('events-service')) : undefined,
				countOwnedHorses: isDeployed('horses') ? createCountOwnedHorses(peer('horses-service')) : undefined,
				referenceCounter: createReferenceCounter(peers, clubContexts.filter(isDeployed)),
				federationClubNumber: settings.FEDERATION_CLUB_NUMBER,
			},
			count: () => countAllMembers(db, now()),
			maintenance: openMaintenance({
				tasks: {
					endSuspensions: () => endSuspensions(db, now()),
				},
				intervalMs: suspensionIntervalMs,
				logger,
			}),
		};
	},
});
