import { type ChildService, startChildService } from './child-service.ts';
import { freePorts } from './free-port.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

/** The administrator of a test system. */
export const systemAdmin = { email: 'admin@example.org', password: 'quiet paddock at dawn' };

export type SystemService = 'auth' | 'masterdata' | 'ping';

export interface SystemOptions {
	/** How many instances of each service; one unless said. */
	instances?: Partial<Record<SystemService, number>>;
	/** With an address the registry is that Consul, else a static list. */
	consulAddress?: string;
	/** Settings of the gateway; rate limits are off unless set here. */
	gateway?: Record<string, string>;
	/** Settings of every service. */
	services?: Record<string, string>;
}

export interface System {
	gateway: ChildService;
	services: Record<SystemService, ChildService[]>;
	/** Signs in. @returns the access token */
	signIn(email?: string, password?: string): Promise<string>;
	stop(): Promise<void>;
}

const noRateLimits = {
	RATE_LIMIT_SIGN_IN: '0',
	RATE_LIMIT_ANONYMOUS: '0',
	RATE_LIMIT_USER: '0',
	RATE_LIMIT_OFFICER: '0',
};

/**
 * The whole system in one call: gateway and services as processes, each with a database of its own on the run's
 * PostgreSQL, found through a Consul or a static list.
 */
export async function startSystem(options: SystemOptions = {}): Promise<System> {
	const count = (name: SystemService) => options.instances?.[name] ?? 1;
	const names: SystemService[] = ['auth', 'masterdata', 'ping'];
	const ports = await freePorts(1 + names.reduce((sum, name) => sum + count(name), 0));
	const take = (): number => ports.pop() ?? 0;
	const plan = names.flatMap((name) => Array.from({ length: count(name) }, () => ({ name, port: take() })));
	const list = plan.map(({ name, port }) => `${name}-service=http://127.0.0.1:${port}`).join(',');
	const registry: Record<string, string> =
		options.consulAddress === undefined
			? { SERVICE_INSTANCES: list }
			: { CONSUL_HTTP_ADDR: options.consulAddress, REGISTRY_CHECK_INTERVAL_MS: '1000' };
	const databases = new Map<SystemService, TestDatabase>();
	for (const name of ['auth', 'masterdata'] as const) {
		databases.set(name, await createTestDatabase({ name: 'empty', prepare: async () => {} }));
	}
	const environment = (name: SystemService) => ({
		...registry,
		DRAIN_MS: '100',
		...(databases.has(name) ? { DATABASE_URL: databases.get(name)?.url ?? '' } : {}),
		...(name === 'auth' ? { ADMIN_EMAIL: systemAdmin.email, ADMIN_PASSWORD: systemAdmin.password } : {}),
		...options.services,
	});
	const started = await Promise.all(
		plan.map(async ({ name, port }) => ({
			name,
			service: await startChildService({
				main: `services/${name}/src/main.ts`,
				port,
				env: environment(name),
				readyPath: '/health',
			}),
		})),
	);
	const services = Object.fromEntries(
		names.map((name) => [name, started.filter((entry) => entry.name === name).map(({ service }) => service)]),
	) as System['services'];
	const gateway = await startChildService({
		main: 'gateway/src/main.ts',
		port: take(),
		env: { ...registry, ...noRateLimits, DRAIN_MS: '100', HEALTH_SHARED_MS: '0', ...options.gateway },
		readyPath: '/actuator/health',
	});
	return {
		gateway,
		services,
		signIn: (email = systemAdmin.email, password = systemAdmin.password) =>
			signIn(gateway.url, email, password),
		stop: async () => {
			await gateway.stop();
			await Promise.all(
				Object.values(services)
					.flat()
					.map((service) => service.stop()),
			);
			for (const database of databases.values()) await database.drop();
		},
	};
}

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
