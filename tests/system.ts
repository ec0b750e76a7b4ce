import type { ContextDescription } from '@paddock/contract';
import {
	type ChildService,
	type ChildServiceOptions,
	createTestDatabase,
	freePorts,
	migratedTemplate,
	startChildService,
	type TestCertificate,
	type TestDatabase,
} from '@paddock/testing';
import * as contexts from '../contexts.ts';
import { migrationsOf } from '../scripts/migrate/context-migrations.ts';
import { cheapHashes } from '../services/auth/test/password-hashes.ts';

/** The administrator of a test system. */
export const systemAdmin = { email: 'admin@example.org', password: 'quiet paddock at dawn' };

export type SystemService = keyof typeof contexts;

const descriptions: Readonly<Record<SystemService, ContextDescription>> = contexts;

/** The services of all contexts. */
export const systemServices = Object.keys(contexts) as readonly SystemService[];

/** The services of a system by default. */
const servicesByDefault: readonly SystemService[] = ['auth', 'masterdata', 'ping'];

export interface SystemOptions {
	/** The services that run behind the gateway. */
	contexts?: readonly SystemService[];
	/** Number of instances of each service; 1 by default. */
	instances?: Partial<Record<SystemService, number>>;
	/** Uses this Consul as registry; by default a static list. */
	consulAddress?: string;
	/**
	 * Settings of the gateway; rate limits, load shedding by event-loop delay and the response cache, which would hide the
	 * services from their tests, are off by default.
	 */
	gateway?: Record<string, string>;
	/** Settings of every service, which may name the port of the gateway; password hashes are cheap by default. */
	services?: Record<string, string> | ((gatewayPort: number) => Promise<Record<string, string>>);
	/** The certificate of a process, `gateway` or the name of a service; plain HTTP by default. */
	tls?: (name: string) => TestCertificate;
	/** Starts the processes, e.g. in containers; see `startChildService`. */
	command?: NonNullable<ChildServiceOptions['command']>;
}

export interface System {
	gateway: ChildService;
	/** Empty for services that aren't started. */
	services: Record<SystemService, ChildService[]>;
	/** The addresses of the databases of the services that have one. */
	databaseUrls: ReadonlyMap<SystemService, string>;
	/** Signs in. @returns the access token */
	signIn(email?: string, password?: string): Promise<string>;
	stop(): Promise<void>;
}

const withoutLimits = {
	RATE_LIMIT_SIGN_IN: '0',
	RATE_LIMIT_ANONYMOUS: '0',
	RATE_LIMIT_USER: '0',
	RATE_LIMIT_OFFICER: '0',
	// Other tests on the machine delay the event loop, which is not overload.
	EVENT_LOOP_DELAY_MAX_MS: '60000',
	RESPONSE_CACHE_BYTES: '0',
};

/**
 * Starts a whole system: gateway and services as processes, each service with its own database on the run's PostgreSQL,
 * discovered through Consul or a static list.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
	const count = (name: SystemService) => options.instances?.[name] ?? 1;
	const names = options.contexts ?? servicesByDefault;
	const ports = await freePorts(1 + names.reduce((sum, name) => sum + count(name), 0));
	const take = (): number => ports.pop() ?? 0;
	const gatewayPort = take();
	const { services: settings = {} } = options;
	const ofServices = typeof settings === 'function' ? await settings(gatewayPort) : settings;
	const plan = names.flatMap((name) => Array.from({ length: count(name) }, () => ({ name, port: take() })));
	const list = plan.map(({ name, port }) => `${name}-service=http://127.0.0.1:${port}`).join(',');
	const registry: Record<string, string> =
		options.consulAddress === undefined
			? { SERVICE_INSTANCES: list }
			: { CONSUL_HTTP_ADDR: options.consulAddress, REGISTRY_CHECK_INTERVAL_MS: '1000' };
	const databases = await createDatabases(names);
	const environment = (name: SystemService) => ({
		...registry,
		CONTEXTS: names.join(','),
		DRAIN_MS: '100',
		...(databases.has(name) ? { DATABASE_URL: databases.get(name)?.url ?? '' } : {}),
		...secretsOf(name),
		...tlsSettings(options.tls?.(`${name}-service`)),
		...ofServices,
	});
	const running: ChildService[] = [];
	const stop = async (): Promise<void> => {
		const [gateway, ...others] = running.toReversed();
		await gateway?.stop();
		await Promise.all(others.map((service) => service.stop()));
		await Promise.all([...databases.values()].map((database) => database.drop()));
	};
	const { command = [process.execPath], tls } = options;
	const secure = tls !== undefined;
	const start = async (child: ChildServiceOptions): Promise<ChildService> => {
		const started = await startChildService({ ...child, command });
		running.push(started);
		return started;
	};
	try {
		const started = await all(
			plan.map(async ({ name, port }) => {
				const main = `services/${name}/src/main.ts`;
				const child = { main, port, env: environment(name), readyPath: '/health', secure };
				return { name, service: await start(child) };
			}),
		);
		const gateway = await start({
			main: 'gateway/src/main.ts',
			port: gatewayPort,
			env: { ...registry, CONTEXTS: names.join(','), ...gatewaySettings(options) },
			readyPath: options.gateway?.['OPS_PORT'] === undefined ? '/actuator/health' : '/api/ping',
		});
		const servicesOf = (name: SystemService) =>
			started.filter((entry) => entry.name === name).map(({ service }) => service);
		return {
			gateway,
			services: Object.fromEntries(
				systemServices.map((name) => [name, servicesOf(name)]),
			) as System['services'],
			databaseUrls: new Map([...databases].map(([name, { url }]) => [name, url])),
			signIn: (email = systemAdmin.email, password = systemAdmin.password) =>
				signIn(gateway.url, email, password),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function createDatabases(names: readonly SystemService[]): Promise<Map<SystemService, TestDatabase>> {
	const withDatabase = names.filter((name) => descriptions[name].hasDatabase);
	const created = withDatabase.map(
		// Migrated once for all systems of a run; what a start does on an empty database is tested in tests/start.
		async (name) =>
			[name, await createTestDatabase(migratedTemplate(`system_${name}`, await migrationsOf(name)))] as const,
	);
	return new Map(await all(created));
}

/** Waits for all attempts even if one fails, so that all started processes are known. @throws the first failure */
async function all<Result>(attempts: readonly Promise<Result>[]): Promise<Result[]> {
	await Promise.allSettled(attempts);
	return await Promise.all(attempts);
}

/** The SERVICE_SECRET of each service of a test system that calls others. */
export const systemServiceSecrets: Readonly<Partial<Record<SystemService, string>>> = Object.fromEntries(
	systemServices
		.filter((name) => descriptions[name].client !== undefined)
		.map((name) => [name, `the-${name}-own-secret-in-a-test-system`]),
);

function secretsOf(name: SystemService): Record<string, string> {
	const own = systemServiceSecrets[name];
	if (own !== undefined) return { SERVICE_SECRET: own };
	if (descriptions[name].issuesServiceTokens !== true) return {};
	const list = Object.entries(systemServiceSecrets).map(([client, secret]) => `${client}-service=${secret}`);
	return {
		ADMIN_EMAIL: systemAdmin.email,
		ADMIN_PASSWORD: systemAdmin.password,
		SERVICE_SECRETS: list.join(','),
		EMAIL_VERIFICATION: 'off',
		...cheapHashes,
	};
}

function gatewaySettings({ gateway, tls }: SystemOptions): Record<string, string> {
	const settings = { ...withoutLimits, DRAIN_MS: '100', HEALTH_SHARED_MS: '0' };
	return { ...settings, ...tlsSettings(tls?.('gateway')), ...gateway };
}

function tlsSettings(tls: TestCertificate | undefined): Record<string, string> {
	return tls === undefined ? {} : { TLS_CERT: tls.cert, TLS_KEY: tls.key, TLS_CA: tls.ca };
}

/** @returns the access token */
async function signIn(gatewayUrl: string, email: string, password: string): Promise<string> {
	const response = await fetch(`${gatewayUrl}/auth/login`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ email, password }),
	});
	const { data } = (await response.json()) as { data: { accessToken?: string } };
	if (data.accessToken === undefined)
		throw new Error(`signing in as ${email} failed: ${JSON.stringify(data)}`);
	return data.accessToken;
}
