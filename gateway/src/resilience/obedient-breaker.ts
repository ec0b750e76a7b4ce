import type { BreakerOrder } from './breaker-orders.ts';
import type { Admission, InstanceBreaker } from './instance-breaker.ts';

// Somebody has taken it upon themselves to let requests through, whatever comes of it.
const uncounted: Admission = {
	isProbe: false,
	succeeded: () => {},
	failed: () => {},
	abandoned: () => {},
	streaming: () => {},
};

/**
 * A breaker that obeys an administrator's order while one stands: open = nobody is let through, closed = everybody.
 * Results of requests don't count meanwhile. The breaker's own state goes on underneath, its health probes included,
 * and applies again as soon as the override ends.
 */
export function obedientBreaker(
	breaker: InstanceBreaker,
	order: () => BreakerOrder | undefined,
): InstanceBreaker {
	return {
		admits: () => {
			const standing = order();
			return standing === undefined ? breaker.admits() : standing.state === 'CLOSED';
		},
		admit: () => {
			const standing = order();
			if (standing === undefined) return breaker.admit();
			return standing.state === 'CLOSED' ? uncounted : undefined;
		},
		view: () => {
			const own = breaker.view();
			const standing = order();
			if (standing === undefined) return own;
			const { state, at, reason, by, until } = standing;
			return {
				state,
				since: at,
				failureRate: own.failureRate,
				nextTryAt: state === 'OPEN' ? until : undefined,
				forced: { reason, by, until },
			};
		},
		close: () => breaker.close(),
	};
}
