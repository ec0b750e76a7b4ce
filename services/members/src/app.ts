import { openContext } from '@paddock/context';
import { createOpenEntries, createReferenceCounter, type Peers } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { MembersSettings } from './config.ts';
import type { MembersSchema } from './database-schema.ts';
import { demoMembership } from './demo.ts';
import type { MembersDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { createCountOwnedHorses } from './peers/owned-horses.ts';
import { anyPlaceCode, createPlaceCodes } from './peers/place-codes.ts';
import { membersRoutes } from './routes.ts';

/** @throws as `openContext` */
export function openMembers(
	settings: MembersSettings,
	context: OpenContext,
): Promise<OpenedService<MembersDeps>> {
	const seedSets = settings.DEMO ? [demoMembership(context.now())] : [];
	return openContext<MembersSchema, MembersDeps>(
		{ description, settings, context, migrations, seedSets },
		({ db, openPeers }) => ({
			routes: membersRoutes,
			deps: {
				db,
				...calledContexts(openPeers(settings.SERVICE_SECRET), settings, context.now),
				federationClubNumber: settings.FEDERATION_CLUB_NUMBER,
			},
		}),
	);
}

/** The contexts that refer to clubs. */
const clubContexts = ['auth', 'horses', 'events'] as const;

/** Clients for other contexts; a context that the deployment excludes is never called. */
function calledContexts(
	peers: Peers,
	{ CONTEXTS }: Pick<MembersSettings, 'CONTEXTS'>,
	now: () => Date,
): Pick<MembersDeps, 'placeCodes' | 'openEntries' | 'countOwnedHorses' | 'references'> {
	return {
		placeCodes: CONTEXTS.includes('masterdata')
			? createPlaceCodes(peers.peer('masterdata-service'), now)
			: anyPlaceCode,
		openEntries: CONTEXTS.includes('events') ? createOpenEntries(peers.peer('events-service')) : undefined,
		countOwnedHorses: CONTEXTS.includes('horses')
			? createCountOwnedHorses(peers.peer('horses-service'))
			: undefined,
		references: createReferenceCounter(
			peers,
			clubContexts.filter((name) => CONTEXTS.includes(name)).map((name) => `${name}-service` as const),
		),
	};
}
