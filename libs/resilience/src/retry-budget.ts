export interface RetryBudget {
	/** A request begins; call the returned function when it ends. */
	begin(): () => void;
	/** The right to one retry; call the returned function when it ends. Undefined = the budget is spent. */
	retry(): (() => void) | undefined;
}

/**
 * Lets at most `percent` of the requests in flight, and at least `min`, be retries: when everything fails, retries
 * for everything would double the load just then.
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
