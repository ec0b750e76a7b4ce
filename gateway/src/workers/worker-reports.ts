import { performance } from 'node:perf_hooks';
import type { Context } from '../contexts.ts';
import type { EventLoopDelay } from '../edge/load-shedding.ts';
import type { InstanceTable } from '../upstream/instance-table.ts';
import { ignoreClosed } from './channel.ts';
import type { PrimaryLink } from './join-primary.ts';

interface WorkerReports {
	/** Reports the change of a breaker at once. */
	changed(service: string, instance: string, cause: unknown): void;
	close(): void;
}

const periodMs = 1_000;

/** Reports this worker's state to the primary process every second. */
export function startReports(deps: {
	readonly link: PrimaryLink;
	readonly contexts: readonly Context[];
	readonly table: InstanceTable;
	readonly eventLoopDelay: EventLoopDelay;
	/** Open connections of clients. */
	readonly connections: () => number;
	/** Resolves when the keys have arrived or are overdue. */
	readonly keys: Promise<void>;
}): WorkerReports {
	const { link, contexts, table, eventLoopDelay, connections } = deps;
	const causes = new Map<string, string>();
	let hasKeys = false;
	let measured = performance.eventLoopUtilization();
	let utilisation = 0;
	const report = (): void => {
		const breakers = contexts.flatMap(({ service }) =>
			table.upstreams(service).map(({ instance: { id }, breaker, inFlight }) => {
				const cause = causes.get(keyOf(service, id));
				return { service, instance: id, view: breaker.ownView(), inFlight, cause };
			}),
		);
		link.primary.report
			.asEvent({
				ready: hasKeys && table.responded(),
				eventLoopDelayMs: eventLoopDelay.currentMs(),
				memoryBytes: process.memoryUsage.rss(),
				load: { connections: connections(), utilisation },
				breakers,
			})
			.catch(ignoreClosed);
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
		changed: (service, instance, cause) => {
			if (cause instanceof Error) causes.set(keyOf(service, instance), cause.message);
			// After the breaker has changed.
			setImmediate(report);
		},
		close: () => clearInterval(timer),
	};
}

function keyOf(service: string, instance: string): string {
	return JSON.stringify([service, instance]);
}
