import type { Database } from '@paddock/database';
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
	type TestIdentity,
	type TestService,
} from '@paddock/testing';
import { openMembers } from '../src/app.ts';
import { type MembersSettings, settings } from '../src/config.ts';
import type { MembersSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import { type StubPeer, stubAuth, stubEvents, stubHorses, stubMasterdata } from './stub-peers.ts';

export interface RunningMembers extends Pick<TestService, 'url' | 'call'> {
	/** The same database, to read stored rows. */
	readonly db: Database<MembersSchema>;
	readonly databaseUrl: string;
	/** Begins on 1 May 2026, 12:00 in Vienna. */
	readonly clock: MovingClock;
	readonly registry: SettableRegistry;
	readonly masterdata: StubPeer;
	readonly events: Awaited<ReturnType<typeof stubEvents>>;
	/** Member id → number of horses owned. */
	readonly horses: Awaited<ReturnType<typeof stubHorses>>;
	readonly auth: Awaited<ReturnType<typeof stubAuth>>;
	/** A token of a FEDERATION_OFFICER, signed anew each time: the clock may have moved. */
	readonly officer: string;
	readonly sign: TestIdentity['sign'];
	readonly signService: TestIdentity['signService'];
	readonly signExpired: TestIdentity['signExpired'];
	/** A token of a CLUB_OFFICIAL of these clubs. */
	readonly officialOf: (...clubIds: readonly string[]) => string;
	/** A token of the member with this id. */
	readonly memberIs: (memberId: string) => string;
	close(): Promise<void>;
}

const template = migratedTemplate('members', migrations);

/** The settings of a service over that database. */
export function testSettings(DATABASE_URL: string, changes: Partial<MembersSettings> = {}): MembersSettings {
	return { ...readSettings(settings, { DATABASE_URL, PEER_TIMEOUT_MS: '1000' }), ...changes };
}

/** What a service is opened with. */
export function openContext(now: () => Date, registry: SettableRegistry) {
	const metrics = createMetrics({ prefix: 'service', service: 'members-service' });
	return { logger: silentLogger(), metrics, now, registry };
}

/** The real service on a real port with its own database and stubs of the contexts that it calls. */
export async function runMembers(changes: Partial<MembersSettings> = {}): Promise<RunningMembers> {
	const clock = createMovingClock(new Date('2026-05-01T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const [masterdata, events, horses, auth] = await Promise.all([
		stubMasterdata(),
		stubEvents(),
		stubHorses(),
		stubAuth(),
	]);
	const registry = createSettableRegistry({
		'masterdata-service': [masterdata.url],
		'events-service': [events.url],
		'horses-service': [horses.url],
		'auth-service': [auth.url],
	});
	const opened = await openMembers(testSettings(database.url, changes), openContext(clock.now, registry));
	const service = await startTestService({ opened, keys: identity.keys, now: clock.now });
	const db = openTestPool<MembersSchema>(database.url, { camelCase: true });
	return {
		url: service.url,
		call: service.call,
		db,
		databaseUrl: database.url,
		clock,
		registry,
		masterdata,
		events,
		horses,
		auth,
		get officer() {
			return identity.sign({ roles: ['FEDERATION_OFFICER'] });
		},
		sign: identity.sign,
		signService: identity.signService,
		signExpired: identity.signExpired,
		officialOf: (...clubIds) =>
			identity.sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: { clubIds } } }),
		memberIs: (memberId) => identity.sign({ roles: ['MEMBER'], memberId }),
		close: async () => {
			await service.close();
			await Promise.all([masterdata, events, horses, auth].map((peer) => peer.close()));
			await db.destroy();
			await identity.keys.close();
			await database.drop();
		},
	};
}
