/** OPEN: no attempt is admitted. HALF_OPEN: one attempt, the probe, decides whether the breaker closes. */
export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

export interface BreakerSettings {
	/** Period for which a result counts; at least three times the longest attempt. */
	readonly windowMs: number;
	/** The breaker doesn't open with fewer results than this in the window. */
	readonly volume: number;
	/** The breaker opens if the failures exceed this percentage of the window's results. */
	readonly failurePercent: number;
	/** Reset timeout: period in the open state before the instance is called again. */
	readonly openMs: number;
}

/** For calls to a service, by the gateway and by other services. */
export const breakerDefault: BreakerSettings = {
	windowMs: 30_000,
	volume: 10,
	failurePercent: 50,
	openMs: 10_000,
};

/** The permit for one attempt. One of `succeeded`, `failed` and `abandoned` must be reported when the body has ended. */
export interface Admission {
	/** It is the half-open probe: no other attempt is admitted until its result is known. */
	readonly isProbe: boolean;
	succeeded(): void;
	failed(cause: unknown): void;
	/** The attempt has no result about the instance, e.g. because the client disconnected. */
	abandoned(): void;
	/** Closes the breaker after a half-open probe with a long stream; its later result counts as usual. No effect on other attempts. */
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

/** Admits the attempts at one instance of a service, and stops them while too many fail. */
export interface CircuitBreaker {
	admits(): boolean;
	/** Undefined while open, and while half-open with a probe in flight. */
	admit(): Admission | undefined;
	/** Opens a closed breaker whatever its results are. No effect on one that is open or half-open. */
	trip(cause: Error): void;
	/** Closes a breaker that `trip` has opened. No effect on any other. */
	reset(): void;
	view(): BreakerView;
	close(): void;
}
