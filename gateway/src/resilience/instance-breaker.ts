import { EventEmitter } from 'node:events';
import CircuitBreaker from 'opossum';
import type { BreakerOrder } from './breaker-orders.ts';

export type BreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

export interface BreakerSettings {
	/** How long a result counts. At least three times the longest attempt, or a burst would be forgotten before it ends. */
	readonly windowMs: number;
	/** Fewer results than this in the window prove nothing. */
	readonly volume: number;
	/** More failures than this share of the window's results open the breaker. */
	readonly failurePercent: number;
	/** Reset timeout: how long it stays open before the instance is tried again. */
	readonly openMs: number;
}

/**
 * The right to make one attempt. Exactly one of `succeeded`, `failed` and `abandoned` must be reported, when the response
 * body has ended; later calls do nothing.
 */
export interface Admission {
	/** It is the half-open probe: no other request is admitted until it is decided. */
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

/** A change of state and the result that caused it. */
export interface BreakerTransition {
	readonly from: BreakerState;
	readonly to: BreakerState;
	readonly cause: unknown;
}

export interface BreakerView {
	readonly state: BreakerState;
	readonly since: Date;
	/** Failures in the window, 0 to 1; undefined without a result. */
	readonly failureRate: number | undefined;
	/** When an open breaker may become half-open, or one forced open admits requests again. */
	readonly nextTryAt: Date | undefined;
	/** The administrator's override; absent without one. */
	readonly forced?: Pick<BreakerOrder, 'reason' | 'by' | 'until'>;
}

export interface InstanceBreaker {
	/** Whether `admit` would admit now. */
	admits(): boolean;
	/** Undefined while open, and while half-open with a probe in flight. */
	admit(): Admission | undefined;
	view(): BreakerView;
	close(): void;
}

export interface InstanceBreakerDeps {
	readonly settings: BreakerSettings;
	readonly now: () => Date;
	/**
	 * Called when the reset timeout has elapsed: true = become half-open, false = stay open for another reset timeout.
	 * Must not reject. Without it the breaker becomes half-open at once.
	 */
	readonly mayProbe?: () => Promise<boolean>;
	readonly onTransition?: (transition: BreakerTransition) => void;
}

const buckets = 10;

/**
 * One opossum breaker that receives results instead of wrapping calls: an attempt ends with its response body or its
 * failure, has deadlines of its own, and may end as neither success nor failure, for which opossum has no word. Wrapped
 * calls would also be counted as fired when they start and as failed when they end, so that a burst of timeouts longer
 * than the window never opens it.
 */
export function createInstanceBreaker(deps: InstanceBreakerDeps): InstanceBreaker {
	return new OpossumBreaker(deps);
}

class OpossumBreaker implements InstanceBreaker {
	readonly #deps: InstanceBreakerDeps;
	readonly #library: ReturnType<typeof openLibraryBreaker>;
	#since: Date;
	#state: BreakerState = 'CLOSED';
	#nextTryAt: Date | undefined;
	/** Counts the changes of state: an attempt that began before one says nothing about the state after it. */
	#epoch = 0;
	#probeInFlight = false;
	#lastCause: unknown;
	#closed = false;

	constructor(deps: InstanceBreakerDeps) {
		this.#deps = deps;
		this.#since = deps.now();
		this.#library = openLibraryBreaker(deps.settings);
		const { breaker, clearWindow } = this.#library;
		breaker.on('open', () => {
			this.#nextTryAt = new Date(deps.now().getTime() + deps.settings.openMs);
			if (this.#state !== 'OPEN') this.#become('OPEN');
		});
		breaker.on('halfOpen', () => this.#resetTimeoutElapsed());
		breaker.on('close', () => {
			// opossum keeps the window: without this, one failure after the recovery would open it again.
			clearWindow();
			this.#become('CLOSED');
		});
	}

	admits(): boolean {
		return this.#state === 'CLOSED' || (this.#state === 'HALF_OPEN' && !this.#probeInFlight);
	}

	admit(): Admission | undefined {
		if (!this.admits()) return undefined;
		const isProbe = this.#state === 'HALF_OPEN';
		this.#probeInFlight = isProbe;
		let decides = isProbe;
		let countsIn = this.#epoch;
		const ends = once((result) => {
			if (countsIn !== this.#epoch) return;
			if (decides) this.#decide(result);
			else this.#count(result);
		});
		const streaming = (): void => {
			if (!decides || countsIn !== this.#epoch) return;
			decides = false;
			this.#decide(succeeded);
			countsIn = this.#epoch;
		};
		return { isProbe, ...ends, streaming };
	}

	view(): BreakerView {
		return {
			state: this.#state,
			since: this.#since,
			failureRate: failureRateOf(this.#library.breaker.stats),
			nextTryAt: this.#state === 'OPEN' ? this.#nextTryAt : undefined,
		};
	}

	close(): void {
		this.#closed = true;
		this.#library.close();
	}

	#become(next: BreakerState): void {
		const previous = this.#state;
		this.#state = next;
		this.#since = this.#deps.now();
		this.#epoch += 1;
		this.#probeInFlight = false;
		this.#deps.onTransition?.({ from: previous, to: next, cause: this.#lastCause });
	}

	/** opossum is half-open by now; until the health probe has ended nothing is admitted, so it receives no result. */
	async #resetTimeoutElapsed(): Promise<void> {
		const { mayProbe } = this.#deps;
		const isReady = mayProbe === undefined || (await mayProbe());
		if (this.#closed) return;
		if (isReady) this.#become('HALF_OPEN');
		else this.#library.breaker.open();
	}

	#decide(result: Result): void {
		if (result.kind === 'abandoned') this.#probeInFlight = false;
		else if (result.kind === 'succeeded') this.#library.breaker.close();
		else {
			this.#lastCause = result.cause;
			this.#library.breaker.open();
		}
	}

	#count(result: Result): void {
		const { breaker } = this.#library;
		// While closed a success only adds to the number that failures are compared with.
		if (result.kind === 'succeeded') breaker.emit('fire');
		if (result.kind !== 'failed') return;
		this.#lastCause = result.cause;
		breaker.fire(() => Promise.reject(result.cause)).catch(ignoreOwnResult);
	}
}

/** The library's breaker with a window that moves on a timer of ours. */
function openLibraryBreaker(settings: BreakerSettings) {
	const rotation = new EventEmitter();
	const breaker = new CircuitBreaker((result: () => Promise<void>) => result(), {
		timeout: false,
		rollingCountTimeout: settings.windowMs,
		rollingCountBuckets: buckets,
		volumeThreshold: settings.volume,
		errorThresholdPercentage: settings.failurePercent,
		resetTimeout: settings.openMs,
		// Each failure would concatenate and sort every latency of the window.
		rollingPercentilesEnabled: false,
		enableSnapshots: false,
		rotateBucketController: rotation,
	});
	const clock = setInterval(() => rotation.emit('rotate'), settings.windowMs / buckets);
	clock.unref();
	return {
		breaker,
		clearWindow: () => {
			for (let bucket = 0; bucket < buckets; bucket += 1) rotation.emit('rotate');
		},
		close: () => {
			clearInterval(clock);
			breaker.shutdown();
		},
	};
}

type Result = { readonly kind: 'succeeded' } | { readonly kind: 'abandoned' } | Failed;

interface Failed {
	readonly kind: 'failed';
	readonly cause: unknown;
}

/** The three ends of an attempt, of which the first that is reported counts. */
function once(report: (end: Result) => void): Pick<Admission, 'succeeded' | 'failed' | 'abandoned'> {
	let ended = false;
	const endWith = (end: Result): void => {
		if (ended) return;
		ended = true;
		report(end);
	};
	return {
		succeeded: () => endWith(succeeded),
		failed: (cause) => endWith({ kind: 'failed', cause }),
		abandoned: () => endWith(abandoned),
	};
}

const succeeded: Result = { kind: 'succeeded' };
const abandoned: Result = { kind: 'abandoned' };

function failureRateOf(stats: { failures: number; fires: number }): number | undefined {
	return stats.fires === 0 ? undefined : stats.failures / stats.fires;
}

// fire() rejects with the failure that was reported to it; the attempt has handled that failure.
function ignoreOwnResult(): void {}
