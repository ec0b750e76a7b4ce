import { randomUUID } from 'node:crypto';
import type { AccessTokenClaims } from '@paddock/identity';
import {
	migratedTemplate,
	startTestContext,
	type TestContext,
	type TestFailure,
	type TestResponse,
	useRunning,
} from '@paddock/testing';
import { openHorses } from '../src/app.ts';
import { type HorsesSettings, settings } from '../src/config.ts';
import type { HorseRow, HorsesSchema } from '../src/database-schema.ts';
import type { Horse } from '../src/horses/schemas.ts';
import { migrations } from '../src/migrations.ts';
import { type StubPeers, stubPeers, stubSecret } from './stub-peers.ts';

/** Its clock begins on 1 May 2026, 12:00 in Vienna. */
export interface RunningHorses extends TestContext<HorsesSchema, HorsesSettings> {
	readonly peers: StubPeers;
	/** Tokens of a member without horses, and an officer's expired one. */
	readonly stranger: string;
	readonly expired: string;
	/** A member that is known, with a token. */
	person(claims?: Partial<AccessTokenClaims>): { readonly memberId: string; readonly token: string };
	/** Registers a horse as an officer; numbers are new unless given. */
	register(changes?: Readonly<Record<string, unknown>>): Promise<Horse>;
	tryToRegister<Data = TestFailure>(
		changes?: Readonly<Record<string, unknown>>,
		token?: string,
		headers?: Readonly<Record<string, string>>,
	): Promise<TestResponse<Data>>;
	stored(id: string): Promise<HorseRow | undefined>;
}

const template = migratedTemplate('horses_service', migrations);

/** The least that a horse needs, with a microchip that no other has. */
export function horseBody(changes: Readonly<Record<string, unknown>> = {}) {
	// Without zeros, as tests search for parts of other numbers.
	const running = String(Math.floor(Math.random() * 1e12))
		.padStart(12, '0')
		.replaceAll('0', '5');
	return {
		name: 'Prüfling',
		sex: 'MARE',
		birthYear: 2016,
		microchip: `999${running}`,
		owners: [{ externalParty: { name: 'Stall Probe', countryCode: 'AT' } }],
		...changes,
	};
}

/** The real service; the services that it calls are stubs. */
export async function runHorses(): Promise<RunningHorses> {
	const peers = await stubPeers();
	const context: TestContext<HorsesSchema, HorsesSettings> = await startTestContext({
		template,
		settings,
		// Long enough for a busy machine; a test of a service that hangs starts another process with less.
		env: { SERVICE_SECRET: stubSecret, PEER_TIMEOUT_MS: '5000' },
		open: openHorses,
		startsAt: '2026-05-01T10:00:00Z',
		registry: peers.registry,
	});
	const { call, db, sign, close } = context;
	const tryToRegister: RunningHorses['tryToRegister'] = (changes, token = context.officer, headers = {}) =>
		call('POST', '/api/horses', { token, headers, body: horseBody(changes) });
	return Object.assign(context, {
		peers,
		stranger: sign({ memberId: randomUUID() }),
		expired: context.signExpired({ roles: ['FEDERATION_OFFICER'] }),
		person: (claims: Partial<AccessTokenClaims> = {}) => {
			const memberId = peers.member();
			return { memberId, token: sign({ memberId, ...claims }) };
		},
		tryToRegister,
		register: async (changes?: Readonly<Record<string, unknown>>) => {
			const { status, data, text } = await tryToRegister<Horse>(changes);
			if (status !== 201) throw new Error(`not registered: ${text}`);
			return data;
		},
		stored: (id: string) => db.selectFrom('horses').selectAll().where('id', '=', id).executeTakeFirst(),
		close: async () => {
			await close();
			await peers.close();
		},
	});
}

/** The same for the tests of a file. */
export const useHorses = () => useRunning(runHorses);
