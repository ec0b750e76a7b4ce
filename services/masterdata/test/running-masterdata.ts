import { createDatabase, type Database, migrateToLatest, seed } from '@paddock/database';
import type { Role } from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createTestDatabase,
	createTestIdentity,
	type MovingClock,
	startTestService,
	type TestService,
} from '@paddock/testing';
import { openMasterdata } from '../src/app.ts';
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

const template = {
	name: 'masterdata',
	prepare: async (url: string) => {
		const db = openDatabase(url);
		await migrateToLatest(db, migrations, silentLogger());
		await seed(db, seedSets, silentLogger());
		await db.destroy();
	},
};

/** Another pool to the database of a test. Destroy it. */
export function openDatabase(url: string): Database<MasterdataSchema> {
	return createDatabase<MasterdataSchema>({
		url,
		poolMax: 4,
		applicationName: 'test',
		logger: silentLogger(),
	});
}

/** The real service on a real port over a database of its own, migrated and seeded. */
export async function runMasterdata(): Promise<RunningMasterdata> {
	const clock = createMovingClock(new Date('2026-05-01T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const opened = await openMasterdata(
		{ DATABASE_URL: database.url, DATABASE_POOL_MAX: 5, DEMO: false },
		{ logger: silentLogger() },
	);
	const service = await startTestService({ opened, keys: identity.keys, now: clock.now });
	const db = openDatabase(database.url);
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
