import { randomUUID } from 'node:crypto';
import type { KeySet } from '@paddock/identity';
import { readSettings } from '@paddock/service';
import { createMetrics, type Logger, type Metrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	createSettableRegistry,
	createTestDatabase,
	type MovingClock,
	migratedTemplate,
	type SettableRegistry,
	startTestService,
	type TestService,
	useRunning,
} from '@paddock/testing';
import { openAuth } from '../src/app.ts';
import { settings as settingsSchema } from '../src/config.ts';
import type { AuthDeps } from '../src/deps.ts';
import { migrations } from '../src/migrations.ts';
import type { UserDto } from '../src/users/schemas.ts';

export interface Tokens {
	readonly accessToken: string;
	readonly tokenType: string;
	readonly expiresIn: number;
	readonly refreshToken: string;
	readonly refreshExpiresIn: number;
	/** Only of a sign-in. */
	readonly deviceToken: string;
	readonly user: UserDto;
}

export interface Person {
	readonly email: string;
	readonly password: string;
	readonly id: string;
}

export interface RunningAuth {
	readonly call: TestService['call'];
	readonly url: string;
	/** Of the process under test, to read its stored state. */
	readonly deps: AuthDeps;
	/** As it publishes them. */
	readonly keys: KeySet;
	readonly clock: MovingClock;
	readonly databaseUrl: string;
	/** The value of one series of the process's metrics; 0 when there is none. */
	metric(name: string, labels: Readonly<Record<string, string>>): Promise<number>;
	/** A new user with the role MEMBER. */
	register(changes?: Readonly<Record<string, unknown>>): Promise<Person>;
	/** Through a new address, as an unknown device without a token. */
	signIn(person: { email: string; password: string }, deviceToken?: string): Promise<Tokens>;
	/** A new signed-in user. */
	member(): Promise<Person & Tokens>;
	/** A new administrator, signed in. */
	administrator(): Promise<Person & Tokens>;
	close(): Promise<void>;
}

export interface RunAuthOptions {
	/** Environment variables. */
	readonly settings?: Readonly<Record<string, string>>;
	readonly clock?: MovingClock;
	readonly logger?: Logger;
	/** Address of the members service; without it ids of members and clubs are not checked. */
	readonly registry?: SettableRegistry;
	/** Hash as in production; by default cheaply. */
	readonly realHashes?: boolean;
	/** An instance beside another one, on its database. */
	readonly beside?: RunningAuth;
}

const cheapHashes = { PASSWORD_HASH_MEMORY_KIB: '64', PASSWORD_HASH_PASSES: '1' };

export const goodPassword = 'three bales and a bucket';

/** A client address that no other test uses, so that tests don't throttle each other. */
export function ownAddress(): Readonly<Record<string, string>> {
	const [a, b, c] = [...Array(3)].map(() => 1 + Math.floor(Math.random() * 250));
	return { 'X-Forwarded-For': `10.${a}.${b}.${c}` };
}

export function newPerson(changes: Readonly<Record<string, unknown>> = {}) {
	return {
		email: `p-${randomUUID().slice(0, 13)}@example.org`,
		password: goodPassword,
		firstName: 'Anna',
		lastName: 'Huber',
		phoneNumber: null,
		locale: 'de-AT',
		...changes,
	};
}

/** The auth service on a free port with its own migrated database. Its clock is manual. */
export async function runAuth(options: RunAuthOptions = {}): Promise<RunningAuth> {
	const clock = options.clock ?? options.beside?.clock ?? createMovingClock();
	const database = options.beside === undefined ? await createTestDatabase(template) : undefined;
	const databaseUrl = options.beside?.databaseUrl ?? database?.url ?? '';
	const settings = readSettings(settingsSchema, {
		NODE_ENV: 'test',
		EMAIL_VERIFICATION: 'off',
		CONTEXTS: options.registry === undefined ? 'auth' : 'auth,members',
		DATABASE_URL: databaseUrl,
		...(options.realHashes === true ? {} : cheapHashes),
		...options.settings,
	});
	const logger = options.logger ?? silentLogger();
	const metrics = createMetrics({ prefix: 'service', service: 'auth-service' });
	const opened = await openAuth(settings, {
		logger,
		metrics,
		now: clock.now,
		registry: options.registry ?? createSettableRegistry({}),
	});
	const service = await startTestService({ opened, now: clock.now, logger });
	const { call } = service;
	const { keys } = opened;
	if (keys === undefined) throw new TypeError('Auth publishes no keys.');

	const register = async (changes: Readonly<Record<string, unknown>> = {}): Promise<Person> => {
		const person = newPerson(changes);
		const { status, data, text } = await call<{ email: string }>('POST', '/auth/register', { body: person });
		if (status !== 201) throw new Error(`could not register: ${text}`);
		return { email: data.email, password: person.password, id: await idOf(opened.deps, data.email) };
	};
	const signIn = async (
		{ email, password }: { email: string; password: string },
		deviceToken?: string,
	): Promise<Tokens> => {
		const response = await call<Tokens>('POST', '/auth/login', {
			body: { email, password },
			headers: {
				...ownAddress(),
				...(deviceToken === undefined ? {} : { 'X-Device-Token': deviceToken }),
			},
		});
		if (response.status !== 200) throw new Error(`could not sign in: ${response.text}`);
		return response.data;
	};
	const member = async () => {
		const person = await register();
		return { ...person, ...(await signIn(person)) };
	};
	return {
		call,
		url: service.url,
		metric: (name, labels) => readMetric(metrics, name, labels),
		deps: opened.deps,
		keys,
		clock,
		databaseUrl,
		register,
		signIn,
		member,
		administrator: async () => {
			const person = await register();
			const roles = ['MEMBER' as const, 'ADMIN' as const];
			await opened.deps.db.updateTable('users').set({ roles }).where('id', '=', person.id).execute();
			return { ...person, ...(await signIn(person)) };
		},
		close: async () => {
			await service.close();
			await database?.drop();
		},
	};
}

async function idOf({ db }: AuthDeps, email: string): Promise<string> {
	const users = db.selectFrom('users').select('id').where('email', '=', email);
	return (await users.executeTakeFirstOrThrow()).id;
}

async function readMetric(
	{ registry }: Metrics,
	name: string,
	labels: Readonly<Record<string, string>>,
): Promise<number> {
	const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
	const wanted = Object.entries(labels);
	const series = values.find((value) =>
		wanted.every(([label, text]) => Reflect.get(value.labels, label) === text),
	);
	return series?.value ?? 0;
}

/** The same for the tests of a file. */
export const useAuth = (options?: RunAuthOptions) => useRunning(() => runAuth(options));

const template = migratedTemplate('auth', migrations);
