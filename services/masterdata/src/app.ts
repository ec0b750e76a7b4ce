import { databaseCheck, databaseOutage, openDatabase } from '@paddock/database';
import type { OpenContext, OpenedService } from '@paddock/service';
import type { MasterdataSettings } from './config.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { demoVenues } from './demo.ts';
import type { MasterdataDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { masterdataRoutes } from './routes.ts';
import { seedSets } from './seed.ts';

/** The settings that this context itself reads. */
export type OpenSettings = Pick<MasterdataSettings, 'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'DEMO'>;

/** Connects, migrates, seeds. @throws what the database says; nothing is left open then. */
export async function openMasterdata(
	settings: OpenSettings,
	{ logger }: Pick<OpenContext, 'logger'>,
): Promise<OpenedService<MasterdataDeps>> {
	const db = await openDatabase<MasterdataSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		applicationName: 'masterdata-service',
		logger,
		migrations,
		seedSets: settings.DEMO ? [...seedSets, demoVenues] : seedSets,
	});
	return {
		routes: masterdataRoutes,
		deps: { db },
		checks: [databaseCheck(db)],
		translateError: databaseOutage,
		close: () => db.destroy(),
	};
}
