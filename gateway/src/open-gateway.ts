import type { Instance, Registry } from '@paddock/discovery';
import { type Redis, redisText } from '@paddock/redis';
import { type AuthKeys, adjustableLogLevel } from '@paddock/service';
import { createAccessLines, type LineSink, type Logger, noTracing, type Tracing } from '@paddock/telemetry';
import { keysPatienceMs, openAccess } from './authentication/open-access.ts';
import { openResponseCache } from './cache/open-response-cache.ts';
import type { GatewayConfig } from './config.ts';
import { type Context, selectContexts } from './contexts.ts';
import { createRecentExchanges, newestExchanges, recordedLines } from './edge/access-log.ts';
import { watchEventLoopDelay } from './edge/load-shedding.ts';
import { memoryCounts } from './edge/rate-counts.ts';
import { createRateLimiter, ratePolicies } from './edge/rate-limit.ts';
import { type OpenForwarder, openForwarder } from './forwarder/open-forwarder.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { reportOverride, reportTransition } from './health/breaker-reports.ts';
import { createHealthHistory, type HealthHistory } from './health/health-history.ts';
import { createProber, type Prober } from './health/probe.ts';
import { createGatewayMetrics, type GatewayMetrics } from './metrics.ts';
import type { BuildInfo } from './operations/build-info.ts';
import { loadGauges } from './operations/load-gauges.ts';
import { type OpenOperationsDeps, openOperations } from './operations/open-operations.ts';
import { createOpenTime } from './operations/open-time.ts';
import { deploymentOf } from './portal/deployment.ts';
import { createPortalDocuments, type PortalFiles } from './portal/portal-documents.ts';
import {
	type BreakerOverrides,
	type BreakerOverridesDeps,
	createBreakerOverrides,
} from './resilience/breaker-overrides.ts';
import { createInstanceTable, type InstanceTable } from './upstream/instance-table.ts';
import { type OpenUpstreamDeps, openUpstream } from './upstream/upstream.ts';
import { observedUpstream, observeTransitions } from './workers/observed-upstream.ts';
import type { Workforce } from './workers/workforce.ts';

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
	/** In the primary process of several workers; it forwards no requests. */
	readonly workforce?: Workforce | undefined;
	/** Opens the forwarder of an instance; for tests of one implementation. */
	readonly openForwarder?: OpenForwarder;
}

export interface OpenedGateway {
	readonly deps: GatewayDeps;
	/** Ends open streams, so that the shutdown doesn't wait for them. */
	announceClose(): void;
	close(): void;
}

const historyMax = 100;

/** Creates the dependencies of the pipeline and starts the background tasks. */
export function openGateway(options: OpenGatewayOptions): OpenedGateway {
	const { config, logger, now } = options;
	const contexts = selectContexts(config.CONTEXTS);
	const metrics = createGatewayMetrics({ ratePolicies, contexts });
	const history = createHealthHistory({ now, changesMax: historyMax });
	const prober = createProber({ timeoutMs: config.HEALTH_TIMEOUT_MS });
	const { table, overrides } = openInstances(options, contexts, { metrics, prober, history });
	const { auth, verifier, sessions, close: closeAccess } = openAccess({ ...options, metrics });
	const eventLoopDelay = watchEventLoopDelay();
	if (options.workforce === undefined) loadGauges(metrics.registry, config, eventLoopDelay);
	const limiter = createRateLimiter({ config, redis: options.redis, memory: memoryCounts(), metrics });
	const access = { verifier, limiter, sessions, revocations: auth.revocations };
	const { accessLines, ...logs } = openLogs(options);
	const resilience = { prober, table, overrides, eventLoopDelay };
	const shared = { contexts, metrics, history, ...resilience, ...access, ...logs };
	const operations = openOperations({
		...options,
		...shared,
		ready: readiness(options, table, auth, overrides),
	});
	const deployment = deploymentOf(config, contexts, options.version);
	const deps: GatewayDeps = {
		config,
		contexts,
		table,
		verifier,
		limiter,
		eventLoopDelay,
		cached: openResponseCache({
			// Workers have caches of their own.
			bytesMax: options.workforce === undefined ? config.RESPONSE_CACHE_BYTES : 0,
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
			closeAccess();
			table.close();
			prober.close();
			eventLoopDelay.close();
		},
	};
}

/** The access log, its last entries and the log level. */
function openLogs({ config, logger, accessSink: sink, now, workforce }: OpenGatewayOptions) {
	const recent = createRecentExchanges(now);
	const logLevel = adjustableLogLevel({
		...{ name: 'gateway', logger, configuredLevel: config.LOG_LEVEL, now },
		onChange: workforce?.setLogLevel,
	});
	const lines = createAccessLines({ service: 'gateway', sink, logger, now });
	const exchanges = async () => newestExchanges([recent.list(), (await workforce?.exchanges()) ?? []]);
	return { exchanges, logLevel, accessLines: recordedLines(lines, recent) };
}

function openInstances(
	options: OpenGatewayOptions,
	contexts: readonly Context[],
	shared: { metrics: GatewayMetrics; prober: Prober; history: HealthHistory },
): { table: InstanceTable; overrides: BreakerOverrides } {
	const { config, logger, now, workforce, openForwarder: open = openForwarder } = options;
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
			workforce?.setOverrides(overrides.list());
		},
	});
	// A failed request costs a client, a health probe costs nothing. A good probe proves too little to close the breaker.
	const mayProbe = async ({ url }: Instance) => (await shared.prober.probe(url)).status !== 'DOWN';
	const onTransition: OpenUpstreamDeps['onTransition'] = (context, instance, transition) => {
		openTime.settle();
		// Workers count their own.
		if (workforce === undefined)
			shared.metrics.countTransition(context.service, transition.from, transition.to);
		reportTransition(reports, context, instance, transition);
	};
	const deps = { config, now, openForwarder: open, overrides, mayProbe, onTransition };
	const table = createInstanceTable({
		config,
		contexts,
		registry: options.registry,
		open: (context, instance, former) =>
			workforce === undefined
				? openUpstream(deps, context, instance, former)
				: observedUpstream(context, instance, { workforce, overrides, now }),
		onGone: openTime.settle,
	});
	if (workforce !== undefined) observeTransitions({ workforce, contexts, table, onTransition });
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
 * The registry has responded, the keys are present or overdue, the overrides of breakers have been read, if their store
 * responds, and a worker is ready, if there are workers. Services wait for the same before they register.
 */
function readiness(
	{ workforce }: OpenGatewayOptions,
	table: InstanceTable,
	auth: AuthKeys,
	overrides: BreakerOverrides,
): () => boolean {
	let waited = false;
	void Promise.all([auth.arrived(keysPatienceMs), overrides.loaded]).then(() => {
		waited = true;
	});
	return () => table.responded() && waited && workforce?.ready() !== 0;
}
