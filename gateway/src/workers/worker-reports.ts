import { performance } from 'node:perf_hooks';
import type { Context } from '../contexts/context.ts';
import type { EventLoopDelay } from '../limits/load-shedding.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import type { WorkerReport } from './channel.ts';

const periodMs = 1_000;

/** Reports this worker's state to the primary process every second. */
export function startReports(deps: {
	/** Sends it to the primary process. */
	readonly report: (report: WorkerReport) => void;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable<Upstream>;
	readonly eventLoopDelay: EventLoopDelay;
	/** Open connections of clients. */
	readonly connections: () => number;
	/** Resolves when the keys have arrived or are overdue. */
	readonly keys: Promise<void>;
}) {
	const { contexts, table, eventLoopDelay, connections } = deps;
	// As long as the breaker is kept, i.e. also during a short absence of its instance.
	const causes = new WeakMap<Upstream['breaker'], string>();
	let hasKeys = false;
	let measured = performance.eventLoopUtilization();
	let utilisation = 0;
	const report = (): void => {
		const now = performance.now();
		const msAgo = (at: number | undefined) => (at === undefined ? undefined : now - at);
		const breakers = contexts.flatMap(({ service }) =>
			table.upstreams(service).map(({ instance: { id }, breaker, inFlight, respondedAt, failedAt }) => ({
				...{ service, instance: id, inFlight },
				...{ respondedMsAgo: msAgo(respondedAt), failedMsAgo: msAgo(failedAt) },
				view: breaker.ownView(),
				cause: causes.get(breaker),
			})),
		);
		deps.report({
			ready: hasKeys && table.responded(),
			eventLoopDelayMs: eventLoopDelay.currentMs(),
			memoryBytes: process.memoryUsage.rss(),
			load: { connections: connections(), utilisation },
			breakers,
		});
	};
	const timer = setInterval(() => {
		const now = performance.eventLoopUtilization();
		({ utilization: utilisation } = performance.eventLoopUtilization(now, measured));
		measured = now;
		report();
	}, periodMs);
	timer.unref();
	void deps.keys.then(() => {
		hasKeys = true;
		report();
	});
	return {
		/** Reports the change of a breaker at once. */
		changed: (service: string, instance: string, cause: unknown): void => {
			const upstream = table.find(service, instance);
			if (upstream !== undefined && cause instanceof Error) causes.set(upstream.breaker, cause.message);
			// After the breaker has changed.
			setImmediate(report);
		},
		close: (): void => clearInterval(timer),
	};
}
