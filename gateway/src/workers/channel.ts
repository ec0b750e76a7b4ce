import type { ChildProcess } from 'node:child_process';
import type { ServiceSnapshot } from '@paddock/discovery';
import type { BreakerView } from '@paddock/resilience';
import type { LogLevel } from '@paddock/telemetry';
import { type BirpcReturn, createBirpc } from 'birpc';
import type { AttachedEntry } from '../attached/prepared-contexts.ts';
import type { RecentExchange } from '../edge/access-entry.ts';
import type { CurrentOverride } from '../upstream/override-decision.ts';
import type { OverrideUpdate } from '../upstream/override-table.ts';
import type { WorkerLoad } from './connection-balance.ts';
import type { MetricValues } from './merged-metrics.ts';
import type { PermitGrant, PermitRequest } from './permit-pool.ts';

export interface PrimaryFunctions {
	join(): Welcome;
	/** From now on the primary process reports the instances of this service. */
	watch(service: string): void;
	unwatch(service: string): void;
	/** One grant for each request, see `PermitPool`. */
	grant(requests: readonly PermitRequest[]): readonly PermitGrant[];
	report(report: WorkerReport): void;
	/** The last call of a worker that shuts down. */
	leave(metrics: MetricValues): void;
}

export interface WorkerFunctions {
	instances(service: string, snapshot: ServiceSnapshot): void;
	/** The parts of its state that have changed, with the number of the change. */
	changed(state: ChangedState, change: number): void;
	/** Opens the breaker of an instance that the primary process leaves out. */
	trip(service: string, instance: string, cause: string): void;
	reset(service: string, instance: string): void;
	/** Closes this number of client connections with their next responses. */
	moveConnections(count: number): void;
	metrics(): Promise<MetricValues>;
	exchanges(): readonly RecentExchange[];
}

export interface Welcome {
	/** The number of the last change that it contains. A later one may arrive before it. */
	readonly change: number;
	/** The operations pages of the primary process; absent if they have a port of their own. */
	readonly pages: PagesAddress | undefined;
	readonly overrides: readonly CurrentOverride[];
	readonly logLevel: LogLevel;
	readonly attached: readonly AttachedEntry[];
}

export interface ChangedState {
	/** In their order. */
	readonly overrides?: readonly OverrideUpdate[];
	/** All attached contexts. A contract without content is one that the worker has. */
	readonly attached?: readonly SentEntry[];
	readonly logLevel?: LogLevel;
}

interface SentEntry extends Omit<AttachedEntry, 'contract'> {
	readonly contract: { readonly hash: string; readonly content?: unknown } | undefined;
}

/** Where the primary process serves the operations pages to its workers, and the key that it requires. */
export interface PagesAddress {
	readonly port: number;
	readonly key: string;
}

/** The state of a worker, every second and after each change of a breaker. */
export interface WorkerReport {
	/** Keys are present or overdue and the instances are known. */
	readonly ready: boolean;
	readonly eventLoopDelayMs: number;
	readonly memoryBytes: number;
	readonly load: WorkerLoad;
	readonly breakers: readonly BreakerReport[];
}

export interface BreakerReport {
	readonly service: string;
	readonly instance: string;
	readonly view: BreakerView;
	readonly inFlight: number;
	/** Milliseconds since the last response, see `Upstream`. */
	readonly respondedMsAgo: number | undefined;
	readonly failedMsAgo: number | undefined;
	/** Why it changed last. */
	readonly cause: string | undefined;
}

export const timeoutMs = 1_000;

/** Calls in both directions over the IPC channel of a worker. They reject after a second, or when the channel is closed. */
export function openChannel<Remote extends object, Local extends object>(
	port: NodeJS.Process | ChildProcess,
	functions: Local,
): BirpcReturn<Remote, Local> {
	const channel = createBirpc<Remote, Local>(functions, {
		post: (message) => {
			// Without a callback, the failure would be an 'error' event that ends this process.
			port.send?.(message, undefined, undefined, ignoreClosed);
		},
		on: (listener) => {
			const { on }: { on(event: 'message', listener: (message: unknown) => void): unknown } = port;
			on.call(port, 'message', listener);
		},
		timeout: timeoutMs,
	});
	port.once('disconnect', () => channel.$close());
	return channel;
}

/** For messages without a result: one that fails because the other process has just exited. */
export function ignoreClosed(): void {
	// The exit is handled where it is detected.
}
