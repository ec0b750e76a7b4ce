import { databaseCheck, databaseOutage, openDatabase } from '@paddock/database';
import { createPeers, createReferenceCounter } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { MasterdataSettings } from './config.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { demoVenues } from './demo.ts';
import type { MasterdataDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { masterdataRoutes } from './routes.ts';
import { seedSets } from './seed.ts';

/** The settings that this context itself reads. */
export type OpenSettings = Pick<
	MasterdataSettings,
	'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'CONTEXTS' | 'SERVICE_SECRET' | 'PEER_TIMEOUT_MS' | 'DEMO'
>;

/** The contexts that refer to master data. */
const referringContexts = ['members', 'horses', 'events'] as const;

/** Connects to the database, applies migrations and seeds. @throws database errors; nothing is left open on failure. */
export async function openMasterdata(
	settings: OpenSettings,
	context: OpenContext,
): Promise<OpenedService<MasterdataDeps>> {
	const { logger } = context;
	const db = await openDatabase<MasterdataSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		camelCase: true,
		applicationName: 'masterdata-service',
		logger,
		migrations,
		seedSets: settings.DEMO ? [...seedSets, demoVenues] : seedSets,
	});
	const peers = createPeers({
		calls: description.calls,
		...context,
		client: 'masterdata-service',
		secret: settings.SERVICE_SECRET,
		timeoutMs: settings.PEER_TIMEOUT_MS,
	});
	const deployed = referringContexts.filter((name) => settings.CONTEXTS.includes(name));
	return {
		routes: masterdataRoutes,
		deps: {
			db,
			references: createReferenceCounter(
				peers,
				deployed.map((name) => `${name}-service` as const),
			),
		},
		checks: [databaseCheck(db)],
		troubledPeers: () => peers.troubled(),
		translateError: databaseOutage,
		close: async () => {
			await peers.close();
			await db.destroy();
		},
	};
}
