import type { Worker } from 'node:cluster';
import type { Registry } from '@paddock/discovery';
import type { BreakerState, BreakerView } from '@paddock/resilience';
import type { Logger, LogLevel } from '@paddock/telemetry';
import type { Registry as MetricsRegistry } from 'prom-client';
import type { AttachedContexts } from '../attached/attached-contexts.ts';
import type { AttachedEntry } from '../attached/prepared-contexts.ts';
import type { RecentExchange } from '../edge/access-entry.ts';
import { newestExchanges } from '../edge/access-log.ts';
import { monotonicMs } from '../limits/rate-limit.ts';
import type { CurrentOverride } from '../upstream/override-decision.ts';
import { keyOf, type OverrideUpdate } from '../upstream/override-table.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type BreakerReport, type ChangedState, ignoreClosed, type PagesAddress } from './channel.ts';
import { connectionsToMove } from './connection-balance.ts';
import { createMergedMetrics, type MetricValues } from './merged-metrics.ts';
import { createPermitPool } from './permit-pool.ts';
import { openWorkerLink, type WorkerLink } from './worker-link.ts';

/** The state of all workers, in the primary process. */
export interface Workers {
	/** Number of workers that there should be. */
	readonly size: number;
	ready(): number;
	/** The highest of all workers. */
	eventLoopDelayMs(): number;
	memoryBytes(): number;
	metrics(own: MetricsRegistry): Promise<MetricsRegistry>;
	/** Removes the series of a route or service that is gone, see `MergedMetrics`. */
	forgetSeries(label: 'route' | 'upstream', value: string): void;
	/** Undefined before a report about the instance. */
	breaker(service: string, instance: string): MergedBreaker | undefined;
	inFlight(service: string, instance: string): number;
	/** performance.now() of the last response and of the last failure of an instance in any worker. */
	lastResults(service: string, instance: string): Pick<Upstream, 'respondedAt' | 'failedAt'>;
	/** Opens the breaker of an instance in all workers; to be repeated, for workers that have started since. */
	trip(service: string, instance: string, cause: string): void;
	/** Closes the breakers that `trip` has opened. */
	reset(service: string, instance: string): void;
	/** The last requests of all workers, the newest first. */
	exchanges(): Promise<RecentExchange[]>;
	/** Changes of one turn of the event loop are sent together. */
	changeOverride(change: OverrideUpdate): void;
	setLogLevel(level: LogLevel): void;
	/** Called after each report; one listener. */
	onReport(listener: () => void): void;
	add(worker: Worker): void;
	remove(worker: number): void;
}

interface WorkersDeps {
	readonly size: number;
	readonly registry: Registry;
	readonly logger: Logger;
	readonly logLevel: LogLevel;
	readonly pages: () => PagesAddress | undefined;
	readonly attached: Pick<AttachedContexts, 'entries' | 'onChange'>;
}

export function createWorkers(deps: WorkersDeps): Workers {
	const { size, registry, logger, logLevel, pages } = deps;
	const links = new Map<number, WorkerLink>();
	const metrics = createMergedMetrics();
	const permits = createPermitPool(monotonicMs);
	let level = logLevel;
	const toAll: ToAll = (send) => {
		for (const { channel } of links.values()) send(channel).catch(ignoreClosed);
	};
	const { changed, last: lastChange } = numberedChanges(toAll);
	const overrides = sentOverrides(changed);
	sendAttached(deps.attached, changed);
	let onReport = (): void => undefined;
	// Values may arrive after the exit; the worker would then count twice.
	const keepMetrics = (worker: number, values: MetricValues): void => {
		if (links.has(worker)) metrics.keep(worker, values);
	};
	const reports = () => [...links.values()].flatMap((link) => link.report() ?? []);
	const breakers = (service: string, instance: string) =>
		reports().flatMap((report) =>
			report.breakers.filter((each) => each.service === service && each.instance === instance),
		);
	return {
		size,
		ready: () => reports().filter(({ ready }) => ready).length,
		breaker: (service, instance) => mergedBreaker(breakers(service, instance)),
		lastResults: (service, instance) => lastResults([...links.values()], service, instance),
		...trips(toAll),
		inFlight: (service, instance) => sum(breakers(service, instance).map(({ inFlight }) => inFlight)),
		eventLoopDelayMs: () => Math.max(0, ...reports().map(({ eventLoopDelayMs }) => eventLoopDelayMs)),
		memoryBytes: () => sum(reports().map(({ memoryBytes }) => memoryBytes)),
		metrics: async (own) => {
			await collect(links, async ({ channel }, id) => keepMetrics(id, await channel.metrics()));
			return metrics.merge(own);
		},
		forgetSeries: metrics.forget,
		exchanges: async () => newestExchanges(await collect(links, ({ channel }) => channel.exchanges())),
		changeOverride: overrides.change,
		setLogLevel: (next) => {
			level = next;
			changed({ logLevel: next });
		},
		onReport: (listener) => {
			onReport = listener;
		},
		add: (worker) => {
			const link: WorkerLink = openWorkerLink(worker, {
				...{ registry, permits, logger },
				welcome: () => ({
					change: lastChange(),
					logLevel: level,
					overrides: overrides.list(),
					pages: pages(),
					attached: deps.attached.entries(),
				}),
				onReport: () => {
					balance(link, links);
					onReport();
				},
				onLeave: (values) => keepMetrics(worker.id, values),
			});
			links.set(worker.id, link);
		},
		remove: (worker) => {
			links.get(worker)?.close();
			links.delete(worker);
			metrics.retire(worker);
			onReport();
		},
	};
}

/** A worker that does not report accepts nothing: the clients of the others would only reconnect to them. */
function balance({ channel, recentLoad }: WorkerLink, links: ReadonlyMap<number, WorkerLink>): void {
	const own = recentLoad();
	if (own === undefined) return;
	const all = [...links.values()].flatMap((link) => link.recentLoad() ?? []);
	const count = connectionsToMove(own, all);
	if (count > 0) channel.moveConnections.asEvent(count).catch(ignoreClosed);
}

type ToAll = (send: (channel: WorkerLink['channel']) => Promise<void>) => void;

/** A worker that is just joining has the changes up to one of them from the response to that. */
function numberedChanges(toAll: ToAll) {
	let last = 0;
	return {
		last: () => last,
		changed: (state: ChangedState): void => {
			last += 1;
			const number = last;
			toAll((channel) => channel.changed.asEvent(state, number));
		},
	};
}

/** Attached contexts after each change; a contract, which may be large, only with the change that brought it. */
function sendAttached(attached: WorkersDeps['attached'], changed: (state: ChangedState) => void): void {
	const hashesOf = (entries: readonly AttachedEntry[]) =>
		new Set(entries.map(({ contract }) => contract?.hash));
	let sent = hashesOf(attached.entries());
	attached.onChange((entries) => {
		const known = sent;
		sent = hashesOf(entries);
		const changes = entries.map(({ entry, contract }) => ({
			entry,
			contract: contract && known.has(contract.hash) ? { hash: contract.hash } : contract,
		}));
		changed({ attached: changes });
	});
}

/** Overrides of breakers: all of them for a new worker, otherwise changes. A list of thousands for each change blocks both sides. */
function sentOverrides(changed: (state: ChangedState) => void) {
	const current = new Map<string, CurrentOverride>();
	let unsent: OverrideUpdate[] = [];
	const send = (): void => {
		const changes = unsent;
		unsent = [];
		changed({ overrides: changes });
	};
	return {
		list: () => [...current.values()],
		change: ({ target, to }: OverrideUpdate): void => {
			if (to === undefined) current.delete(keyOf(target));
			else current.set(keyOf(target), { target, ...to });
			if (unsent.length === 0) queueMicrotask(send);
			unsent.push({ target, to });
		},
	};
}

function trips(toAll: ToAll): Pick<Workers, 'trip' | 'reset'> {
	const tripped = new Set<string>();
	return {
		trip: (service, instance, cause) => {
			tripped.add(instanceKey(service, instance));
			toAll((channel) => channel.trip.asEvent(service, instance, cause));
		},
		reset: (service, instance) => {
			if (!tripped.delete(instanceKey(service, instance))) return;
			toAll((channel) => channel.reset.asEvent(service, instance));
		},
	};
}

function lastResults(links: readonly WorkerLink[], service: string, instance: string) {
	const latest = (name: 'respondedMsAgo' | 'failedMsAgo'): number | undefined => {
		const all = links.flatMap((link) => {
			const breakers = link.report()?.breakers ?? [];
			const msAgo = breakers.find((each) => each.service === service && each.instance === instance)?.[name];
			return msAgo === undefined ? [] : [link.reportedAt() - msAgo];
		});
		return all.length === 0 ? undefined : Math.max(...all);
	};
	return { respondedAt: latest('respondedMsAgo'), failedAt: latest('failedMsAgo') };
}

function instanceKey(service: string, instance: string): string {
	return `${service} ${instance}`;
}

async function collect<T>(
	links: ReadonlyMap<number, WorkerLink>,
	call: (link: WorkerLink, id: number) => Promise<T>,
): Promise<T[]> {
	const results = await Promise.allSettled([...links].map(([id, link]) => call(link, id)));
	return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

const severity: Readonly<Record<BreakerState, number>> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 };

interface MergedBreaker {
	readonly view: BreakerView;
	/** Why it changed last. */
	readonly cause: string | undefined;
}

/**
 * The breaker of an instance for the whole gateway: the most severe state of any worker, since requests are refused in that
 * worker. `since`: when the first of these workers entered it; `failureRate`: the highest.
 * @returns undefined without a report
 */
function mergedBreaker(reports: readonly BreakerReport[]): MergedBreaker | undefined {
	const worst = Math.max(...reports.map(({ view }) => severity[view.state]));
	const decisive = reports.filter(({ view }) => severity[view.state] === worst);
	const [first] = decisive.toSorted((a, b) => a.view.since.getTime() - b.view.since.getTime());
	if (first === undefined) return undefined;
	const rates = reports.flatMap(({ view }) => view.failureRate ?? []);
	const tries = decisive.flatMap(({ view }) => view.nextTryAt?.getTime() ?? []);
	return {
		view: {
			state: first.view.state,
			since: first.view.since,
			failureRate: rates.length === 0 ? undefined : Math.max(...rates),
			nextTryAt: tries.length === 0 ? undefined : new Date(Math.min(...tries)),
		},
		cause: first.cause,
	};
}
