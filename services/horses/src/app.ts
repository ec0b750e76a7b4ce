import { databaseCheck, databaseOutage, openDatabase } from '@paddock/database';
import { createPeers } from '@paddock/peers';
import type { OpenContext, OpenedService } from '@paddock/service';
import { context as description } from '../context.ts';
import type { HorsesSettings } from './config.ts';
import type { HorsesSchema } from './database-schema.ts';
import { demoHorseSet } from './demo.ts';
import type { HorsesDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { createCountryCodes } from './references/country-codes.ts';
import { createMemberDirectory } from './references/member-directory.ts';
import { createOpenEntries } from './references/open-entries.ts';
import { horsesRoutes } from './routes.ts';

/** Settings that this context reads. */
export type OpenSettings = Pick<
	HorsesSettings,
	'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'SERVICE_SECRET' | 'PEER_TIMEOUT_MS' | 'CONTEXTS' | 'DEMO'
>;

/**
 * Connects, migrates, seeds, and starts watching the registry for its peers.
 * @throws the database error, after closing everything.
 */
export async function openHorses(
	settings: OpenSettings,
	context: OpenContext,
): Promise<OpenedService<HorsesDeps>> {
	const { logger, now } = context;
	const db = await openDatabase<HorsesSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		camelCase: true,
		applicationName: 'horses-service',
		logger,
		migrations,
		seedSets: settings.DEMO ? [demoHorseSet(now)] : [],
	});
	const peers = createPeers({
		calls: description.calls,
		...context,
		client: 'horses-service',
		secret: settings.SERVICE_SECRET,
		timeoutMs: settings.PEER_TIMEOUT_MS,
	});
	return {
		routes: horsesRoutes,
		deps: {
			db,
			directory: createMemberDirectory(peers.peer('members-service')),
			countries: createCountryCodes(peers.peer('masterdata-service'), now),
			openEntries: settings.CONTEXTS.includes('events')
				? createOpenEntries(peers.peer('events-service'))
				: undefined,
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
