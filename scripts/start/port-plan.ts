import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { databasePortOffset, serviceName } from '../contexts/contexts.ts';
import type { StartConfig } from './config.ts';
import { StartError } from './start-error.ts';

/** One port that the start is going to use. */
export interface PlannedPort {
	port: number;
	host: string;
	/** Who wants it. */
	part: string;
	/** The setting it comes from: `PORT`, `PORT+3`. */
	setting: string;
}

const loopback = '127.0.0.1';

/** Every fixed port of the system. Services and the database listen on the loopback address, see serviceHost. */
export function planPorts(config: StartConfig): PlannedPort[] {
	const { port, opsPort, host } = config;
	const plan: PlannedPort[] = [{ port, host, part: 'gateway', setting: 'PORT' }];
	if (opsPort !== undefined)
		plan.push({ port: opsPort, host, part: 'gateway (operations)', setting: 'OPS_PORT' });
	for (const context of config.contexts) {
		plan.push({
			port: port + context.portOffset,
			host: serviceHost(config),
			part: serviceName(context),
			setting: `PORT+${context.portOffset}`,
		});
	}
	if (config.postgresUrl === undefined) {
		plan.push({
			port: port + databasePortOffset,
			host: loopback,
			part: 'database',
			setting: `PORT+${databasePortOffset}`,
		});
	}
	return plan;
}

/** Only the gateway calls the services, so nobody else can reach them; except where a Consul elsewhere checks them. */
export function serviceHost(config: StartConfig): string {
	return config.consulAddress === undefined || config.discovery === 'static' ? loopback : config.host;
}

/** The address at which this machine reaches what listens on `host`. */
export function reachableHost(host: string): string {
	if (host === '0.0.0.0') return loopback;
	if (host === '::') return '[::1]';
	return host.includes(':') ? `[${host}]` : host;
}

/**
 * Passes when all ports can be had, if need be after `patienceMs`.
 * @throws StartError naming the first one that can't, who wants it and which setting moves it.
 */
export async function checkPorts(plan: readonly PlannedPort[], patienceMs = 0): Promise<void> {
	const taken = new Map<string, PlannedPort>();
	for (const wanted of plan) {
		const other = taken.get(String(wanted.port));
		if (other) {
			throw new StartError(`port ${wanted.port} is wanted twice: ${describe(other)} and ${describe(wanted)}`);
		}
		taken.set(String(wanted.port), wanted);
	}
	const deadline = performance.now() + patienceMs;
	for (const wanted of plan) await checkPort(wanted, deadline);
}

async function checkPort(wanted: PlannedPort, deadline: number): Promise<void> {
	for (;;) {
		const error = await listenOnce(wanted);
		if (error === undefined) return;
		if (performance.now() < deadline) {
			await delay(100);
			continue;
		}
		throw new StartError(
			`port ${wanted.port} on ${wanted.host} ${reasonOf(error)}; it is for ${describe(wanted)}: choose another ${wanted.setting.split('+')[0]}`,
			{ cause: error },
		);
	}
}

/** The error, if it can't. */
async function listenOnce({ port, host }: PlannedPort): Promise<unknown> {
	const server = createServer();
	try {
		server.listen({ port, host, exclusive: true });
		await once(server, 'listening');
		return undefined;
	} catch (error) {
		return error;
	} finally {
		server.close();
	}
}

function describe({ part, setting }: PlannedPort): string {
	return `${part} (${setting})`;
}

function reasonOf(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'EADDRINUSE') return 'is in use';
	if (code === 'EACCES') return 'needs more rights';
	if (code === 'EADDRNOTAVAIL') return 'is no address of this machine (HOST)';
	return `can't be used (${error instanceof Error ? error.message : error})`;
}
