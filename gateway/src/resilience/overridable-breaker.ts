import type { Admission, BreakerView, CircuitBreaker } from '@paddock/circuit-breaker';
import type { BreakerOverride, OverrideTable } from './override-table.ts';

export interface OverridableView extends BreakerView {
	/** The administrator's override; absent without one. `nextTryAt` is then the end of an override to open. */
	readonly forced?: Pick<BreakerOverride, 'reason' | 'by' | 'byName' | 'until'>;
}

export interface OverridableBreaker extends CircuitBreaker {
	view(): OverridableView;
	/** The breaker's own state, whatever an override says. */
	ownView(): BreakerView;
}

// A breaker that is forced closed counts no results.
const uncounted: Admission = {
	isProbe: false,
	succeeded: () => {},
	failed: () => {},
	abandoned: () => {},
	streaming: () => {},
};

/**
 * A breaker that an administrator can force open or closed. While overridden it counts no results; its own state,
 * health probes included, continues underneath and applies again when the override ends.
 */
export function overridableBreaker(
	breaker: CircuitBreaker,
	overrides: Pick<OverrideTable, 'of'>,
	{ context, instance }: { readonly context: string; readonly instance: string },
): OverridableBreaker {
	const currentOverride = () => overrides.of(context, instance);
	return {
		admits: () => {
			const override = currentOverride();
			return override === undefined ? breaker.admits() : override.state === 'CLOSED';
		},
		admit: () => {
			const override = currentOverride();
			if (override === undefined) return breaker.admit();
			return override.state === 'CLOSED' ? uncounted : undefined;
		},
		view: () => {
			const own = breaker.view();
			const override = currentOverride();
			if (override === undefined) return own;
			const { state, at, reason, by, byName, until } = override;
			return {
				state,
				since: at,
				failureRate: own.failureRate,
				nextTryAt: state === 'OPEN' ? until : undefined,
				forced: { reason, by, byName, until },
			};
		},
		ownView: () => breaker.view(),
		close: () => breaker.close(),
	};
}
