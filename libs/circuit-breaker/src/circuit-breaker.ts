export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

export interface BreakerSettings {
	/** How long a result counts. At least three times the longest attempt, or a burst would be forgotten before it ends. */
	readonly windowMs: number;
	/** The breaker doesn't open with fewer results than this in the window. */
	readonly volume: number;
	/** More failures than this share of the window's results open the breaker. */
	readonly failurePercent: number;
	/** Reset timeout: how long it stays open before the instance is called again. */
	readonly openMs: number;
}

/**
 * The permit for one attempt. Exactly one of `succeeded`, `failed` and `abandoned` must be reported, when the response
 * body has ended; later calls do nothing.
 */
export interface Admission {
	/** It is the half-open probe: no other attempt is admitted until its result is known. */
	readonly isProbe: boolean;
	succeeded(): void;
	failed(cause: unknown): void;
	/** The attempt says nothing about the instance, e.g. because the client left. */
	abandoned(): void;
	/**
	 * Decides a half-open probe whose response streams for long: the breaker closes, and the result that is reported
	 * later counts like that of any other attempt. Does nothing for other attempts.
	 */
	streaming(): void;
}

export interface BreakerView {
	readonly state: BreakerState;
	readonly since: Date;
	/** Failures in the window, 0 to 1; undefined without a result. */
	readonly failureRate: number | undefined;
	/** When an open breaker may become half-open. */
	readonly nextTryAt: Date | undefined;
}

/** A change of state and the result that caused it. */
export interface BreakerTransition {
	readonly from: BreakerState;
	readonly to: BreakerState;
	readonly cause: unknown;
}

export interface CircuitBreaker {
	/** Whether `admit` would admit now. */
	admits(): boolean;
	/** Undefined while open, and while half-open with a probe in flight. */
	admit(): Admission | undefined;
	view(): BreakerView;
	close(): void;
}
