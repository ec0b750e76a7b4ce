import type { Instance, Registry } from '@paddock/discovery';
import { createTokenVerifier } from '@paddock/identity';
import { type AuthKeys, openAuthKeys } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { GatewayDeps } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { selectContexts } from './contexts.ts';
import { createInstanceTable, type InstanceTable, type Upstream } from './discovery/instance-table.ts';
import { watchEventLoopDelay } from './edge/load-shedding.ts';
import { createRateLimiter } from './edge/rate-limit.ts';
import { createHealthView } from './health/combined-health.ts';
import { createProber, type Prober } from './health/probe.ts';
import { ageSeconds } from './health/service-health.ts';
import { createGatewayMetrics, type GatewayMetrics } from './operations/gateway-metrics.ts';
import { createHttpProxyForwarder } from './proxy/http-proxy-forwarder.ts';
import { InstanceAgent } from './proxy/instance-agent.ts';
import { createBulkhead } from './resilience/bulkhead.ts';
import { createInstanceBreaker, type InstanceBreaker } from './resilience/instance-breaker.ts';

export interface OpenGatewayOptions {
	readonly config: GatewayConfig;
	readonly registry: Registry;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly random: () => number;
	readonly version: string;
	readonly openapi: string;
	readonly draining: () => boolean;
}

export interface OpenedGateway {
	readonly deps: GatewayDeps;
	close(): void;
}

// How long readiness waits for the keys of the auth context, which may be down.
const keysPatienceMs = 5_000;

/** Makes everything that the gateway's pipeline needs and starts what runs beside it. */
export function openGateway(options: OpenGatewayOptions): OpenedGateway {
	const { config, registry, logger, now } = options;
	const contexts = selectContexts(config.CONTEXTS);
	const metrics = createGatewayMetrics();
	const prober = createProber({ timeoutMs: config.HEALTH_TIMEOUT_MS });
	const table = createInstanceTable({
		registry,
		services: contexts.map((context) => context.service),
		open: (service, instance) => openUpstream(options, metrics, prober, service, instance),
	});
	const auth = openAuthKeys({ registry, logger, now });
	const eventLoopDelay = watchEventLoopDelay();
	reportGauges(metrics, table, options, contexts);
	const view = createHealthView({
		contexts,
		table,
		registry,
		prober,
		now,
		sharedMs: config.HEALTH_SHARED_MS,
		self: () => ({
			version: options.version,
			uptimeSeconds: Math.round(process.uptime()),
			draining: options.draining(),
			eventLoopDelayMs: Math.round(eventLoopDelay.currentMs() * 10) / 10,
			memoryBytes: process.memoryUsage.rss(),
		}),
	});
	const deps: GatewayDeps = {
		config,
		contexts,
		table,
		verifier: createTokenVerifier({
			keys: auth.keys,
			issuer: config.TOKEN_ISSUER,
			audience: config.TOKEN_AUDIENCE,
			now,
		}),
		limiter: createRateLimiter({
			limits: rateLimits(config),
			onLimited: (policy) => metrics.countRateLimited(policy),
		}),
		eventLoopDelay,
		operations: {
			prefix: config.OPS_PREFIX,
			metrics,
			view,
			ready: readiness(table, auth),
			draining: options.draining,
			now,
		},
		portal: {
			contexts,
			opsPrefix: config.OPS_PREFIX,
			version: options.version,
			openapi: options.openapi,
			now,
		},
		logger,
		now,
		random: options.random,
	};
	return {
		deps,
		close: () => {
			auth.close();
			table.close();
			prober.close();
			eventLoopDelay.close();
		},
	};
}

function openUpstream(
	options: OpenGatewayOptions,
	metrics: GatewayMetrics,
	prober: Prober,
	service: string,
	instance: Instance,
): Upstream {
	const { config, logger, now } = options;
	const agent = new InstanceAgent({
		connectTimeoutMs: config.CONNECT_TIMEOUT_MS,
		socketsMax: config.UPSTREAM_SOCKETS_MAX,
		idleMs: config.UPSTREAM_IDLE_MS,
	});
	const breaker = createInstanceBreaker({
		settings: {
			windowMs: config.BREAKER_WINDOW_MS,
			volume: config.BREAKER_VOLUME,
			failurePercent: config.BREAKER_FAILURE_PERCENT,
			openMs: config.BREAKER_OPEN_MS,
		},
		now,
		onTransition: (from, to, cause) => {
			metrics.countTransition(service, from, to);
			logger.warn('circuit breaker', { upstream: service, instance: instance.id, from, to, cause });
			if (to === 'HALF_OPEN') void tryOut(breaker, prober, instance);
		},
	});
	return {
		instance,
		service,
		breaker,
		// As many again may wait: a burst is no overload yet.
		bulkhead: createBulkhead({
			max: config.UPSTREAM_SOCKETS_MAX,
			waitingMax: config.UPSTREAM_SOCKETS_MAX,
		}),
		forwarder: createHttpProxyForwarder({ url: instance.url, agent }),
		inFlight: 0,
	};
}

/** The trial of a half-open breaker is our own question first, so that no user's request has to be the one to fail. */
async function tryOut(breaker: InstanceBreaker, prober: Prober, instance: Instance): Promise<void> {
	const admission = breaker.admit();
	if (admission === undefined) return;
	const result = await prober.probe(instance.url);
	if (result.status === 'UP') admission.succeeded();
	else if (result.status === 'DOWN') admission.failed(new Error(`trial failed: ${result.message}`));
	// It can't be asked; the next request is the trial.
	else admission.abandoned();
}

/** The registry has answered, and the keys are there or overdue, for which a service waits before it registers, too. */
function readiness(table: InstanceTable, auth: AuthKeys): () => boolean {
	let waited = false;
	void auth.arrived(keysPatienceMs).then(() => {
		waited = true;
	});
	return () => table.answered() && waited;
}

function rateLimits(config: GatewayConfig) {
	return {
		signIn: config.RATE_LIMIT_SIGN_IN,
		anonymous: config.RATE_LIMIT_ANONYMOUS,
		user: config.RATE_LIMIT_USER,
		officer: config.RATE_LIMIT_OFFICER,
	};
}

function reportGauges(
	metrics: GatewayMetrics,
	table: InstanceTable,
	{ now }: OpenGatewayOptions,
	contexts: readonly { service: string }[],
): void {
	const upstreams = () => contexts.flatMap(({ service }) => table.upstreams(service));
	metrics.onScrape({
		instances: () =>
			upstreams().map(({ service, instance, breaker, inFlight }) => ({
				service,
				instance: instance.id,
				state: breaker.view().state,
				inFlight,
			})),
		discovery: () =>
			contexts.map(({ service }) => {
				const snapshot = table.snapshot(service);
				return {
					service,
					instances: snapshot.instances.length,
					stale: snapshot.stale,
					ageSeconds: ageSeconds(snapshot, now()),
				};
			}),
	});
}
