import { EventEmitter } from 'node:events';
import Opossum from 'opossum';
import type { BreakerSettings } from './circuit-breaker.ts';

/** The outcome of an attempt. */
export type Result =
	| { readonly kind: 'succeeded' }
	| { readonly kind: 'failed'; readonly cause: unknown }
	| { readonly kind: 'abandoned' };

const buckets = 10;

/** opossum's breaker, fed with results instead of calls and with a window that can be cleared. */
export function openOpossum(settings: BreakerSettings) {
	const rotation = new EventEmitter();
	const breaker = new Opossum((result: () => Promise<void>) => result(), {
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
		/** While closed. */
		count: (result: Result): void => {
			if (result.kind === 'abandoned') return;
			const settled = result.kind === 'succeeded' ? succeed : () => Promise.reject(result.cause);
			breaker.fire(settled).catch(ignoreOwnResult);
		},
		/** While half-open; at once, unlike `count`. */
		decide: ({ kind }: Result): void => {
			if (kind === 'succeeded') breaker.close();
			else breaker.open();
		},
		clearWindow: (): void => {
			for (let bucket = 0; bucket < buckets; bucket += 1) rotation.emit('rotate');
		},
		close: (): void => {
			clearInterval(clock);
			breaker.shutdown();
		},
	};
}

const succeed = (): Promise<void> => Promise.resolve();

// fire() rejects with the failure that was reported to it; the attempt has handled that failure.
function ignoreOwnResult(): void {}
