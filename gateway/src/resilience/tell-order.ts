import type { Logger } from '@paddock/telemetry';
import type { HealthHistory } from '../health/health-history.ts';
import type { BreakerOrder, OrderChange } from './breaker-orders.ts';

/** Who forced a breaker, when and why, is asked later: it goes into the log and the history. */
export function tellOrder(deps: { logger: Logger; history: HealthHistory }) {
	return function tellOrder({ target, from, to, cause }: OrderChange): void {
		const change = { from: wordFor(from), to: wordFor(to) };
		const until = to === undefined ? undefined : to.until.toISOString();
		deps.logger.warn('circuit breaker order', { ...target, ...change, cause, by: to?.by, until });
		deps.history.record({
			...target,
			what: 'breaker',
			...change,
			cause: to === undefined ? cause : `${cause} (by ${to.by}, until ${until})`,
		});
	};
}

function wordFor(order: BreakerOrder | undefined): string {
	return order === undefined ? 'AUTO' : `FORCED_${order.state}`;
}
