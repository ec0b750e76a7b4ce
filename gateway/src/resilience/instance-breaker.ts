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
	/** How long it stays open before one trial. */
	readonly openMs: number;
}

/** The right to make one attempt. Exactly one of its three ends must be reported; later calls do nothing. */
export interface Admission {
	succeeded(): void;
	failed(cause: unknown): void;
	/** The attempt says nothing about the instance, e.g. because the client left. */
	abandoned(): void;
}

export interface BreakerView {
	readonly state: BreakerState;
	readonly since: Date;
	/** Failures in the window, 0 to 1; undefined without a result. */
	readonly failureRate: number | undefined;
	/** When an open breaker admits a trial, or one forced open requests again. */
	readonly nextTryAt: Date | undefined;
	/** The order that it obeys; absent while it decides itself. */
	readonly forced?: Pick<BreakerOrder, 'reason' | 'by' | 'until'>;
}

export interface InstanceBreaker {
	/** Whether `admit` would admit now. */
	admits(): boolean;
	/** Undefined while open, and while half-open with a trial under way. */
	admit(): Admission | undefined;
	view(): BreakerView;
	close(): void;
}

export interface InstanceBreakerDeps {
	readonly settings: BreakerSettings;
	readonly now: () => Date;
	readonly onTransition?: (from: BreakerState, to: BreakerState, cause: unknown) => void;
}

const buckets = 10;

/**
 * One opossum breaker that is told results instead of wrapping calls: an attempt ends at its response headers or
 * its failure, with deadlines of its own, and may end as neither success nor failure, for which opossum has no word.
 * Wrapped calls would also be counted as fired when they start and as failed when they end, so that a burst of
 * time-outs longer than the window never opens it.
 */
export function createInstanceBreaker(deps: InstanceBreakerDeps): InstanceBreaker {
	const { settings, now } = deps;
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
	let since = now();
	let state: BreakerState = 'CLOSED';
	// Counts the changes of state: what began before one says nothing about the state after it.
	let epoch = 0;
	let trialUnderWay = false;
	let lastCause: unknown;
	const become = (next: BreakerState): void => {
		const previous = state;
		state = next;
		since = now();
		epoch += 1;
		trialUnderWay = false;
		deps.onTransition?.(previous, next, lastCause);
	};
	breaker.on('open', () => become('OPEN'));
	breaker.on('halfOpen', () => become('HALF_OPEN'));
	breaker.on('close', () => {
		// opossum keeps the window: without this, one failure after the recovery would open it again.
		for (let bucket = 0; bucket < buckets; bucket += 1) rotation.emit('rotate');
		become('CLOSED');
	});
	const tell = (result: () => Promise<void>, cause: unknown): void => {
		lastCause = cause;
		breaker.fire(result).catch(ignoreOwnResult);
	};
	const admits = (): boolean => state === 'CLOSED' || (state === 'HALF_OPEN' && !trialUnderWay);
	return {
		admits,
		admit: () => {
			if (!admits()) return undefined;
			const begunIn = epoch;
			const isTrial = state === 'HALF_OPEN';
			trialUnderWay = isTrial;
			return once((end) => {
				if (begunIn !== epoch) return;
				// While closed a success is no more to opossum than one in the number that failures are held against.
				if (end.kind === 'succeeded' && !isTrial) breaker.emit('fire');
				else if (end.kind === 'succeeded') tell(() => Promise.resolve(), undefined);
				else if (end.kind === 'failed') tell(() => Promise.reject(end.cause), end.cause);
				else if (isTrial) trialUnderWay = false;
			});
		},
		view: () => ({
			state,
			since,
			failureRate: failureRateOf(breaker.stats),
			nextTryAt: state === 'OPEN' ? new Date(since.getTime() + settings.openMs) : undefined,
		}),
		close: () => {
			clearInterval(clock);
			breaker.shutdown();
		},
	};
}

type End =
	| { readonly kind: 'succeeded' | 'abandoned' }
	| { readonly kind: 'failed'; readonly cause: unknown };

/** An admission that reports its first end and no other. */
function once(report: (end: End) => void): Admission {
	let ended = false;
	const endWith = (end: End): void => {
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

const succeeded: End = { kind: 'succeeded' };
const abandoned: End = { kind: 'abandoned' };

function failureRateOf(stats: { failures: number; fires: number }): number | undefined {
	return stats.fires === 0 ? undefined : stats.failures / stats.fires;
}

// fire() rejects with the very result that it was told; whoever reported it has dealt with it.
function ignoreOwnResult(): void {}
