import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '@paddock/database';
import type { Registry } from '@paddock/discovery';
import { type ContextDeps, type OpenedService, readSettings } from '@paddock/service';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import { openTestPool } from './migrated-template.ts';
import { createMovingClock, type MovingClock } from './moving-clock.ts';
import { createSettableRegistry } from './settable-registry.ts';
import { createTestDatabase, type DatabaseTemplate } from './test-database.ts';
import { startTestService, type TestService } from './test-service.ts';
import { createTestIdentity, type TestIdentity } from './test-tokens.ts';

type SettingsSchema = Parameters<typeof readSettings>[0];
type SettingsOf<S extends SettingsSchema> = ReturnType<typeof readSettings<S>>;

interface TestContextOptions<S extends SettingsSchema, Deps> {
	readonly template: DatabaseTemplate;
	/** Schema of the environment variables. */
	readonly settings: S;
	/** Beside DATABASE_URL. */
	readonly env?: Readonly<Record<string, string>>;
	readonly open: (settings: SettingsOf<S>, context: ContextDeps) => Promise<OpenedService<Deps>>;
	/** Where the clock begins. */
	readonly startsAt: string;
	/** Registry of the services that it calls; empty by default. */
	readonly registry?: Registry;
}

/** A service over a database of its own, with tokens of any caller. */
export interface TestContext<Schema, Settings>
	extends Pick<TestService, 'url' | 'call'>,
		Pick<TestIdentity, 'sign' | 'signService' | 'signExpired'> {
	/** The same database, to inspect the stored rows. */
	readonly db: Database<Schema>;
	readonly databaseUrl: string;
	readonly clock: MovingClock;
	/** A token of a FEDERATION_OFFICER, signed anew when the clock has moved. */
	readonly officer: string;
	/** A further instance over the same database; closed with the first one at the latest. */
	another(settings?: Partial<Settings>): Promise<TestService>;
	close(): Promise<void>;
}

/** Runs the real service on a real port over a database of its own. */
export async function startTestContext<Schema, S extends SettingsSchema, Deps>(
	options: TestContextOptions<S, Deps>,
	changes: Partial<SettingsOf<S>> = {},
): Promise<TestContext<Schema, SettingsOf<S>>> {
	const { template, registry = createSettableRegistry({}) } = options;
	const clock = createMovingClock(new Date(options.startsAt));
	const database = await createTestDatabase(template);
	const identity = await createTestIdentity({ now: clock.now });
	const instances = new Set<TestService>();
	const another = async (more: Partial<SettingsOf<S>> = {}): Promise<TestService> => {
		const env = { DATABASE_URL: database.url, ...options.env };
		const opened = await options.open(
			{ ...readSettings(options.settings, env), ...changes, ...more },
			{
				logger: silentLogger(),
				metrics: createMetrics({ prefix: 'service', service: template.name }),
				now: clock.now,
				registry,
			},
		);
		const started = await startTestService({ opened, keys: identity.keys, now: clock.now });
		const instance = {
			...started,
			close: async () => {
				if (instances.delete(instance)) await started.close();
			},
		};
		instances.add(instance);
		return instance;
	};
	const { url, call } = await another();
	const db = openTestPool<Schema>(database.url);
	const officer = { userId: randomUUID(), roles: ['FEDERATION_OFFICER'] as const };
	let signed = { atMs: Number.NaN, token: '' };
	return {
		url,
		call,
		db,
		databaseUrl: database.url,
		clock,
		...identity,
		get officer() {
			const atMs = clock.now().getTime();
			if (signed.atMs !== atMs) signed = { atMs, token: identity.sign(officer) };
			return signed.token;
		},
		another,
		close: async () => {
			for (const instance of instances) await instance.close();
			await db.destroy();
			await identity.keys.close();
			await database.drop();
		},
	};
}

/**
 * Runs a service for the tests of a file and closes it after them. The properties are there once the tests begin; `call`
 * can be taken from the result before.
 */
export function useRunning<Running extends Pick<TestService, 'call'> & { close(): Promise<void> }>(
	run: () => Promise<Running>,
): Running {
	let started: Running | undefined;
	const running = {} as Running;
	const call: TestService['call'] = (method, path, sent) => {
		if (started === undefined) throw new TypeError('The service starts before the first test.');
		return started.call(method, path, sent);
	};
	Object.assign(running, { call });
	beforeAll(async () => {
		started = await run();
		Object.defineProperties(running, { ...Object.getOwnPropertyDescriptors(started), call: { value: call } });
	});
	afterAll(() => started?.close());
	return running;
}
