import { openContext } from '@paddock/context';
import { createCountryCodes, createOpenEntries } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { HorsesSettings } from './config.ts';
import type { HorsesSchema } from './database-schema.ts';
import { demoHorseSet } from './demo.ts';
import type { HorsesDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { createMemberDirectory } from './references/member-directory.ts';
import { horsesRoutes } from './routes.ts';

/** @throws as `openContext` */
export function openHorses(
	settings: HorsesSettings,
	context: OpenContext,
): Promise<OpenedService<HorsesDeps>> {
	const seedSets = settings.DEMO ? [demoHorseSet(context.now)] : [];
	return openContext<HorsesSchema, HorsesDeps>(
		{ description, settings, context, migrations, seedSets },
		({ db, openPeers }) => {
			const { peer } = openPeers(settings.SERVICE_SECRET);
			const hasEvents = settings.CONTEXTS.includes('events');
			return {
				routes: horsesRoutes,
				deps: {
					db,
					directory: createMemberDirectory(peer('members-service')),
					countries: createCountryCodes(peer('masterdata-service'), context.now),
					openEntries: hasEvents ? createOpenEntries(peer('events-service')) : undefined,
				},
			};
		},
	);
}
