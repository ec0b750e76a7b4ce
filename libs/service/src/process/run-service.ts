import type { ContextDescription } from '@paddock/contract';
import type { MutualTls, Registry } from '@paddock/discovery';
import { createTokenVerifier, internalAudience, type KeySet } from '@paddock/identity';
import { createAccessLines, createMetrics, type Logger, type Metrics, observeTls } from '@paddock/telemetry';
import type { z } from 'zod';
import { type HttpServer, listen } from '../http/http-server.ts';
import type { contextPort } from '../settings/context-settings.ts';
import { readSettings } from '../settings/read-settings.ts';
import { hostOf, type serviceSettings } from '../settings/settings.ts';
import { openAuthKeys } from './auth-keys.ts';
import { createService, type ServiceParts } from './create-service.ts';
import { openRegistry } from './registry.ts';
import { advertisedInstance, type ProcessParts, runProcess, type StartedProcess } from './run-process.ts';

type RunSchema = z.ZodObject<typeof serviceSettings & { readonly PORT: ReturnType<typeof contextPort> }>;

type RunSettings = z.output<RunSchema>;

/** What a context needs of its process to open. */
export interface ContextDeps {
	readonly logger: Logger;
	readonly metrics: Metrics;
	readonly now: () => Date;
	readonly registry: Registry;
	/** Mutual TLS of connections to other services; undefined if they are plain HTTP. */
	readonly tls?: MutualTls | undefined;
}

/** An opened context, and the function that closes it. */
export interface OpenedService<Deps> extends ServiceParts<Deps> {
	/** The auth context has its own keys; the others fetch them from it. */
	readonly keys?: KeySet;
	/** Ends work that would delay the exit, e.g. responses that wait for a change. */
	readonly announceClose?: () => void;
	readonly close: () => Promise<void>;
}

interface RunOptions<Deps, S extends RunSchema> {
	/** A context `masterdata` is registered as `masterdata-service`. */
	readonly context: Pick<ContextDescription, 'name'>;
	readonly settings: S;
	/** Connects, migrates, seeds. */
	readonly open: (settings: z.output<S>, context: ContextDeps) => Promise<OpenedService<Deps>>;
}

export function runService<Deps, S extends RunSchema>(options: RunOptions<Deps, S>): Promise<void> {
	const name = `${options.context.name}-service`;
	return runProcess({
		name,
		settings: () => readSettings(options.settings, process.env),
		accessLogWaitMs,
		start: (settings, process) =>
			startService(name, settings, process, (context) => options.open(settings, context)),
	});
}

// Batches the log entries of concurrent responses.
const accessLogWaitMs = 1;

// Maximum delay of the registration while waiting for the keys of the auth context, which may itself be starting.
const keysPatienceMs = 5_000;

async function startService<Deps>(
	name: string,
	settings: RunSettings,
	{ logger, accessSink, tracing, tls, now, draining }: ProcessParts,
	open: (context: ContextDeps) => Promise<OpenedService<Deps>>,
): Promise<StartedProcess> {
	const metrics = createMetrics({ prefix: 'service', service: name });
	observeTls(metrics.registry, tls);
	const registry = openRegistry(settings, { name, logger, now });
	const opened = await open({ logger, metrics, now, registry, tls });
	const auth = opened.keys === undefined ? openAuthKeys({ registry, tls, logger, now }) : undefined;
	const keys = opened.keys ?? auth?.keys;
	if (keys === undefined) throw new TypeError('There are no keys to verify tokens with.');
	const issued = { keys, issuer: settings.TOKEN_ISSUER, now };
	const app = createService({
		...opened,
		name,
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
		accessLines: createAccessLines({ service: name, sink: accessSink, logger, now }),
		metrics,
		tracing,
		now,
		draining,
		trustedProxies: settings.TRUSTED_PROXIES,
		bodyBytesMax: settings.BODY_BYTES_MAX,
		checkResponses: settings.NODE_ENV !== 'production',
	});
	const server = await listenAsService(app, settings, { tls, now });
	return {
		servers: [server],
		registry,
		instance: { ...advertisedInstance(name, settings, server.port), secure: tls !== undefined },
		healthPath: '/health',
		ready: auth?.arrived(keysPatienceMs),
		announceClose: () => opened.announceClose?.(),
		closing: [
			{ name: 'service', run: () => opened.close() },
			{ name: 'keys', run: () => (auth ?? keys).close() },
		],
	};
}

function listenAsService(
	listener: ReturnType<typeof createService>,
	settings: RunSettings,
	{ tls, now }: Pick<ProcessParts, 'tls' | 'now'>,
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
		tls,
		now,
	});
}
