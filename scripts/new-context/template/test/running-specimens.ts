import { camelCaseColumns, type Database } from '@paddock/database';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createSettableRegistry,
	createTestDatabase,
	createTestIdentity,
	migratedTemplate,
	openTestPool,
	startTestService,
	type TestService,
} from '@paddock/testing';
import { openSpecimens } from '../src/app.ts';
import { type SpecimensSettings, settings } from '../src/config.ts';
import type { SpecimensSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';

export interface RunningSpecimens extends Pick<TestService, 'call'> {
	/** The same database, to check the stored rows. */
	readonly db: Database<SpecimensSchema>;
	/** Tokens of a FEDERATION_OFFICER and of a MEMBER. */
	readonly officer: string;
	readonly member: string;
	close(): Promise<void>;
}

const template = migratedTemplate('specimens_service', migrations);

/** The real service on a real port over a migrated database of its own. */
export async function runSpecimens(changes: Partial<SpecimensSettings> = {}): Promise<RunningSpecimens> {
	const clock = createMovingClock(new Date('2026-05-01T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const opened = await openSpecimens(
		{ ...readSettings(settings, { DATABASE_URL: database.url }), ...changes },
		{
			logger: silentLogger(),
			metrics: createMetrics({ prefix: 'service', service: 'specimens-under-test' }),
			now: clock.now,
			registry: createSettableRegistry({}),
		},
	);
	const service = await startTestService({ opened, keys: identity.keys, now: clock.now });
	const db = openTestPool<SpecimensSchema>(database.url).withPlugin(camelCaseColumns);
	return {
		call: service.call,
		db,
		officer: identity.sign({ roles: ['FEDERATION_OFFICER'] }),
		member: identity.sign(),
		close: async () => {
			await service.close();
			await db.destroy();
			await identity.keys.close();
			await database.drop();
		},
	};
}
