import type { ContextDescription } from '@paddock/contract';
import * as contexts from '../../../contexts.ts';
import { type ChildService, startChildService } from './child-service.ts';
import { freePorts } from './free-port.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The administrator of a test system. */
export const systemAdmin = { email: 'admin@example.org', password: 'quiet paddock at dawn' };

export type SystemService = keyof typeof contexts;

const descriptions: Readonly<Record<SystemService, ContextDescription>> = contexts;

const systemServices = Object.keys(contexts) as SystemService[];

/** The services that a system has unless a test says which it wants. */
const servicesByDefault: readonly SystemService[] = ['auth', 'masterdata', 'ping'];

export interface SystemOptions {
	/** Which services run and the gateway fronts. */
	contexts?: readonly SystemService[];
	/** How many instances of each service; one unless said. */
	instances?: Partial<Record<SystemService, number>>;
	/** With an address the registry is that Consul, else a static list. */
	consulAddress?: string;
	/** Settings of the gateway; rate limits and shedding by the event loop's delay are off unless set here. */
	gateway?: Record<string, string>;
	/** Settings of every service. */
	services?: Record<string, string>;
}

export interface System {
	gateway: ChildService;
	/** Empty for a service that doesn't run. */
	services: Record<SystemService, ChildService[]>;
	/** Signs in. @returns the access token */
	signIn(email?: string, password?: string): Promise<string>;
	stop(): Promise<void>;
}

const patient = {
	RATE_LIMIT_SIGN_IN: '0',
	RATE_LIMIT_ANONYMOUS: '0',
	RATE_LIMIT_USER: '0',
	RATE_LIMIT_OFFICER: '0',
	// The machine is shared with other tests, so that a late event loop is no sign of overload.
	EVENT_LOOP_DELAY_MAX_MS: '60000',
};

/**
 * The whole system in one call: gateway and services as processes, each with a database of its own on the run's
 * PostgreSQL, found through a Consul or a static list.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
	const count = (name: SystemService) => options.instances?.[name] ?? 1;
	const names = options.contexts ?? servicesByDefault;
	const ports = await freePorts(1 + names.reduce((sum, name) => sum + count(name), 0));
	const take = (): number => ports.pop() ?? 0;
	const plan = names.flatMap((name) => Array.from({ length: count(name) }, () => ({ name, port: take() })));
	const list = plan.map(({ name, port }) => `${name}-service=http://127.0.0.1:${port}`).join(',');
	const registry: Record<string, string> =
		options.consulAddress === undefined
			? { SERVICE_INSTANCES: list }
			: { CONSUL_HTTP_ADDR: options.consulAddress, REGISTRY_CHECK_INTERVAL_MS: '1000' };
	const databases = new Map<SystemService, TestDatabase>();
	for (const name of names.filter((candidate) => descriptions[candidate].hasDatabase)) {
		databases.set(name, await createTestDatabase({ name: 'empty', prepare: async () => {} }));
	}
	const environment = (name: SystemService) => ({
		...registry,
		CONTEXTS: names.join(','),
		DRAIN_MS: '100',
		...(databases.has(name) ? { DATABASE_URL: databases.get(name)?.url ?? '' } : {}),
		...secretsOf(name),
		...options.services,
	});
	const running: ChildService[] = [];
	const stop = async (): Promise<void> => {
		const [gateway, ...others] = running.toReversed();
		await gateway?.stop();
		await Promise.all(others.map((service) => service.stop()));
		for (const database of databases.values()) await database.drop();
	};
	const start = async (options: Parameters<typeof startChildService>[0]): Promise<ChildService> => {
		const child = await startChildService(options);
		running.push(child);
		return child;
	};
	try {
		const started = await all(
			plan.map(async ({ name, port }) => {
				const main = `services/${name}/src/main.ts`;
				return { name, service: await start({ main, port, env: environment(name), readyPath: '/health' }) };
			}),
		);
		const gateway = await start({
			main: 'gateway/src/main.ts',
			port: take(),
			env: {
				...registry,
				...patient,
				CONTEXTS: names.join(','),
				DRAIN_MS: '100',
				HEALTH_SHARED_MS: '0',
				...options.gateway,
			},
			readyPath: '/actuator/health',
		});
		const servicesOf = (name: SystemService) =>
			started.filter((entry) => entry.name === name).map(({ service }) => service);
		return {
			gateway,
			services: Object.fromEntries(
				systemServices.map((name) => [name, servicesOf(name)]),
			) as System['services'],
			signIn: (email = systemAdmin.email, password = systemAdmin.password) =>
				signIn(gateway.url, email, password),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Waits for all of them even when one fails, so that everything that runs is known. @throws the first failure */
async function all<Result>(attempts: readonly Promise<Result>[]): Promise<Result[]> {
	await Promise.allSettled(attempts);
	return await Promise.all(attempts);
}

/** The services of a test system that ask others, each with what it proves itself to auth with. */
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
	};
}

/** @returns the access token */
async function signIn(gatewayUrl: string, email: string, password: string): Promise<string> {
	const answer = await fetch(`${gatewayUrl}/auth/login`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify({ email, password }),
	});
	const { data } = (await answer.json()) as { data: { accessToken?: string } };
	if (data.accessToken === undefined)
		throw new Error(`signing in as ${email} failed: ${JSON.stringify(data)}`);
	return data.accessToken;
}
