/** Only the first call counts. */
type Release = () => void;

interface BulkheadSettings {
	readonly max: number;
	/** Length of the queue; further callers are refused at once. */
	readonly waitingMax: number;
}

/** Keeps one slow dependency from taking up a whole process: https://microservices.io/patterns/reliability/bulkhead.html */
export type Bulkhead = ReturnType<typeof createBulkhead>;

/** A bulkhead whose queue is first in, first out. */
export function createBulkhead(settings: BulkheadSettings) {
	let taken = 0;
	const waiting = new Set<() => void>();
	const acquire = (): Release => {
		taken += 1;
		return once(() => {
			taken -= 1;
			const [next] = waiting;
			next?.();
		});
	};
	return {
		/** @returns the release of a slot; undefined if the queue is full, `waitMs` has passed, or the signal was aborted */
		enter: (waitMs: number, signal?: AbortSignal): Release | Promise<Release | undefined> | undefined => {
			if (taken < settings.max) return acquire();
			if (waiting.size >= settings.waitingMax || signal?.aborted === true) return undefined;
			return new Promise((resolve) => {
				const end = (release: Release | undefined): void => {
					waiting.delete(onFree);
					clearTimeout(timer);
					signal?.removeEventListener('abort', giveUp);
					resolve(release);
				};
				const onFree = (): void => end(acquire());
				const giveUp = (): void => end(undefined);
				const timer = setTimeout(giveUp, waitMs);
				signal?.addEventListener('abort', giveUp);
				waiting.add(onFree);
			});
		},
		get waiting() {
			return waiting.size;
		},
	};
}

export interface RetryBudgetSettings {
	/** Maximum percentage of retries among the requests in flight. */
	readonly percent: number;
	/** Concurrent retries that are always allowed, regardless of the requests in flight. */
	readonly min: number;
}

/** For calls to a service, by the gateway and by other services. */
export const retryBudgetDefault: RetryBudgetSettings = { percent: 20, min: 3 };

export type RetryBudget = ReturnType<typeof createRetryBudget>;

/**
 * Limits retries to `percent` of the requests in flight, but allows at least `min`: during an outage, retrying
 * everything would double the load.
 * https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/cluster/v3/circuit_breaker.proto (retry_budget)
 */
export function createRetryBudget(settings: RetryBudgetSettings) {
	let inFlight = 0;
	let retries = 0;
	return {
		/** Records the start of a request; call the returned function when it ends. */
		begin: (): Release => {
			inFlight += 1;
			return once(() => {
				inFlight -= 1;
			});
		},
		/** Requests permission for one retry; call the returned function when it ends. Undefined = exhausted. */
		retry: (): Release | undefined => {
			if (retries >= Math.max(settings.min, Math.floor((inFlight * settings.percent) / 100)))
				return undefined;
			retries += 1;
			return once(() => {
				retries -= 1;
			});
		},
	};
}

function once(release: Release): Release {
	let released = false;
	return () => {
		if (released) return;
		released = true;
		release();
	};
}
