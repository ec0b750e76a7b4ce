import type { Redis } from '@paddock/redis';
import type { HttpServer } from '@paddock/service';
import { causeText } from '@paddock/telemetry/loggable';
import type { Step } from '../exchange/pipeline.ts';
import { openForwarder } from '../forwarder/undici-forwarder.ts';
import { monotonicMs } from '../limits/rate-limit.ts';
import { openInstanceTable } from '../upstream/instance-table.ts';
import { type OpenUpstreamDeps, upstreams } from '../upstream/upstream.ts';
import { ignoreClosed } from '../workers/channel.ts';
import type { PrimaryLink } from '../workers/join-primary.ts';
import { permitCounts } from '../workers/permit-counts.ts';
import { primaryPages } from '../workers/primary-pages.ts';
import { startReports } from '../workers/worker-reports.ts';
import { type ForwardingDeps, openPipeline, type PipelineOptions } from './open-pipeline.ts';

/** A worker: the primary process serves the operations pages. */
export interface WorkerDeps extends ForwardingDeps {
	/** Forwards requests for them; undefined if they have a port of their own. */
	readonly forwardPage: Step | undefined;
}

interface OpenWorkerOptions extends Omit<PipelineOptions, 'registry'> {
	readonly link: PrimaryLink;
	readonly redis: Redis | undefined;
	/** The server of the clients' connections; undefined before it listens. */
	readonly server: () => Pick<HttpServer, 'connections' | 'closeNext'> | undefined;
}

/** Creates the dependencies of the pipeline in a worker; the primary process has those of the operations pages. */
export function openWorker(options: OpenWorkerOptions) {
	const { config, link, tls, logger, now, server } = options;
	const { registry, overrides } = link;
	const counts = permitCounts({ primary: link.primary, nowMs: monotonicMs, logger });
	const pipeline = openPipeline({ ...options, registry }, { forwards: true, memory: counts });
	const { metrics, sessions, mayProbe } = pipeline;
	const { contexts, eventLoopDelay } = pipeline.deps;
	const onTransition: OpenUpstreamDeps['onTransition'] = (context, instance, { from, to, cause }) => {
		const change = { from, to, cause: to === 'OPEN' ? causeText(cause) : undefined };
		logger.warn('circuit breaker', { upstream: context.service, instance: instance.id, ...change });
		metrics.countTransition(context.service, from, to);
		reports.changed(context.service, instance.id, cause);
	};
	const table = openInstanceTable({
		...{ config, contexts, registry },
		...upstreams({ config, now, tls, openForwarder, overrides, mayProbe, onTransition }),
	});
	pipeline.followAttached(table);
	const reports = startReports({
		...{ contexts, table, eventLoopDelay, keys: pipeline.keysArrived },
		report: (report) => void link.primary.report.asEvent(report).catch(ignoreClosed),
		connections: () => server()?.connections() ?? 0,
	});
	const pages = link.pages === undefined ? undefined : primaryPages(link.pages, logger);
	link.serve({
		moveConnections: (count) => server()?.closeNext(count),
		metrics: () => metrics.registry.getMetricsAsJSON(),
		exchanges: pipeline.exchanges,
		trip: (service, instance, cause) => table.find(service, instance)?.breaker.trip(new Error(cause)),
		reset: (service, instance) => table.find(service, instance)?.breaker.reset(),
	});
	return {
		deps: {
			...pipeline.deps,
			...{ table, random: options.random, operations: { metrics, sessions } },
			forwardPage: pages?.forward,
		},
		/** Ends open streams, so that the shutdown doesn't wait for them. */
		announceClose: (): void => pages?.close(),
		/** Sends the last metrics to the primary process first. */
		close: async () => {
			reports.close();
			await link.leave(await metrics.registry.getMetricsAsJSON());
			table.close();
			pipeline.close();
		},
	};
}
