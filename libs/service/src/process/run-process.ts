import { setTimeout as wait } from 'node:timers/promises';
import {
	type Instance,
	type MutualTls,
	openMutualTls,
	type RegistrationHandle,
	type Registry,
} from '@paddock/discovery';
import {
	type BatchedLines,
	createLogger,
	type Logger,
	openTracing,
	stdoutLines,
	type Tracing,
} from '@paddock/telemetry';
import type { HttpServer } from '../http/http-server.ts';
import { SettingsError } from '../settings/read-settings.ts';
import { hostOf, type ProcessSettings } from '../settings/settings.ts';
import type { TlsVariables } from '../settings/tls-settings.ts';
import { tracingOptions } from '../settings/trace-settings.ts';
import { advertisedAddress } from './registry.ts';
import { type ShutdownStep, shutDownOnSignal } from './shutdown.ts';

export interface ProcessParts {
	readonly logger: Logger;
	readonly accessSink: BatchedLines;
	readonly tracing: Tracing;
	/** Mutual TLS of connections between processes; undefined without TLS_CERT. */
	readonly tls: MutualTls | undefined;
	readonly now: () => Date;
	/** True once the shutdown has begun. */
	readonly draining: () => boolean;
}

/** A server, or processes that serve for this one. */
export type ProcessServer = Pick<HttpServer, 'port' | 'announceClose' | 'close'>;

/** A process that listens, with the parts of its shutdown. */
export interface StartedProcess {
	/** The public one first; the others serve until it is closed. */
	readonly servers: readonly [ProcessServer, ...ProcessServer[]];
	readonly registry: Registry;
	/** The registry's entry for this process, see `advertisedInstance`; undefined if it has none. */
	readonly instance: (Pick<Instance, 'id' | 'address' | 'port'> & { readonly secure?: boolean }) | undefined;
	readonly healthPath: string;
	/** Delays the registration until it settles. */
	readonly ready?: Promise<unknown> | undefined;
	/** Additional fields of the log entry `listening`. */
	readonly logged?: Readonly<Record<string, unknown>>;
	/** Ends work that would delay the exit, e.g. streams. */
	readonly announceClose: () => void;
	/** After the servers are closed. */
	readonly closing: readonly ShutdownStep[];
}

interface ProcessOptions<S extends ProcessSettings> {
	readonly name: string;
	/** Called once; throws SettingsError. */
	readonly settings: () => S;
	/** Time during which access log entries are batched. */
	readonly accessLogWaitMs: number;
	/** The number of this process among those that serve one port; its log lines contain it. */
	readonly worker?: number | undefined;
	/** Opens the dependencies and listens. */
	readonly start: (settings: S, context: ProcessParts) => Promise<StartedProcess>;
}

/** Runs this process: settings → start → register, and on SIGTERM the reverse. A failed start exits with 1 and one line. */
export async function runProcess<S extends ProcessSettings>(options: ProcessOptions<S>): Promise<void> {
	process.title = titleOf(options);
	try {
		await run(options, options.settings());
	} catch (error) {
		process.stderr.write(`${options.name}: ${startFailure(error)}\n`);
		process.exit(1);
	}
}

// The servers beside the public one have short requests only.
const otherServersTimeoutMs = 1_000;
// After a crash: deregistration and the access log flush need time even if the drain time is 0.
const cleanUpMs = 250;
// A collector that does not respond must not delay the exit for longer.
const tracesTimeoutMs = 1_000;

async function run<S extends ProcessSettings>(options: ProcessOptions<S>, settings: S): Promise<void> {
	const { DRAIN_MS: drainMs, SHUTDOWN_TIMEOUT_MS: timeoutMs } = settings;
	const { worker } = options;
	const logger = createLogger({ service: options.name, level: settings.LOG_LEVEL, worker });
	const accessSink = stdoutLines({ logger, waitMs: options.accessLogWaitMs });
	const now = () => new Date();
	const tls = await openTls(settings, { name: options.name, logger });
	const tracing = await openTracing(tracingOptions(settings, options.name), logger);
	let draining = false;
	let registration: RegistrationHandle | undefined;
	const context = { logger, accessSink, tracing, tls, now, draining: () => draining };
	const started = await options.start(settings, context);
	const { servers, registry } = started;
	const [server, ...others] = servers;
	const announce = async (): Promise<void> => {
		draining = true;
		for (const each of servers) each.announceClose();
		started.announceClose();
		await registration?.deregister();
	};
	const closeAll = (of: readonly ProcessServer[], withinMs: number) =>
		Promise.all(of.map((each) => each.close(withinMs)));
	const flush = { name: 'access log', run: () => accessSink.flush() };
	const flushTraces = (withinMs: number) => ({ name: 'traces', run: () => tracing.close(withinMs) });
	const crashMs = Math.max(drainMs, cleanUpMs);
	shutDownOnSignal({
		logger,
		steps: [
			{ name: 'announce', run: announce },
			{ name: 'drain', run: () => wait(drainMs) },
			{ name: 'server', run: () => server.close(timeoutMs) },
			{ name: 'other servers', run: () => closeAll(others, otherServersTimeoutMs) },
			...started.closing,
			{ name: 'registry', run: () => registry.close() },
			{ name: 'tls', run: () => tls?.close() },
			flushTraces(Math.min(tracesTimeoutMs, timeoutMs)),
			flush,
		],
		crash: {
			withinMs: crashMs,
			// Stops accepting at once.
			steps: [
				{
					name: 'server',
					run: () => Promise.all([closeAll(servers, crashMs - cleanUpMs), registration?.deregister()]),
				},
				flush,
				flushTraces(cleanUpMs),
			],
		},
	});
	// A parent process that waits for this line may send a signal next.
	logger.info(worker === undefined ? 'listening' : 'worker listening', {
		pid: process.pid,
		host: hostOf(settings),
		port: server.port,
		tracing: tracing.isOn,
		...started.logged,
	});
	await started.ready;
	const { instance } = started;
	if (!draining && instance !== undefined) registration = register(options.name, settings, started, instance);
}

/** `paddock gateway`, `paddock auth`, `paddock gateway worker 2`: in top and ss, where all would be `node`. */
function titleOf({ name, worker }: Pick<ProcessOptions<ProcessSettings>, 'name' | 'worker'>): string {
	const of = worker === undefined ? [] : ['worker', worker];
	return ['paddock', name.replace(/-service$/, ''), ...of].join(' ');
}

/** The registry's entry for a process that listens on `port`; `checkPort` is the port of its health check. */
export function advertisedInstance(
	name: string,
	settings: ProcessSettings,
	port: number,
	checkPort = port,
): NonNullable<StartedProcess['instance']> {
	const address = advertisedAddress(hostOf(settings), settings.ADVERTISE_ADDRESS);
	// Stable across restarts, so that a new process replaces the stopped one at its address.
	return { id: `${name}-${address}-${port}`, address, port: checkPort };
}

function register(
	name: string,
	settings: ProcessSettings,
	{ registry, healthPath }: StartedProcess,
	instance: NonNullable<StartedProcess['instance']>,
) {
	return registry.register({
		name,
		...instance,
		healthPath,
		checkIntervalMs: settings.REGISTRY_CHECK_INTERVAL_MS,
		checkTimeoutMs: 1_000,
	});
}

/** A start that failed for a reason that the message names. */
export class StartFailure extends Error {}

// listen() errors for an address that is in use, forbidden, not on this machine, or unknown.
const unusableAddressCodes: ReadonlySet<unknown> = new Set([
	'EADDRINUSE',
	'EACCES',
	'EADDRNOTAVAIL',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ECONNREFUSED',
]);

/** One line for an error that an operator can fix, the stack for a bug. */
function startFailure(error: unknown): string {
	if (error instanceof SettingsError || error instanceof StartFailure) return error.message;
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && unusableAddressCodes.has(error.code)) return error.message;
	return error.stack ?? error.message;
}

/** @throws SettingsError if the files are not usable */
export async function openTls(
	{ TLS_CERT: cert, TLS_KEY: key, TLS_CA: ca }: TlsVariables,
	deps: { readonly name: string; readonly logger: Logger },
): Promise<MutualTls | undefined> {
	if (cert === undefined || key === undefined || ca === undefined) return undefined;
	return await openMutualTls({ ...deps, files: { cert, key, ca } }).catch((cause: unknown) => {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new SettingsError([{ name: 'TLS_CERT', rule: `is not usable: ${reason}`, value: cert }], { cause });
	});
}
