export interface RetryBudget {
	/** Records the start of a request; call the returned function when it ends. */
	begin(): () => void;
	/**
	 * Requests permission for one retry; call the returned function when it ends. Undefined = the budget is exhausted.
	 */
	retry(): (() => void) | undefined;
}

/**
 * Limits retries to `percent` of the requests in flight, but allows at least `min`: during an outage, retrying
 * everything would double the load.
 * https://www.envoyproxy.io/docs/envoy/latest/api-v3/config/cluster/v3/circuit_breaker.proto (retry_budget)
 */
export function createRetryBudget(settings: { percent: number; min: number }): RetryBudget {
	let inFlight = 0;
	let retries = 0;
	return {
		begin: () => {
			inFlight += 1;
			return once(() => {
				inFlight -= 1;
			});
		},
		retry: () => {
			if (retries >= Math.max(settings.min, Math.floor((inFlight * settings.percent) / 100)))
				return undefined;
			retries += 1;
			return once(() => {
				retries -= 1;
			});
		},
	};
}

function once(release: () => void): () => void {
	let released = false;
	return () => {
		if (released) return;
		released = true;
		release();
	};
}
