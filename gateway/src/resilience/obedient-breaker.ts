import type { BreakerOrder } from './breaker-orders.ts';
import type { Admission, InstanceBreaker } from './instance-breaker.ts';

// Somebody has taken it upon themselves to let requests through, whatever comes of it.
const uncounted: Admission = { succeeded: () => {}, failed: () => {}, abandoned: () => {} };

/**
 * A breaker that obeys an administrator's order while one stands: open = nobody is let through, closed = everybody.
 * Results of requests don't count meanwhile. What the breaker itself knows goes on underneath, its trials included,
 * and holds again as soon as the order ends.
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
