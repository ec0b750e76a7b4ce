import { EventEmitter } from 'node:events';
import Opossum from 'opossum';
import type {
	Admission,
	BreakerSettings,
	BreakerState,
	BreakerTransition,
	BreakerView,
	CircuitBreaker,
} from './circuit-breaker.ts';

interface CircuitBreakerDeps {
	readonly settings: BreakerSettings;
	readonly now: () => Date;
	readonly nowMs?: () => number;
	/** Called when the reset timeout has elapsed: whether to become half-open, by default true. Must not reject. */
	readonly mayProbe?: () => Promise<boolean>;
	readonly onTransition?: (transition: BreakerTransition) => void;
}

/** One opossum breaker that receives results instead of wrapping calls: docs/decisions/0002-breakers-receive-results.md. */
export function openCircuitBreaker(deps: CircuitBreakerDeps): CircuitBreaker {
	return new OpossumBreaker(deps);
}

type Result =
	| { readonly kind: 'succeeded' }
	| { readonly kind: 'failed'; readonly cause: unknown }
	| { readonly kind: 'abandoned' };

const buckets = 10;
/** Two clocks are never read at once. */
const clockToleranceMs = 500;

class OpossumBreaker implements CircuitBreaker {
	readonly #deps: CircuitBreakerDeps;
	readonly #opossum: Opossum<[result: () => Promise<void>], void>;
	readonly #rotation = new EventEmitter();
	readonly #clock: NodeJS.Timeout;
	#since: Date;
	#openedAtMs = 0;
	#openedAt: Date;
	readonly #nowMs: () => number;
	/** Counts the state changes: the result of an attempt from before a change must not affect the state after it. */
	#epoch = 0;
	#reported: BreakerState = 'CLOSED';
	/** opossum is half-open, but `mayProbe` has not allowed the probe yet. */
	#awaitsProbe = false;
	#probeInFlight = false;
	#isTripped = false;
	#lastCause: unknown;

	constructor(deps: CircuitBreakerDeps) {
		const { settings } = deps;
		this.#deps = deps;
		this.#since = deps.now();
		this.#openedAt = this.#since;
		this.#nowMs = deps.nowMs ?? (() => performance.now());
		this.#opossum = new Opossum((result: () => Promise<void>) => result(), {
			timeout: false,
			rollingCountTimeout: settings.windowMs,
			rollingCountBuckets: buckets,
			volumeThreshold: settings.volume,
			errorThresholdPercentage: settings.failurePercent,
			resetTimeout: settings.openMs,
			// Each failure would concatenate and sort every latency of the window.
			rollingPercentilesEnabled: false,
			enableSnapshots: false,
			rotateBucketController: this.#rotation,
		});
		this.#clock = setInterval(() => this.#rotation.emit('rotate'), settings.windowMs / buckets);
		this.#clock.unref();
		this.#opossum.on('open', () => {
			this.#openedAtMs = this.#nowMs();
			this.#openedAt = deps.now();
			this.#changed(this.#openedAt);
		});
		this.#opossum.on('halfOpen', () => this.#resetTimeoutElapsed());
		this.#opossum.on('close', () => {
			this.#isTripped = false;
			// opossum doesn't clear its window: without this, one failure after the recovery would open it again.
			for (let bucket = 0; bucket < buckets; bucket += 1) this.#rotation.emit('rotate');
			this.#changed();
		});
	}

	get #state(): BreakerState {
		if (this.#opossum.closed) return 'CLOSED';
		return this.#opossum.halfOpen && !this.#awaitsProbe ? 'HALF_OPEN' : 'OPEN';
	}

	admits(): boolean {
		const { closed, halfOpen } = this.#opossum;
		return closed || (halfOpen && !this.#awaitsProbe && !this.#probeInFlight);
	}

	admit(): Admission | undefined {
		if (!this.admits()) return undefined;
		const isProbe = !this.#opossum.closed;
		this.#probeInFlight = isProbe;
		let decides = isProbe;
		let countsIn = this.#epoch;
		const ends = once((result) => {
			if (countsIn !== this.#epoch) return;
			if (result.kind === 'failed') this.#lastCause = result.cause;
			if (!decides) this.#count(result);
			else if (result.kind === 'abandoned') this.#probeInFlight = false;
			else this.#decide(result);
		});
		const streaming = (): void => {
			if (!decides || countsIn !== this.#epoch) return;
			decides = false;
			this.#decide({ kind: 'succeeded' });
			countsIn = this.#epoch;
		};
		return { isProbe, ...ends, streaming };
	}

	trip(cause: Error): void {
		if (!this.#opossum.closed) return;
		this.#isTripped = true;
		this.#lastCause = cause;
		this.#opossum.open();
	}

	reset(): void {
		if (!this.#isTripped) return;
		this.#lastCause = undefined;
		this.#opossum.close();
	}

	view(): BreakerView {
		const state = this.#state;
		const { fires, failures } = this.#opossum.stats;
		return {
			state,
			since: this.#since,
			failureRate: fires === 0 ? undefined : failures / fires,
			nextTryAt: state === 'OPEN' ? this.#nextTryAt() : undefined,
		};
	}

	close(): void {
		clearInterval(this.#clock);
		this.#opossum.shutdown();
	}

	/** The reset timeout ends by a timer, so its end by the wall clock moves if that is set: clients are told the difference. */
	#nextTryAt(): Date {
		const { now, settings } = this.#deps;
		const elapsedMs = this.#nowMs() - this.#openedAtMs;
		const setMs = now().getTime() - this.#openedAt.getTime() - elapsedMs;
		const isSet = Math.abs(setMs) > clockToleranceMs;
		return new Date(this.#openedAt.getTime() + settings.openMs + (isSet ? setMs : 0));
	}

	/** While closed. */
	#count(result: Result): void {
		if (result.kind === 'abandoned') return;
		const settled = result.kind === 'succeeded' ? succeed : () => Promise.reject(result.cause);
		this.#opossum.fire(settled).catch(ignoreOwnResult);
	}

	/** While half-open; at once, unlike `#count`. */
	#decide({ kind }: Result): void {
		if (kind === 'succeeded') this.#opossum.close();
		else {
			this.#isTripped = false;
			this.#opossum.open();
		}
	}

	/** Nothing is admitted before `mayProbe` allows the probe, so opossum receives no result while half-open. */
	async #resetTimeoutElapsed(): Promise<void> {
		const { mayProbe } = this.#deps;
		if (mayProbe !== undefined) {
			this.#awaitsProbe = true;
			const allowed = await mayProbe();
			this.#awaitsProbe = false;
			// `reset` may have closed it.
			if (this.#opossum.isShutdown || this.#opossum.closed) return;
			if (!allowed) {
				this.#opossum.open();
				return;
			}
		}
		this.#changed();
	}

	#changed(now = this.#deps.now()): void {
		const from = this.#reported;
		const to = this.#state;
		if (from === to) return;
		this.#reported = to;
		this.#since = now;
		this.#epoch += 1;
		this.#probeInFlight = false;
		this.#deps.onTransition?.({ from, to, cause: this.#lastCause });
	}
}

/** The three outcomes of an attempt; only the first one reported counts. */
function once(report: (result: Result) => void): Pick<Admission, 'succeeded' | 'failed' | 'abandoned'> {
	let ended = false;
	const end = (result: Result): void => {
		if (ended) return;
		ended = true;
		report(result);
	};
	return {
		succeeded: () => end({ kind: 'succeeded' }),
		failed: (cause) => end({ kind: 'failed', cause }),
		abandoned: () => end({ kind: 'abandoned' }),
	};
}

const succeed = (): Promise<void> => Promise.resolve();

// fire() rejects with the failure that was reported to it; the attempt has handled that failure.
function ignoreOwnResult(): void {}
