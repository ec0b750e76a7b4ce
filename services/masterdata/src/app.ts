import { contextOpener } from '@paddock/context';
import { createReferenceCounter } from '@paddock/peers';
import { context } from '../context.ts';
import type { MasterdataSettings } from './config.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { demoVenues } from './demo.ts';
import type { MasterdataDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { masterdataRoutes } from './routes.ts';
import { seedSets } from './seed.ts';

const referringContexts = ['members', 'horses', 'events'];

export const openMasterdata = contextOpener<MasterdataSchema, MasterdataDeps, MasterdataSettings>({
	description: context,
	migrations,
	seedSets,
	demo: () => demoVenues,
	open: ({ settings, db, openPeers }) => {
		const deployed = referringContexts.filter((name) => settings.CONTEXTS.includes(name));
		const referenceCounter = createReferenceCounter(openPeers(settings.SERVICE_SECRET), deployed);
		return { routes: masterdataRoutes, deps: { db, referenceCounter } };
	},
});
