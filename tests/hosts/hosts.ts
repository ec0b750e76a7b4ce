import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acceptsConnections, eventually, type Program } from '@paddock/testing';
import { type ShippedProxy, shippedProxy } from '../proxies/shipped-proxy.ts';
import { systemAdmin } from '../system.ts';
import { startHostProcess } from './host-process.ts';
import { addressOf, createNetwork, type HostName, hostNames, type Network, outside } from './network.ts';
import { type Poolers, startPoolers } from './poolers.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import {
	consulServer,
	contexts,
	databaseSettings,
	gateway,
	ports,
	redisServer,
	service,
	withDatabase,
} from './processes.ts';

/*
 * h1: Consul, gateway-1, an instance of each service, PostgreSQL's standby and PgBouncer
 * h2: Consul, gateway-2, an instance of each service; its link can be slow
 * h3: Consul, PostgreSQL's primary and PgBouncer, Redis
 * outside: HAProxy as shipped, and the client
 */

const serviceHosts = ['h1', 'h2'] as const;
const proxyPort = 8443;

export interface Hosts {
	readonly network: Network;
	readonly postgres: PostgresPair;
	readonly poolers: Poolers;
	readonly proxy: ShippedProxy & { readonly host: string; readonly port: number };
	/** Load of the tests; a tenth as many POSTs are sent. */
	readonly getsPerSecond: number;
	readonly redis: Program;
	readonly consul: Readonly<Record<HostName, Program>>;
	/** By host. */
	readonly gateways: Readonly<Record<(typeof serviceHosts)[number], Program>>;
	/** By name: `members-h1`. */
	readonly services: ReadonlyMap<string, Program>;
	/** An administrator's access token. */
	readonly token: string;
	/** The host of Consul's leader, if there is one. */
	consulLeader(): Promise<HostName | undefined>;
	/** Waits until Consul tolerates the loss of a server, and all instances are in use at both gateways. */
	whole(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts everything. `PADDOCK_HOSTS_GETS_PER_SECOND` lowers the load for a slower machine. */
export async function startHosts(env: Readonly<Record<string, string | undefined>>): Promise<Hosts> {
	const closing: (() => Promise<unknown>)[] = [];
	const stop = async (): Promise<void> => {
		for (const close of closing.toReversed()) await close();
	};
	const started = async (starting: Promise<Program>): Promise<Program> => {
		const program = await starting;
		closing.push(program.kill);
		return program;
	};
	try {
		const network = await createNetwork();
		closing.push(() => network.remove());
		const directory = await mkdtemp(join(tmpdir(), 'paddock-hosts-'));
		closing.push(() => rm(directory, { recursive: true, force: true }));
		const consul = await all(hostNames, (host) => started(consulServer(host, directory)));
		await eventually('Consul has a leader', async () => (await consulLeader()) !== undefined, 60_000);
		const postgres = await startPostgresPair(withDatabase);
		closing.push(() => postgres.stop());
		const poolers = await startPoolers(withDatabase);
		closing.push(() => poolers.stop());
		const redis = await started(redisServer());
		const services = new Map<string, Program>();
		// The first instances migrate.
		for (const host of serviceHosts)
			await Promise.all(
				contexts.map(async (context) => {
					const environment = databaseSettings(context, postgres, poolers);
					services.set(`${context}-${host}`, await started(service(context, host, environment)));
				}),
			);
		const gateways = await all(serviceHosts, (host) => started(gateway(host, directory)));
		const proxy = await startProxy(started);
		closing.push(() => proxy.remove());
		await whole();
		const token = await signIn();
		return {
			network,
			postgres,
			poolers,
			proxy,
			getsPerSecond: Number(env['PADDOCK_HOSTS_GETS_PER_SECOND'] ?? 100),
			redis,
			consul,
			gateways,
			services,
			token,
			consulLeader,
			whole,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function all<Name extends string>(
	names: readonly Name[],
	start: (name: Name) => Promise<Program>,
): Promise<Record<Name, Program>> {
	const entries = await Promise.all(names.map(async (name) => [name, await start(name)] as const));
	return Object.fromEntries(entries) as Record<Name, Program>;
}

/** A restarted server votes after ten seconds, and instances are critical at a restarted agent until their next check. */
async function consulIsWhole(): Promise<boolean> {
	const query = async (path: string): Promise<unknown> => {
		const response = await fetch(`http://${addressOf('h1')}:8500/v1/${path}`, {
			signal: AbortSignal.timeout(2_000),
		});
		return response.ok ? await response.json() : undefined;
	};
	try {
		const health = (await query('operator/autopilot/health')) as { FailureTolerance?: number } | undefined;
		const instances = await Promise.all(
			contexts.map((name) => query(`health/service/${name}-service?passing`)),
		);
		return (
			health?.FailureTolerance === 1 && instances.every((list) => Array.isArray(list) && list.length === 2)
		);
	} catch {
		return false; // It does not respond; the caller has a deadline.
	}
}

async function consulLeader(): Promise<HostName | undefined> {
	for (const host of hostNames) {
		try {
			const response = await fetch(`http://${addressOf(host)}:8500/v1/status/leader`, {
				signal: AbortSignal.timeout(1_000),
			});
			const leader = (await response.json()) as string;
			const found = hostNames.find((name) => leader.startsWith(`${addressOf(name)}:`));
			if (found !== undefined) return found;
		} catch {
			// This server does not respond: the next one.
		}
	}
	return undefined;
}

async function startProxy(
	started: (starting: Promise<Program>) => Promise<Program>,
): Promise<Hosts['proxy']> {
	const [first, second] = serviceHosts;
	const proxy = await shippedProxy('haproxy', {
		host: outside,
		httpPort: 8080,
		httpsPort: proxyPort,
		gateways: [`${addressOf(first)}:${ports.gateway}`, `${addressOf(second)}:${ports.gateway}`],
	});
	const ready = () => acceptsConnections(proxyPort, outside);
	await started(startHostProcess({ host: undefined, name: 'haproxy', command: proxy.command, ready }));
	return { ...proxy, host: outside, port: proxyPort };
}

interface ComponentHealth {
	readonly instances: readonly { readonly status: string; readonly breaker: { readonly state: string } }[];
}

async function whole(): Promise<void> {
	await eventually('Consul tolerates the loss of a server', consulIsWhole, 90_000);
	for (const host of serviceHosts)
		for (const context of contexts)
			await eventually(
				`${host} sees both instances of ${context}`,
				async () => {
					const url = `http://${addressOf(host)}:${ports.gateway}/actuator/health/${context}`;
					const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
					if (response === undefined) return false;
					const { data } = (await response.json()) as { data: Partial<ComponentHealth> };
					const usable = data.instances?.filter(
						({ status, breaker }) => status === 'UP' && breaker.state === 'CLOSED',
					);
					return usable?.length === 2;
				},
				90_000,
			);
}

async function signIn(): Promise<string> {
	const response = await fetch(`http://${addressOf('h1')}:${ports.gateway}/auth/login`, {
		method: 'POST',
		headers: { 'Content-Type': 'application/json' },
		body: JSON.stringify(systemAdmin),
	});
	const { data } = (await response.json()) as { data: { accessToken: string } };
	return data.accessToken;
}
