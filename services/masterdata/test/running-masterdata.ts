import type { Database } from '@paddock/database';
import type { Role } from '@paddock/identity';
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
import { type OpenSettings, openMasterdata } from '../src/app.ts';
import type { MasterdataSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { seedSets } from '../src/seed.ts';

export interface RunningMasterdata extends Pick<TestService, 'url' | 'call'> {
	/** The same database, to look at what is stored. */
	readonly db: Database<MasterdataSchema>;
	readonly databaseUrl: string;
	/** Begins on 1 May 2026, 12:00 in Vienna. */
	readonly clock: MovingClock;
	/** Tokens of a FEDERATION_OFFICER and of a MEMBER. */
	readonly officer: string;
	readonly member: string;
	/** An officer's, but expired. */
	readonly expired: string;
	/** A token of somebody with one role. */
	readonly signAs: (role: Role) => string;
	close(): Promise<void>;
}

const template = migratedTemplate('masterdata', migrations, seedSets);

/** The settings beside the database's address; other contexts are not deployed. */
export const testSettings: Omit<OpenSettings, 'DATABASE_URL'> = {
	DATABASE_POOL_MAX: 5,
	CONTEXTS: ['auth', 'masterdata'],
	SERVICE_SECRET: 'a secret of thirty-two characters',
	PEER_TIMEOUT_MS: 1_000,
	DEMO: false,
};

/** The context that a service is opened with. */
export function openContext(now: () => Date, registry: SettableRegistry = createSettableRegistry({})) {
	const metrics = createMetrics({ prefix: 'service', service: 'masterdata-service' });
	return { logger: silentLogger(), metrics, now, registry };
}

/** The real service on a real port over a database of its own, migrated and seeded. */
export async function runMasterdata(
	changes: Partial<OpenSettings> = {},
	registry: SettableRegistry = createSettableRegistry({}),
): Promise<RunningMasterdata> {
	const clock = createMovingClock(new Date('2026-05-01T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const opened = await openMasterdata(
		{ ...testSettings, DATABASE_URL: database.url, ...changes },
		openContext(clock.now, registry),
	);
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
