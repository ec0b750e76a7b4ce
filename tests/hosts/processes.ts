import { join } from 'node:path';
import { compileCache, type Program, respondsOk } from '@paddock/testing';
import { systemAdmin, systemServiceSecrets } from '../system.ts';
import { startHostProcess } from './host-process.ts';
import { addressOf, type HostName, hostNames, outside } from './network.ts';
import type { Poolers } from './poolers.ts';
import type { PostgresPair } from './postgres-pair.ts';

export const ports = {
	gateway: 8080,
	auth: 8081,
	members: 8082,
	masterdata: 8083,
	horses: 8084,
	events: 8085,
	ping: 8086,
};
export const contexts = ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'] as const;
export const withDatabase = ['auth', 'members', 'masterdata', 'horses', 'events'];

export function consulServer(host: HostName, directory: string): Promise<Program> {
	const address = addressOf(host);
	return startHostProcess({
		host,
		name: `consul-${host}`,
		command: [
			...[
				'consul',
				'agent',
				'-server',
				'-bootstrap-expect=3',
				'-node',
				host,
				'-data-dir',
				join(directory, host),
			],
			...['-bind', address, '-client', '0.0.0.0', '-log-level', 'warn', '-retry-interval', '1s'],
			...hostNames.flatMap((other) => ['-retry-join', addressOf(other)]),
			...['-hcl', 'disable_update_check = true performance { raft_multiplier = 1 }'],
		],
		ready: () => respondsOk(`http://${address}:8500/v1/agent/self`),
	});
}

export function redisServer(): Promise<Program> {
	return startHostProcess({
		host: 'h3',
		name: 'redis',
		command: ['redis-server', '--bind', addressOf('h3'), '--save', '', '--protected-mode', 'no'],
		ready: () => true,
	});
}

const processSettings = (host: HostName): Record<string, string> => ({
	HOST: addressOf(host),
	CONSUL_HTTP_ADDR: `${addressOf(host)}:8500`,
	CONTEXTS: contexts.join(','),
	LOG_LEVEL: 'info',
	...compileCache,
});

export function databaseSettings(
	context: string,
	postgres: PostgresPair,
	poolers: Poolers,
): Record<string, string> {
	if (!withDatabase.includes(context)) return {};
	return { DATABASE_URL: poolers.url(context), MIGRATION_DATABASE_URL: postgres.url(context) };
}

export function service(
	context: (typeof contexts)[number],
	host: HostName,
	env: Record<string, string>,
): Promise<Program> {
	const secret = systemServiceSecrets[context];
	const secrets = Object.entries(systemServiceSecrets).map(([name, value]) => `${name}-service=${value}`);
	return startHostProcess({
		host,
		name: `${context}-${host}`,
		command: [process.execPath, `services/${context}/src/main.ts`],
		env: {
			...processSettings(host),
			PORT: String(ports[context]),
			TRUSTED_PROXIES: '10.99.0.0/24',
			...(secret === undefined ? {} : { SERVICE_SECRET: secret }),
			...(context === 'auth'
				? {
						ADMIN_EMAIL: systemAdmin.email,
						ADMIN_PASSWORD: systemAdmin.password,
						SERVICE_SECRETS: secrets.join(','),
					}
				: {}),
			...env,
		},
		ready: () => respondsOk(`http://${addressOf(host)}:${ports[context]}/health`),
	});
}

export function gateway(host: HostName, directory: string): Promise<Program> {
	const limits = ['SIGN_IN', 'ANONYMOUS', 'USER', 'OFFICER'].map((name) => [`RATE_LIMIT_${name}`, '1000000']);
	return startHostProcess({
		host,
		name: `gateway-${host}`,
		command: [process.execPath, 'gateway/src/main.ts'],
		env: {
			...processSettings(host),
			PORT: String(ports.gateway),
			TRUSTED_PROXIES: outside,
			REDIS_URL: `redis://${addressOf('h3')}:6379`,
			LAST_KNOWN_DIR: join(directory, `last-known-${host}`),
			...Object.fromEntries(limits),
			// Other work on the machine delays the event loop, which is not overload.
			EVENT_LOOP_DELAY_MAX_MS: '60000',
		},
		ready: () => respondsOk(`http://${addressOf(host)}:${ports.gateway}/actuator/health/readiness`),
	});
}
