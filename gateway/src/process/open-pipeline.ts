import type { Instance, MutualTls, Registry } from '@paddock/discovery';
import { createTokenVerifier, type TokenVerifier } from '@paddock/identity';
import { openRedis, type Redis } from '@paddock/redis';
import { openAuthKeys } from '@paddock/service';
import {
	createAccessLines,
	type LineSink,
	type Logger,
	noTracing,
	observeTls,
	type Tracing,
} from '@paddock/telemetry';
import type { AttachedFeed } from '../attached/prepared-contexts.ts';
import { openLiveSessions } from '../authentication/live-sessions.ts';
import { openResponseCache } from '../cache/open-response-cache.ts';
import type { GatewayConfig } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import type { Contracts } from '../contexts/contracts.ts';
import { createDeployedContexts } from '../contexts/deployed-contexts.ts';
import type { RouteTable } from '../contexts/route-table.ts';
import { type AccessEntries, recordedEntries } from '../edge/access-log.ts';
import type { Step } from '../exchange/pipeline.ts';
import { openProber } from '../health/probe.ts';
import { type EventLoopDelay, watchEventLoopDelay } from '../limits/load-shedding.ts';
import {
	createRateLimiter,
	type RateCounts,
	type RateLimiter,
	ratePoliciesOf,
} from '../limits/rate-limit.ts';
import { redisCounts } from '../limits/redis-counts.ts';
import { requestBody } from '../limits/request-body.ts';
import { createGatewayMetrics } from '../metrics/metrics.ts';
import type { OperationsDeps } from '../operations/operations-routes.ts';
import { loadGauges } from '../operations/scraped-gauges.ts';
import { type Deployment, deploymentOf } from '../portal/deployment.ts';
import { createPortalDocuments, type PortalDocuments, type PortalFiles } from '../portal/portal-documents.ts';
import type { ProxyDeps } from '../proxy/proxy.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { Workers } from '../workers/workers.ts';

export interface PipelineDeps {
	readonly config: GatewayConfig;
	/** Replaced in place when attached ones change. */
	readonly contexts: readonly Context[];
	readonly routes: RouteTable;
	readonly verifier: TokenVerifier;
	readonly limiter: RateLimiter;
	readonly eventLoopDelay: EventLoopDelay;
	/** Reads request bodies into the memory that all of them share. */
	readonly requestBody: Step;
	readonly cached: ProxyDeps['cached'];
	readonly operations: Pick<OperationsDeps, 'metrics' | 'sessions'>;
	/** With the contexts of the start. */
	readonly deployment: Deployment;
	/** As they are now. */
	readonly portal: () => PortalDocuments;
	readonly logger: Logger;
	readonly accessLines: AccessEntries;
	readonly tracing: Tracing;
	readonly now: () => Date;
}

export interface ForwardingDeps extends PipelineDeps {
	readonly table: InstanceTable<Upstream>;
	readonly random: () => number;
}

export interface PipelineOptions {
	readonly config: GatewayConfig;
	readonly registry: Registry;
	/** TLS of connections to services; plain HTTP by default. */
	readonly tls?: MutualTls | undefined;
	readonly logger: Logger;
	readonly accessSink: LineSink;
	readonly tracing?: Tracing;
	readonly now: () => Date;
	readonly random: () => number;
	readonly version: string;
	readonly contracts: Contracts;
	readonly attached?: AttachedFeed | undefined;
	readonly portalFiles: PortalFiles;
	/** Client of `REDIS_URL`; undefined without it. The caller closes it. */
	readonly redis?: Redis | undefined;
}

interface PipelineParts {
	/** False in a primary process. */
	readonly forwards: boolean;
	/** Counts requests without Redis. */
	readonly memory: RateCounts;
	/** In a primary process: removes the series of a route or service that is gone from what the workers have counted. */
	readonly forgetSeries?: Workers['forgetSeries'] | undefined;
}

/** How long readiness waits for the keys of the auth context, which may be down. */
const keysPatienceMs = 5_000;

export function openPipeline(options: PipelineOptions, own: PipelineParts) {
	const { config, registry, tls, logger, now, redis } = options;
	const deployed = createDeployedContexts(config, options.contracts, options.attached?.initial ?? []);
	const { list: contexts, routes } = deployed;
	const metrics = createGatewayMetrics({
		...{ contexts, ratePolicies: ratePoliciesOf(config), onGone: own.forgetSeries },
	});
	observeTls(metrics.registry, tls);
	const prober = openProber({ timeoutMs: config.HEALTH_TIMEOUT_MS, tls });
	const auth = openAuthKeys({ registry, tls, logger, now });
	const sessions = openLiveSessions({
		...{ registry, tls, logger, now, timeoutMs: config.SESSION_CHECK_TIMEOUT_MS },
		onChecked: metrics.countSessionCheck,
	});
	const onFallback = metrics.countRateLimitFallback;
	const counts = redis === undefined ? own.memory : redisCounts({ redis, memory: own.memory, onFallback });
	const eventLoopDelay = watchEventLoopDelay();
	if (own.forwards) loadGauges(metrics.registry, config, eventLoopDelay);
	const lines = createAccessLines({ service: 'gateway', sink: options.accessSink, logger, now });
	const accessLines = recordedEntries(lines, now);
	const readPortal = () => {
		const deployment = deploymentOf(config, deployed.contracts(), options.version);
		return {
			deployment,
			documents: createPortalDocuments(deployment, deployed.contracts(), options.portalFiles),
		};
	};
	let portal = readPortal();
	const cache = openResponseCache({
		...{ contexts, registry: metrics.registry, now },
		bytesMax: own.forwards ? config.RESPONSE_CACHE_BYTES : 0,
	});
	deployed.onChange(() => {
		metrics.follow(contexts);
		cache?.follow(contexts);
		portal = readPortal();
	});
	return {
		deps: {
			...{ config, contexts, routes, eventLoopDelay, accessLines, logger, now },
			deployment: portal.deployment,
			verifier: createTokenVerifier({
				...{ keys: auth.keys, revocations: auth.revocations, now },
				...{ issuer: config.TOKEN_ISSUER, audience: config.TOKEN_AUDIENCE },
			}),
			limiter: createRateLimiter({ config, counts, metrics }),
			requestBody: requestBody(config, metrics.requestBodyBytes),
			cached: cache?.cached,
			portal: () => portal.documents,
			tracing: options.tracing ?? noTracing,
		},
		...{ metrics, prober, sessions, revocations: auth.revocations },
		/** Serves other attached contexts from now on. The instances of a new one are followed before it gets requests. */
		followAttached: (table: Pick<InstanceTable<unknown>, 'follow'>): void => {
			options.attached?.onChange((contracts) => {
				try {
					deployed.attach(contracts);
				} catch (error) {
					logger.error('attached contexts could not be replaced', { error });
				}
				table.follow(deployed.list);
			});
		},
		exchanges: accessLines.list,
		keysArrived: auth.arrived(keysPatienceMs),
		/** A failed request costs a client, a health probe costs nothing. A good probe proves too little to close the breaker. */
		mayProbe: async (context: Context, { url }: Instance) =>
			(await prober.probe(context, url)).result.status !== 'DOWN',
		close: (): void => {
			sessions.close();
			auth.close();
			prober.close();
			eventLoopDelay.close();
		},
	};
}

export function openConfiguredRedis(
	{ REDIS_URL: url, REDIS_TIMEOUT_MS: timeoutMs }: GatewayConfig,
	logger: Logger,
	now: () => Date,
): Promise<Redis> | undefined {
	return url === undefined ? undefined : openRedis({ url, timeoutMs, logger, now });
}
