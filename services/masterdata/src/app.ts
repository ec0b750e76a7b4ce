import { type ApiError, fail } from '@paddock/contract';
import {
	checkDatabase,
	createDatabase,
	isDatabaseUnavailable,
	migrateToLatest,
	seed,
} from '@paddock/database';
import type { OpenContext, OpenedService } from '@paddock/service';
import type { MasterdataSettings } from './config.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { demoVenues } from './demo.ts';
import type { MasterdataDeps } from './deps.ts';
import { migrations } from './migrations.ts';
import { masterdataRoutes } from './routes.ts';
import { seedSets } from './seed.ts';

const checkTimeoutMs = 1_000;
const retryAfterMs = 2_000;

/** The settings that this context itself reads. */
export type OpenSettings = Pick<MasterdataSettings, 'DATABASE_URL' | 'DATABASE_POOL_MAX' | 'DEMO'>;

/** Connects, migrates, seeds. @throws what the database says; nothing is left open then. */
export async function openMasterdata(
	settings: OpenSettings,
	{ logger }: Pick<OpenContext, 'logger'>,
): Promise<OpenedService<MasterdataDeps>> {
	const db = createDatabase<MasterdataSchema>({
		url: settings.DATABASE_URL,
		poolMax: settings.DATABASE_POOL_MAX,
		applicationName: 'masterdata-service',
		logger,
	});
	try {
		await migrateToLatest(db, migrations, logger);
		await seed(db, settings.DEMO ? [...seedSets, demoVenues] : seedSets, logger);
	} catch (error) {
		await db.destroy();
		throw error;
	}
	return {
		routes: masterdataRoutes,
		deps: { db },
		checks: [{ name: 'database', check: () => checkDatabase(db, checkTimeoutMs) }],
		translateError,
		close: () => db.destroy(),
	};
}

function translateError(error: unknown): ApiError | undefined {
	return isDatabaseUnavailable(error)
		? fail('SERVICE_UNAVAILABLE', { retryAfterMs, cause: error })
		: undefined;
}
