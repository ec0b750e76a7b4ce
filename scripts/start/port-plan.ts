import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { ContextDescription } from '@paddock/contract';
import { databasePortOffset, portOffsetMax, serviceName } from '../contexts/contexts.ts';
import type { StartConfig } from './config.ts';
import { StartError } from './start-error.ts';

interface PlannedPort {
	port: number;
	host: string;
	/** The process that listens on it. */
	part: string;
	/** The setting that determines it: `PORT`, `PORT+3`. */
	setting: string;
}

export interface PlannedService {
	readonly context: ContextDescription;
	/** `masterdata`, the second one `masterdata-2`. */
	readonly name: string;
	readonly portOffset: number;
}

const loopback = '127.0.0.1';

/** The processes of all services: the first of each at the context's port, further ones after all other ports. */
export function planServices({ contexts, instances }: StartConfig): PlannedService[] {
	let last = portOffsetMax;
	return contexts.flatMap((context) =>
		Array.from({ length: instances[context.name] ?? 1 }, (_, index) => {
			if (index === 0) return { context, name: context.name, portOffset: context.portOffset };
			last += 1;
			return { context, name: `${context.name}-${index + 1}`, portOffset: last };
		}),
	);
}

/** Every fixed port of the system. The database listens on the loopback address, services see serviceHost. */
export function planPorts(config: StartConfig): PlannedPort[] {
	const { port, opsPort, host } = config;
	const plan: PlannedPort[] = [{ port, host, part: 'gateway', setting: 'PORT' }];
	if (opsPort !== undefined)
		plan.push({ port: opsPort, host, part: 'gateway (operations)', setting: 'OPS_PORT' });
	for (const { context, portOffset } of planServices(config)) {
		plan.push({
			port: port + portOffset,
			host: serviceHost(config),
			part: serviceName(context),
			setting: `PORT+${portOffset}`,
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

/** The loopback address, as only the gateway calls the services; HOST if Consul checks their health. */
export function serviceHost(config: StartConfig): string {
	return config.consulAddress === undefined || config.discovery === 'static' ? loopback : config.host;
}

/** The address at which this machine reaches a process that listens on `host`. */
export function reachableHost(host: string): string {
	if (host === '0.0.0.0') return loopback;
	if (host === '::') return '[::1]';
	return host.includes(':') ? `[${host}]` : host;
}

/** Resolves when all ports are free, within `patienceMs`. @throws StartError naming the first port in use and its setting */
export async function checkPorts(plan: readonly PlannedPort[], patienceMs = 0): Promise<void> {
	const taken = new Map<string, PlannedPort>();
	for (const wanted of plan) {
		const other = taken.get(String(wanted.port));
		if (other) {
			throw new StartError(
				`port ${wanted.port} is assigned twice: ${describe(other)} and ${describe(wanted)}`,
			);
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

/** The error of an attempt to listen; undefined on success. */
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
	if (code === 'EACCES') return 'requires more privileges';
	if (code === 'EADDRNOTAVAIL') return 'is not an address of this machine (HOST)';
	return `can't be used (${error instanceof Error ? error.message : error})`;
}
