import type { Instance, Registry } from '@paddock/discovery';
import { createTokenVerifier } from '@paddock/identity';
import { type Redis, redisText } from '@paddock/redis';
import { type AuthKeys, adjustableLogLevel, openAuthKeys } from '@paddock/service';
import { createAccessLines, type LineSink, type Logger, noTracing, type Tracing } from '@paddock/telemetry';
import type { GatewayDeps } from './app.ts';
import { createLiveSessions } from './authentication/live-sessions.ts';
import { openResponseCache } from './cache/open-response-cache.ts';
import type { GatewayConfig } from './config.ts';
import { type Context, selectContexts } from './contexts.ts';
import { watchEventLoopDelay } from './edge/load-shedding.ts';
import { memoryCounts, redisCounts } from './edge/rate-counts.ts';
import { createRateLimiter, type RateLimiter, ratePolicies } from './edge/rate-limit.ts';
import { createRecentExchanges, recordedLines } from './edge/recent-exchanges.ts';
import { type OpenForwarder, openForwarder } from './forwarder/open-forwarder.ts';
import { reportOverride, reportTransition } from './health/breaker-reports.ts';
import { createHealthHistory, type HealthHistory } from './health/health-history.ts';
import { createProber, type Prober } from './health/probe.ts';
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts';
import type { BuildInfo } from './operations/build-info.ts';
import { type OpenOperationsDeps, openOperations } from './operations/open-operations.ts';
import { createOpenTime } from './operations/open-time.ts';
import { deploymentOf } from './portal/deployment.ts';
import { createPortalDocuments } from './portal/portal-documents.ts';
import type { PortalFiles } from './portal/portal-files.ts';
import {
	type BreakerOverrides,
	type BreakerOverridesDeps,
	createBreakerOverrides,
} from './resilience/breaker-overrides.ts';
import { createInstanceTable, type InstanceTable } from './upstream/instance-table.ts';
import { type OpenUpstreamDeps, openUpstream } from './upstream/open-upstream.ts';

export interface OpenGatewayOptions {
	readonly config: GatewayConfig;
	readonly registry: Registry;
	readonly logger: Logger;
	/** The sink of the access log. */
	readonly accessSink: LineSink;
	/** Off by default. */
	readonly tracing?: Tracing;
	readonly now: () => Date;
	readonly random: () => number;
	readonly version: string;
	readonly build: BuildInfo;
	readonly advertised: OpenOperationsDeps['advertised'];
	readonly portalFiles: PortalFiles;
	readonly draining: () => boolean;
	/** Of `REDIS_URL`; undefined without it. The caller closes it. */
	readonly redis?: Redis | undefined;
	/** Opens the forwarder of an instance; for tests of one implementation. */
	readonly openForwarder?: OpenForwarder;
}

export interface OpenedGateway {
	readonly deps: GatewayDeps;
	/** Ends open streams, so that the shutdown doesn't wait for them. */
	announceClose(): void;
	close(): void;
}

// How long readiness waits for the keys of the auth context, which may be down.
const keysPatienceMs = 5_000;
const historyMax = 100;

/** Creates the dependencies of the pipeline and starts the background tasks. */
export function openGateway(options: OpenGatewayOptions): OpenedGateway {
	const { config, registry, logger, now } = options;
	const contexts = selectContexts(config.CONTEXTS);
	const metrics = createGatewayMetrics({ ratePolicies, contexts });
	const history = createHealthHistory({ now, changesMax: historyMax });
	const prober = createProber({ timeoutMs: config.HEALTH_TIMEOUT_MS });
	const { table, overrides } = openTable(options, contexts, { metrics, prober, history });
	const auth = openAuthKeys({ registry, logger, now });
	const eventLoopDelay = watchEventLoopDelay();
	const verifier = createTokenVerifier({
		keys: auth.keys,
		revocations: auth.revocations,
		issuer: config.TOKEN_ISSUER,
		audience: config.TOKEN_AUDIENCE,
		now,
	});
	const limiter = openRateLimiter(options, metrics);
	const sessions = createLiveSessions({
		registry,
		timeoutMs: config.SESSION_CHECK_TIMEOUT_MS,
		logger,
		now,
		onChecked: metrics.countSessionCheck,
	});
	const access = { verifier, limiter, sessions, revocations: auth.revocations };
	const { accessLines, ...logs } = openLogs(options);
	const resilience = { prober, table, overrides, eventLoopDelay };
	const shared = { contexts, metrics, history, ...resilience, ...access, ...logs };
	const operations = openOperations({ ...options, ...shared, ready: readiness(table, auth, overrides) });
	const deployment = deploymentOf(config, contexts, options.version);
	const deps: GatewayDeps = {
		config,
		contexts,
		table,
		verifier,
		limiter,
		eventLoopDelay,
		cache: openResponseCache({
			bytesMax: config.RESPONSE_CACHE_BYTES,
			contexts,
			registry: metrics.registry,
			now,
		}),
		operations: operations.deps,
		deployment,
		portal: createPortalDocuments(deployment, options.portalFiles),
		logger,
		accessLines,
		tracing: options.tracing ?? noTracing,
		now,
		random: options.random,
	};
	return {
		deps,
		announceClose: () => operations.health.stream.close(),
		close: () => {
			operations.close();
			void overrides.close();
			sessions.close();
			auth.close();
			table.close();
			prober.close();
			eventLoopDelay.close();
		},
	};
}

/** The access log, its last entries and the log level. */
function openLogs({ config, logger, accessSink: sink, now }: OpenGatewayOptions) {
	const exchanges = createRecentExchanges(now);
	const logLevel = adjustableLogLevel({ name: 'gateway', logger, configuredLevel: config.LOG_LEVEL, now });
	const level = () => logLevel.state().effectiveLevel;
	const lines = createAccessLines({ service: 'gateway', sink, level, now });
	return { exchanges, logLevel, accessLines: recordedLines(lines, exchanges) };
}

function openTable(
	options: OpenGatewayOptions,
	contexts: readonly Context[],
	shared: { metrics: GatewayMetrics; prober: Prober; history: HealthHistory },
): { table: InstanceTable; overrides: BreakerOverrides } {
	const { config, logger, now, openForwarder: open = openForwarder } = options;
	const openTime = createOpenTime({
		registry: shared.metrics.registry,
		now,
		upstreams: () => contexts.flatMap(({ service }) => table.upstreams(service)),
	});
	const reports = { logger, history: shared.history };
	const overrides = createBreakerOverrides({
		now,
		logger,
		store: overrideStore(options),
		onChange: (change) => {
			reportOverride(reports, change);
			openTime.settle();
		},
	});
	// A failed request costs a client, a health probe costs nothing. A good probe proves too little to close the breaker.
	const mayProbe = async ({ url }: Instance) => (await shared.prober.probe(url)).status !== 'DOWN';
	const onTransition: OpenUpstreamDeps['onTransition'] = (context, instance, transition) => {
		openTime.settle();
		shared.metrics.countTransition(context.service, transition.from, transition.to);
		reportTransition(reports, context, instance, transition);
	};
	const byService = new Map(contexts.map((context) => [context.service, context]));
	const table = createInstanceTable({
		registry: options.registry,
		services: [...byService.keys()],
		retainMs: Math.max(config.BREAKER_WINDOW_MS, config.BREAKER_OPEN_MS),
		open: (service, instance, former) => {
			const context = byService.get(service);
			if (context === undefined) throw new TypeError(`${service} belongs to no context.`);
			const deps = { config, now, openForwarder: open, overrides, mayProbe, onTransition };
			return openUpstream(deps, context, instance, former);
		},
		onGone: openTime.settle,
	});
	return { table, overrides };
}

const overridesKey = 'paddock/breaker-overrides';

/** Consul if it is the registry, else Redis. Both hold one document. */
function overrideStore({
	registry,
	redis,
	random,
	logger,
}: OpenGatewayOptions): BreakerOverridesDeps['store'] {
	if (registry.sharedText !== undefined) return { kind: 'consul', text: registry.sharedText(overridesKey) };
	if (redis !== undefined) return { kind: 'redis', text: redisText(redis, overridesKey, { random, logger }) };
	return undefined;
}

/**
 * The registry has responded, the keys are present or overdue, and the overrides of breakers have been read, if their
 * store responds. Services wait for the same before they register.
 */
function readiness(table: InstanceTable, auth: AuthKeys, overrides: BreakerOverrides): () => boolean {
	let waited = false;
	void Promise.all([auth.arrived(keysPatienceMs), overrides.loaded]).then(() => {
		waited = true;
	});
	return () => table.responded() && waited;
}

function openRateLimiter({ config, redis }: OpenGatewayOptions, metrics: GatewayMetrics): RateLimiter {
	const memory = memoryCounts();
	return createRateLimiter({
		limits: {
			signIn: config.RATE_LIMIT_SIGN_IN,
			anonymous: config.RATE_LIMIT_ANONYMOUS,
			user: config.RATE_LIMIT_USER,
			officer: config.RATE_LIMIT_OFFICER,
		},
		counts:
			redis === undefined
				? memory
				: redisCounts({ redis, memory, onFallback: metrics.countRateLimitFallback }),
		onTaken: metrics.countRateLimit,
	});
}
