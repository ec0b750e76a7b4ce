import { EventEmitter } from 'node:events';
import CircuitBreaker from 'opossum';

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

export const breakerDefault: BreakerSettings = {
	windowMs: 30_000,
	volume: 10,
	failurePercent: 50,
	openMs: 10_000,
};

/** The right to make one attempt. Exactly one of its ends must be reported; later calls do nothing. */
export interface Admission {
	succeeded(): void;
	failed(cause: unknown): void;
	/** The attempt says nothing about the instance, e.g. because nobody waits for it any more. */
	abandoned(): void;
}

export type PeerBreakerState = 'CLOSED' | 'OPEN' | 'HALF_OPEN';

export interface InstanceBreaker {
	/** Undefined while it is open, and while it is half-open with a trial under way. */
	admit(): Admission | undefined;
	/** Whether `admit` would admit now. */
	admits(): boolean;
	state(): PeerBreakerState;
	/** Until its next trial; 0 when it isn't open. */
	waitMs(): number;
	close(): void;
}

export interface InstanceBreakerDeps {
	readonly settings: BreakerSettings;
	readonly now: () => Date;
	readonly onChange: (state: 'open' | 'halfOpen' | 'closed', cause: unknown) => void;
}

const buckets = 10;

/** One opossum breaker that is told results instead of wrapping calls: see docs/decisions/0002-breakers-are-told-results.md. */
export function createInstanceBreaker({ settings, now, onChange }: InstanceBreakerDeps): InstanceBreaker {
	const rotation = new EventEmitter();
	const breaker = new CircuitBreaker((result: () => Promise<void>) => result(), {
		timeout: false,
		rollingCountTimeout: settings.windowMs,
		rollingCountBuckets: buckets,
		volumeThreshold: settings.volume,
		errorThresholdPercentage: settings.failurePercent,
		resetTimeout: settings.openMs,
		rollingPercentilesEnabled: false,
		enableSnapshots: false,
		rotateBucketController: rotation,
	});
	const clock = setInterval(() => rotation.emit('rotate'), settings.windowMs / buckets);
	clock.unref();
	// Counts the changes of state: what began before one says nothing about the state after it.
	let epoch = 0;
	let openUntilMs: number | undefined;
	let trialUnderWay = false;
	let lastCause: unknown;
	const become = (state: 'open' | 'halfOpen' | 'closed'): void => {
		epoch += 1;
		openUntilMs = state === 'open' ? now().getTime() + settings.openMs : undefined;
		trialUnderWay = false;
		onChange(state, lastCause);
	};
	breaker.on('open', () => become('open'));
	breaker.on('halfOpen', () => become('halfOpen'));
	breaker.on('close', () => {
		// opossum keeps the window: without this, one failure after the recovery would open it again.
		for (let bucket = 0; bucket < buckets; bucket += 1) rotation.emit('rotate');
		become('closed');
	});
	const tell = (result: () => Promise<void>, cause: unknown): void => {
		lastCause = cause;
		breaker.fire(result).catch(ignoreOwnResult);
	};
	const admits = (): boolean => breaker.closed || (breaker.halfOpen && !trialUnderWay);
	const admit = (): Admission | undefined => {
		if (!admits()) return undefined;
		const begunIn = epoch;
		const isTrial = breaker.halfOpen;
		trialUnderWay = isTrial;
		let ended = false;
		const counts = (): boolean => {
			const first = !ended;
			ended = true;
			return first && begunIn === epoch;
		};
		return {
			succeeded: () => counts() && tell(() => Promise.resolve(), undefined),
			failed: (cause) => counts() && tell(() => Promise.reject(cause), cause),
			abandoned: () => {
				if (counts() && isTrial) trialUnderWay = false;
			},
		};
	};
	return {
		admits,
		admit,
		state: () => {
			if (breaker.closed) return 'CLOSED';
			return breaker.halfOpen ? 'HALF_OPEN' : 'OPEN';
		},
		waitMs: () => Math.max(0, (openUntilMs ?? 0) - now().getTime()),
		close: () => {
			clearInterval(clock);
			breaker.shutdown();
		},
	};
}

// fire() rejects with the very result that it was told; whoever reported it has dealt with it.
function ignoreOwnResult(): void {}
