import type { Database } from '@paddock/database';
import type { Role } from '@paddock/identity';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createSettableRegistry,
	createTestDatabase,
	createTestIdentity,
	type MovingClock,
	migratedTemplate,
	openTestPool,
	type SettableRegistry,
	startTestService,
	type TestService,
} from '@paddock/testing';
import { openMasterdata } from '../src/app.ts';
import { type MasterdataSettings, settings } from '../src/config.ts';
import type { MasterdataSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { seedSets } from '../src/seed.ts';

export interface RunningMasterdata extends Pick<TestService, 'url' | 'call'> {
	/** The same database, to read stored rows. */
	readonly db: Database<MasterdataSchema>;
	readonly databaseUrl: string;
	/** Begins on 1 May 2026, 12:00 in Vienna. */
	readonly clock: MovingClock;
	/** Tokens of a FEDERATION_OFFICER and of a MEMBER. */
	readonly officer: string;
	readonly member: string;
	/** An officer's expired token. */
	readonly expired: string;
	/** A token with one role. */
	readonly signAs: (role: Role) => string;
	close(): Promise<void>;
}

const template = migratedTemplate('masterdata', migrations, seedSets);

/** The settings of a service over that database; other contexts are not deployed. */
export function testSettings(
	DATABASE_URL: string,
	changes: Partial<MasterdataSettings> = {},
): MasterdataSettings {
	const env = { DATABASE_URL, CONTEXTS: 'auth,masterdata', PEER_TIMEOUT_MS: '1000' };
	return { ...readSettings(settings, env), ...changes };
}

/** The context that a service is opened with. */
export function openContext(now: () => Date, registry: SettableRegistry = createSettableRegistry({})) {
	const metrics = createMetrics({ prefix: 'service', service: 'masterdata-service' });
	return { logger: silentLogger(), metrics, now, registry };
}

/** The real service on a real port over a database of its own, migrated and seeded. */
export async function runMasterdata(
	changes: Partial<MasterdataSettings> = {},
	registry: SettableRegistry = createSettableRegistry({}),
): Promise<RunningMasterdata> {
	const clock = createMovingClock(new Date('2026-05-01T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const opened = await openMasterdata(testSettings(database.url, changes), openContext(clock.now, registry));
	const service = await startTestService({ opened, keys: identity.keys, now: clock.now });
	const db = openTestPool<MasterdataSchema>(database.url, { camelCase: true });
	return {
		url: service.url,
		call: service.call,
		db,
		databaseUrl: database.url,
		clock,
		officer: identity.sign({ roles: ['FEDERATION_OFFICER'] }),
		member: identity.sign(),
		signAs: (role) => identity.sign({ roles: [role] }),
		expired: identity.signExpired({ roles: ['FEDERATION_OFFICER'] }),
		close: async () => {
			await service.close();
			await db.destroy();
			await identity.keys.close();
			await database.drop();
		},
	};
}
