import type { RegistrationHandle, Registry } from '@paddock/discovery';
import { createTokenVerifier, internalAudience, type KeySet } from '@paddock/identity';
import {
	createAccessLines,
	createLogger,
	createMetrics,
	type Logger,
	type Metrics,
	stdoutLines,
} from '@paddock/telemetry';
import type { z } from 'zod';
import { openAuthKeys } from './auth-keys.ts';
import { createService, type ServiceParts } from './create-service.ts';
import { type HttpServer, listen } from './http-server.ts';
import { SettingsError } from './read-settings.ts';
import { advertisedAddress, openRegistry } from './registry.ts';
import { hostOf, type serviceSettings } from './settings.ts';
import { crashExit, shutDownOnSignal } from './shutdown.ts';

/** The settings that `runService` reads. */
export type RunSettings = z.output<z.ZodObject<typeof serviceSettings>> & { readonly PORT: number };

export interface OpenContext {
	readonly logger: Logger;
	readonly metrics: Metrics;
	readonly now: () => Date;
	readonly registry: Registry;
}

/** An opened context, and the function that closes it. */
export interface OpenedService<Deps> extends ServiceParts<Deps> {
	/** The auth context has its own keys; the others fetch them from it. */
	readonly keys?: KeySet;
	/** Ends work that would delay the exit, e.g. responses that wait for a change. */
	readonly announceClose?: () => void;
	readonly close: () => Promise<void>;
}

export interface RunOptions<Deps, S extends RunSettings> {
	/** The registered name: `masterdata-service`. */
	readonly name: string;
	/** Called once; throws SettingsError. */
	readonly settings: () => S;
	/** Connects, migrates, seeds. */
	readonly open: (settings: S, context: OpenContext) => Promise<OpenedService<Deps>>;
}

/**
 * Runs one service as this process: settings → open → listen → register, and on SIGTERM the reverse.
 * Unusable settings or a failed start exit with 1 and a one-line reason.
 */
export async function runService<Deps, S extends RunSettings>(options: RunOptions<Deps, S>): Promise<void> {
	try {
		await start(options, options.settings());
	} catch (error) {
		process.stderr.write(`${options.name}: ${startFailure(error)}\n`);
		process.exit(1);
	}
}

// listen() errors for an address that is in use, forbidden, not on this machine, or unknown.
const unusableAddressCodes: ReadonlySet<unknown> = new Set([
	'EADDRINUSE',
	'EACCES',
	'EADDRNOTAVAIL',
	'ENOTFOUND',
	'EAI_AGAIN',
	'ECONNREFUSED',
]);

// Batches the log entries of concurrent responses.
const accessLogWaitMs = 1;

// Maximum delay of the registration while waiting for the keys of the auth context, which may itself be starting.
const keysPatienceMs = 5_000;

/** One line for an error that an operator can fix, the stack for a bug. */
export function startFailure(error: unknown): string {
	if (error instanceof SettingsError) return error.message;
	if (!(error instanceof Error)) return String(error);
	if ('code' in error && unusableAddressCodes.has(error.code)) return error.message;
	return error.stack ?? error.message;
}

async function start<Deps, S extends RunSettings>(options: RunOptions<Deps, S>, settings: S): Promise<void> {
	const now = () => new Date();
	const logger = createLogger({ service: options.name, level: settings.LOG_LEVEL });
	const sink = stdoutLines({ logger, waitMs: accessLogWaitMs });
	const metrics = createMetrics({ prefix: 'service', service: options.name });
	const registry = openRegistry(settings, { logger, now });
	const opened = await options.open(settings, { logger, metrics, now, registry });
	const auth = opened.keys === undefined ? openAuthKeys({ registry, logger, now }) : undefined;
	const keys = opened.keys ?? auth?.keys;
	if (keys === undefined) throw new TypeError('There are no keys to verify tokens with.');
	const issued = { keys, issuer: settings.TOKEN_ISSUER, now };
	let draining = false;
	const app = createService({
		...opened,
		name: options.name,
		verifier: createTokenVerifier({
			...issued,
			audience: settings.TOKEN_AUDIENCE,
			...(auth === undefined ? {} : { revocations: auth.revocations }),
		}),
		internalVerifier: createTokenVerifier({
			...issued,
			audience: internalAudience(settings.TOKEN_AUDIENCE),
		}),
		logger,
		accessLines: createAccessLines({ service: options.name, sink, level: settings.LOG_LEVEL, now }),
		metrics,
		now,
		draining: () => draining,
		trustedProxies: settings.TRUSTED_PROXIES,
		bodyBytesMax: settings.BODY_BYTES_MAX,
		checkResponses: settings.NODE_ENV !== 'production',
	});
	const server = await listenAsService(app, settings, now);
	let registration: RegistrationHandle | undefined;
	shutDownOnSignal({
		logger,
		steps: [
			{
				name: 'announce',
				run: async () => {
					draining = true;
					server.announceClose();
					opened.announceClose?.();
					await registration?.deregister();
				},
			},
			{ name: 'drain', run: () => new Promise((resolve) => setTimeout(resolve, settings.DRAIN_MS)) },
			{ name: 'server', run: () => server.close(settings.SHUTDOWN_TIMEOUT_MS) },
			{ name: 'service', run: () => opened.close() },
			{ name: 'keys', run: () => (auth ?? keys).close() },
			{ name: 'registry', run: () => registry.close() },
			{ name: 'access log', run: () => sink.flush() },
		],
		crash: crashExit({
			drainMs: settings.DRAIN_MS,
			servers: [server],
			deregister: () => registration?.deregister(),
			flushAccessLog: () => sink.flush(),
		}),
	});
	// Last: a process that waits for this line may send a signal at once; before this point no handler is installed.
	logger.info('listening', { host: hostOf(settings), port: server.port });
	await auth?.arrived(keysPatienceMs);
	if (!draining) registration = register(options.name, settings, server, registry);
}

function listenAsService(
	listener: ReturnType<typeof createService>,
	settings: RunSettings,
	now: () => Date,
): Promise<HttpServer> {
	return listen({
		listener,
		host: hostOf(settings),
		port: settings.PORT,
		// The gateway drops its idle connections after 30 s; this must be longer, or the gateway would write into
		// closing ones.
		keepAliveTimeoutMs: 65_000,
		headersTimeoutMs: 10_000,
		requestTimeoutMs: 30_000,
		headerBytesMax: 32_768,
		now,
	});
}

function register(name: string, settings: RunSettings, server: HttpServer, registry: Registry) {
	const address = advertisedAddress(hostOf(settings), settings.ADVERTISE_ADDRESS);
	return registry.register({
		name,
		// Stable across restarts, so that a new process replaces the stopped one at its address.
		id: `${name}-${address}-${server.port}`,
		address,
		port: server.port,
		healthPath: '/health',
		checkIntervalMs: settings.REGISTRY_CHECK_INTERVAL_MS,
		checkTimeoutMs: 1_000,
	});
}
