import { openContext } from '@paddock/context';
import { createReferenceCounter } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { MasterdataSettings } from './config.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { demoVenues } from './demo.ts';
import type { MasterdataDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { masterdataRoutes } from './routes.ts';
import { seedSets } from './seed.ts';

/** The contexts that refer to master data. */
const referringContexts = ['members', 'horses', 'events'] as const;

/** @throws as `openContext` */
export function openMasterdata(
	settings: MasterdataSettings,
	context: OpenContext,
): Promise<OpenedService<MasterdataDeps>> {
	const set = settings.DEMO ? [...seedSets, demoVenues] : seedSets;
	return openContext<MasterdataSchema, MasterdataDeps>(
		{ description, settings, context, migrations, seedSets: set },
		({ db, openPeers }) => {
			const deployed = referringContexts.filter((name) => settings.CONTEXTS.includes(name));
			const references = createReferenceCounter(
				openPeers(settings.SERVICE_SECRET),
				deployed.map((name) => `${name}-service` as const),
			);
			return { routes: masterdataRoutes, deps: { db, references } };
		},
	);
}
