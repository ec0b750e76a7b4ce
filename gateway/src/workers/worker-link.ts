import type { Worker } from 'node:cluster';
import type { Registry, Watch } from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import {
	ignoreClosed,
	openChannel,
	type PrimaryFunctions,
	type Welcome,
	type WorkerFunctions,
	type WorkerReport,
} from './channel.ts';
import type { WorkerLoad } from './connection-balance.ts';
import type { MetricValues } from './merged-metrics.ts';
import type { PermitPool } from './permit-pool.ts';

type Channel = ReturnType<typeof openChannel<WorkerFunctions, PrimaryFunctions>>;

/** A worker as the primary process sees it. */
export interface WorkerLink {
	readonly channel: Channel;
	/** Undefined before the first one. */
	report(): WorkerReport | undefined;
	/** performance.now() when the last report has arrived. */
	reportedAt(): number;
	/** Undefined if it is not ready or has not reported lately. */
	recentLoad(): WorkerLoad | undefined;
	close(): void;
}

interface WorkerLinkDeps {
	readonly registry: Registry;
	readonly permits: PermitPool;
	readonly logger: Logger;
	readonly welcome: () => Welcome;
	readonly onReport: () => void;
	readonly onLeave: (metrics: MetricValues) => void;
}

// At least 30 s, longer than a heap snapshot blocks a worker. In several periods: after a pause of this process, a timer
// for the whole time would expire before the reports that have arrived are read.
const silentPeriodMs = 10_000;
const silentPeriodsMax = 4;
// Twice the period of reports.
const recentMs = 2_000;

/** Serves the calls of a worker, and kills it if it no longer reports: its clients would wait for it forever. */
export function openWorkerLink(worker: Worker, deps: WorkerLinkDeps): WorkerLink {
	const watched = watchedServices(deps.registry, (service, watch) => {
		channel.instances.asEvent(service, watch.current()).catch(ignoreClosed);
	});
	let last: WorkerReport | undefined;
	let reportedAtMs = 0;
	let silentPeriods = 0;
	const watchdog = setInterval(() => {
		silentPeriods += 1;
		if (silentPeriods < silentPeriodsMax) return;
		deps.logger.error('worker does not respond', { worker: worker.id });
		worker.process.kill('SIGKILL');
	}, silentPeriodMs).unref();
	const channel: Channel = openChannel<WorkerFunctions, PrimaryFunctions>(worker.process, {
		join: deps.welcome,
		watch: watched.add,
		unwatch: watched.remove,
		grant: (requests) => requests.map((request) => deps.permits(worker.id, request)),
		report: (report) => {
			last = report;
			reportedAtMs = performance.now();
			silentPeriods = 0;
			watched.settle();
			deps.onReport();
		},
		leave: deps.onLeave,
	});
	return {
		channel,
		report: () => last,
		reportedAt: () => reportedAtMs,
		recentLoad: () =>
			last?.ready === true && performance.now() - reportedAtMs < recentMs ? last.load : undefined,
		close: () => {
			clearInterval(watchdog);
			watched.stop();
		},
	};
}

/** Calls `send` for each service once the registry has responded, and after each change. */
function watchedServices(registry: Registry, send: (service: string, watch: Watch) => void) {
	const watches = new Map<string, Watch>();
	const unsent = new Set<string>();
	const sendOnce = (service: string, watch: Watch): void => {
		if (!watch.responded()) return;
		unsent.delete(service);
		send(service, watch);
	};
	return {
		add: (service: string): void => {
			watches.get(service)?.stop();
			const watch = registry.watch(service);
			watches.set(service, watch);
			unsent.add(service);
			watch.onChange(() => sendOnce(service, watch));
			sendOnce(service, watch);
		},
		remove: (service: string): void => {
			watches.get(service)?.stop();
			watches.delete(service);
			unsent.delete(service);
		},
		/** A first response without instances is not a change. */
		settle: (): void => {
			for (const [service, watch] of watches) if (unsent.has(service)) sendOnce(service, watch);
		},
		stop: (): void => {
			for (const watch of watches.values()) watch.stop();
		},
	};
}
