import { databaseCheck, databaseOutage, openDatabase } from '@paddock/database';
import type { OpenContext, OpenedService } from '@paddock/service';
import type { SpecimensSettings } from './config.ts';
import type { SpecimensSchema } from './database-schema.ts';
import { demoSpecimens } from './demo.ts';
import type { SpecimensDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { specimensRoutes } from './routes.ts';

export type OpenSettings = Pick<SpecimensSettings, 'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'DEMO'>;

/** Connects and migrates. @throws the database error, after closing everything. */
export async function openSpecimens(
	settings: OpenSettings,
	{ logger }: Pick<OpenContext, 'logger'>,
): Promise<OpenedService<SpecimensDeps>> {
	const db = await openDatabase<SpecimensSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		camelCase: true,
		applicationName: 'specimens-service',
		logger,
		migrations,
		seedSets: settings.DEMO ? [demoSpecimens] : [],
	});
	return {
		routes: specimensRoutes,
		deps: { db },
		checks: [databaseCheck(db)],
		translateError: databaseOutage,
		close: () => db.destroy(),
	};
}
