import type { Instance } from '@paddock/discovery';
import type { Redis } from '@paddock/redis';
import { createAccessLines, type LineSink, type Logger, type Tracing } from '@paddock/telemetry';
import { keysPatienceMs, openAccess } from './authentication/open-access.ts';
import { openResponseCache } from './cache/open-response-cache.ts';
import type { GatewayConfig } from './config.ts';
import { selectContexts } from './contexts.ts';
import { createRecentExchanges, recordedLines } from './edge/access-log.ts';
import { watchEventLoopDelay } from './edge/load-shedding.ts';
import { memoryCounts } from './edge/rate-counts.ts';
import { createRateLimiter, ratePolicies } from './edge/rate-limit.ts';
import { openForwarder } from './forwarder/open-forwarder.ts';
import type { WorkerDeps } from './gateway-deps.ts';
import { createProber } from './health/probe.ts';
import { createGatewayMetrics } from './metrics.ts';
import { loadGauges } from './operations/load-gauges.ts';
import { deploymentOf } from './portal/deployment.ts';
import { createPortalDocuments, type PortalFiles } from './portal/portal-documents.ts';
import { createInstanceTable } from './upstream/instance-table.ts';
import { type OpenUpstreamDeps, openUpstream } from './upstream/upstream.ts';
import type { PrimaryLink } from './workers/join-primary.ts';
import { primaryCounts } from './workers/primary-counts.ts';
import { primaryPages } from './workers/primary-pages.ts';
import { startReports } from './workers/worker-reports.ts';

export interface OpenWorkerOptions {
	readonly config: GatewayConfig;
	readonly link: PrimaryLink;
	readonly logger: Logger;
	readonly accessSink: LineSink;
	readonly tracing: Tracing;
	readonly now: () => Date;
	readonly random: () => number;
	readonly version: string;
	readonly portalFiles: PortalFiles;
	readonly redis: Redis | undefined;
}

export interface OpenedWorker {
	readonly deps: WorkerDeps;
	/** Ends open streams, so that the shutdown doesn't wait for them. */
	announceClose(): void;
	/** Sends the last metrics to the primary process first. */
	close(): Promise<void>;
}

/** Creates the dependencies of the pipeline in a worker; the primary process has those of the operations pages. */
export function openWorker(options: OpenWorkerOptions): OpenedWorker {
	const { config, link, logger, now } = options;
	const { registry } = link;
	const contexts = selectContexts(config.CONTEXTS);
	const metrics = createGatewayMetrics({ ratePolicies, contexts });
	const prober = createProber({ timeoutMs: config.HEALTH_TIMEOUT_MS });
	const { auth, ...access } = openAccess({ config, registry, metrics, logger, now });
	const eventLoopDelay = watchEventLoopDelay();
	loadGauges(metrics.registry, config, eventLoopDelay);
	const onTransition: OpenUpstreamDeps['onTransition'] = (context, instance, { from, to, cause }) => {
		logger.warn('circuit breaker', { upstream: context.service, instance: instance.id, from, to, cause });
		metrics.countTransition(context.service, from, to);
		reports.changed(context.service, instance.id, cause);
	};
	const mayProbe = async ({ url }: Instance) => (await prober.probe(url)).status !== 'DOWN';
	const upstreamDeps = { config, now, openForwarder, overrides: link.overrides, mayProbe, onTransition };
	const table = createInstanceTable({
		config,
		contexts,
		registry,
		open: (...instance) => openUpstream(upstreamDeps, ...instance),
	});
	const reports = startReports({ link, contexts, table, eventLoopDelay, keys: auth.arrived(keysPatienceMs) });
	const recent = createRecentExchanges(now);
	const lines = createAccessLines({ service: 'gateway', sink: options.accessSink, logger, now });
	const counts = primaryCounts({ count: link.primary.count, memory: memoryCounts(), logger });
	const deployment = deploymentOf(config, contexts, options.version);
	const pages = link.pages === undefined ? undefined : primaryPages(link.pages, logger);
	link.serve({ metrics: () => metrics.registry.getMetricsAsJSON(), exchanges: recent.list });
	return {
		deps: {
			config,
			contexts,
			table,
			verifier: access.verifier,
			limiter: createRateLimiter({ config, redis: options.redis, memory: counts, metrics }),
			eventLoopDelay,
			cached: openResponseCache({
				bytesMax: config.RESPONSE_CACHE_BYTES,
				contexts,
				registry: metrics.registry,
				now,
			}),
			operations: { metrics, sessions: access.sessions },
			forwardPage: pages?.forward,
			deployment,
			portal: createPortalDocuments(deployment, options.portalFiles),
			logger,
			accessLines: recordedLines(lines, recent),
			tracing: options.tracing,
			now,
			random: options.random,
		},
		announceClose: () => pages?.close(),
		close: async () => {
			reports.close();
			await link.leave(await metrics.registry.getMetricsAsJSON());
			access.close();
			table.close();
			prober.close();
			eventLoopDelay.close();
		},
	};
}
