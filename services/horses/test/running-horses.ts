import { randomUUID } from 'node:crypto';
import type { Database } from '@paddock/database';
import type { AccessTokenClaims } from '@paddock/identity';
import { readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createTestDatabase,
	createTestIdentity,
	type MovingClock,
	migratedTemplate,
	openTestPool,
	startTestService,
	type TestFailure,
	type TestResponse,
	type TestService,
} from '@paddock/testing';
import { openHorses } from '../src/app.ts';
import { type HorsesSettings, settings } from '../src/config.ts';
import type { HorseRow, HorsesSchema } from '../src/database-schema.ts';
import { migrations } from '../src/migrations.ts';
import type { Horse } from '../src/schemas/horse.ts';
import { type StubPeers, stubPeers, stubSecret } from './stub-peers.ts';

export interface RunningHorses extends Pick<TestService, 'url' | 'call'> {
	/** The same database, to read stored rows. */
	readonly db: Database<HorsesSchema>;
	readonly databaseUrl: string;
	/** Begins on 1 May 2026, 12:00 in Vienna. */
	readonly clock: MovingClock;
	readonly peers: StubPeers;
	/** Tokens of a FEDERATION_OFFICER (signed at each access), of a member without horses, and an officer's expired one. */
	readonly officer: string;
	readonly stranger: string;
	readonly expired: string;
	readonly sign: (claims: Partial<AccessTokenClaims>) => string;
	readonly signService: (scopes: readonly string[]) => string;
	/** A member that is known, with a token. */
	person(claims?: Partial<AccessTokenClaims>): { readonly memberId: string; readonly token: string };
	/** Another process of the service over the same database. Close it. */
	another(settings?: Partial<HorsesSettings>): Promise<TestService>;
	/** Registers a horse as an officer; numbers are new unless given. */
	register(changes?: Readonly<Record<string, unknown>>): Promise<Horse>;
	tryToRegister<Data = TestFailure>(
		changes?: Readonly<Record<string, unknown>>,
		token?: string,
		headers?: Readonly<Record<string, string>>,
	): Promise<TestResponse<Data>>;
	stored(id: string): Promise<HorseRow | undefined>;
	close(): Promise<void>;
}

const template = migratedTemplate('horses_service', migrations);

/** The least that a horse needs, with a microchip that no other has. */
export function horseBody(changes: Readonly<Record<string, unknown>> = {}) {
	const running = String(Math.floor(Math.random() * 1e12)).padStart(12, '0');
	return {
		name: 'Prüfling',
		sex: 'MARE',
		birthYear: 2016,
		microchip: `999${running}`,
		owners: [{ externalParty: { name: 'Stall Probe', countryCode: 'AT' } }],
		...changes,
	};
}

/** The real service on a real port with its own database; the services that it calls are stubs. */
export async function runHorses(): Promise<RunningHorses> {
	const clock = createMovingClock(new Date('2026-05-01T10:00:00Z'));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const peers = await stubPeers();
	const start = async (changes: Partial<HorsesSettings> = {}) => {
		const opened = await openHorses(settingsFor(database.url, changes), {
			logger: silentLogger(),
			metrics: createMetrics({ prefix: 'service', service: 'horses-under-test' }),
			now: clock.now,
			registry: peers.registry,
		});
		return startTestService({ opened, keys: identity.keys, now: clock.now });
	};
	const service = await start();
	const db = openTestPool<HorsesSchema>(database.url, { camelCase: true });
	// Signed each time: tokens live for minutes, and tests move the clock by more.
	const userId = randomUUID();
	const officer = () => identity.sign({ userId, roles: ['FEDERATION_OFFICER'] });
	const tryToRegister: RunningHorses['tryToRegister'] = (changes, token = officer(), headers = {}) =>
		service.call('POST', '/api/horses', { token, headers, body: horseBody(changes) });
	return {
		url: service.url,
		call: service.call,
		db,
		databaseUrl: database.url,
		clock,
		peers,
		get officer() {
			return officer();
		},
		stranger: identity.sign({ memberId: randomUUID() }),
		expired: identity.signExpired({ roles: ['FEDERATION_OFFICER'] }),
		sign: (claims) => identity.sign(claims),
		signService: (scopes) => identity.signService(scopes),
		person: (claims = {}) => {
			const memberId = peers.member();
			return { memberId, token: identity.sign({ memberId, ...claims }) };
		},
		another: start,
		tryToRegister,
		register: async (changes) => {
			const { status, data, text } = await tryToRegister<Horse>(changes);
			if (status !== 201) throw new Error(`not registered: ${text}`);
			return data;
		},
		stored: (id) => db.selectFrom('horses').selectAll().where('id', '=', id).executeTakeFirst(),
		close: async () => {
			await service.close();
			await db.destroy();
			await identity.keys.close();
			await database.drop();
			await peers.close();
		},
	};
}

function settingsFor(DATABASE_URL: string, changes: Partial<HorsesSettings>): HorsesSettings {
	// Long enough for a busy machine; a test of a service that hangs starts another process with less.
	const env = { DATABASE_URL, SERVICE_SECRET: stubSecret, PEER_TIMEOUT_MS: '5000' };
	return { ...readSettings(settings, env), ...changes };
}
