import { contextOpener } from '@paddock/context';
import { observeNumberSpaces } from '@paddock/database';
import { createCountryCodes, createOpenEntries } from '@paddock/peers';
import { context } from '../context.ts';
import type { HorsesSettings } from './config.ts';
import type { HorsesSchema } from './database-schema.ts';
import { demoHorseSet } from './demo.ts';
import type { HorsesDeps } from './deps.ts';
import { numberSpaces } from './horses/identifiers.ts';
import { migrations } from './migrations.ts';
import { createMemberDirectory } from './peers/member-directory.ts';
import { horsesRoutes } from './routes.ts';

export const openHorses = contextOpener<HorsesSchema, HorsesDeps, HorsesSettings>({
	description: context,
	migrations,
	demo: demoHorseSet,
	open: ({ settings, db, now, metrics, openPeers }) => {
		observeNumberSpaces(metrics, db, { spaces: numberSpaces, now });
		const { peer } = openPeers(settings.SERVICE_SECRET);
		const hasEvents = settings.CONTEXTS.includes('events');
		return {
			routes: horsesRoutes,
			deps: {
				db,
				directory: createMemberDirectory(peer('members-service')),
				countries: createCountryCodes(peer('masterdata-service'), now),
				openEntries: hasEvents ? createOpenEntries(peer('events-service')) : undefined,
			},
		};
	},
});
