import type { BreakerState, BreakerView } from '@paddock/resilience';
import type { BreakerReport } from './channel.ts';

const severity: Readonly<Record<BreakerState, number>> = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 };

export interface MergedBreaker {
	readonly view: BreakerView;
	/** Why it changed last. */
	readonly cause: string | undefined;
}

/**
 * The breaker of an instance for the whole gateway: the most severe state of any worker, since requests are refused in that
 * worker. `since`: when the first of these workers entered it; `failureRate`: the highest.
 * @returns undefined without a report
 */
export function mergedBreaker(reports: readonly BreakerReport[]): MergedBreaker | undefined {
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
