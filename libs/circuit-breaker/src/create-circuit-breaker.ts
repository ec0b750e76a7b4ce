import type {
	Admission,
	BreakerSettings,
	BreakerState,
	BreakerTransition,
	BreakerView,
	CircuitBreaker,
} from './circuit-breaker.ts';
import { openOpossum, type Result } from './opossum.ts';

export interface CircuitBreakerDeps {
	readonly settings: BreakerSettings;
	readonly now: () => Date;
	/**
	 * Called when the reset timeout has elapsed: true = become half-open, false = stay open for another reset timeout.
	 * Must not reject. Without it the breaker becomes half-open at once.
	 */
	readonly mayProbe?: () => Promise<boolean>;
	readonly onTransition?: (transition: BreakerTransition) => void;
}

/** One opossum breaker that receives results instead of wrapping calls: docs/decisions/0002-breakers-receive-results.md. */
export function createCircuitBreaker(deps: CircuitBreakerDeps): CircuitBreaker {
	return new OpossumBreaker(deps);
}

class OpossumBreaker implements CircuitBreaker {
	readonly #deps: CircuitBreakerDeps;
	readonly #opossum: ReturnType<typeof openOpossum>;
	#since: Date;
	#nextTryAt: Date | undefined;
	/** Counts the state changes: the result of an attempt from before a change must not affect the state after it. */
	#epoch = 0;
	/** The state before the last change. */
	#reported: BreakerState = 'CLOSED';
	/** opossum is half-open, but `mayProbe` has not allowed the probe yet. */
	#awaitsProbe = false;
	#probeInFlight = false;
	#lastCause: unknown;

	constructor(deps: CircuitBreakerDeps) {
		this.#deps = deps;
		this.#since = deps.now();
		this.#opossum = openOpossum(deps.settings);
		const { breaker, clearWindow } = this.#opossum;
		breaker.on('open', () => {
			const now = deps.now();
			this.#nextTryAt = new Date(now.getTime() + deps.settings.openMs);
			this.#changed(now);
		});
		breaker.on('halfOpen', () => this.#resetTimeoutElapsed());
		breaker.on('close', () => {
			// opossum doesn't clear its window: without this, one failure after the recovery would open it again.
			clearWindow();
			this.#changed();
		});
	}

	get #state(): BreakerState {
		const { breaker } = this.#opossum;
		if (breaker.closed) return 'CLOSED';
		return breaker.halfOpen && !this.#awaitsProbe ? 'HALF_OPEN' : 'OPEN';
	}

	admits(): boolean {
		const { breaker } = this.#opossum;
		return breaker.closed || (breaker.halfOpen && !this.#awaitsProbe && !this.#probeInFlight);
	}

	admit(): Admission | undefined {
		if (!this.admits()) return undefined;
		const isProbe = !this.#opossum.breaker.closed;
		this.#probeInFlight = isProbe;
		let decides = isProbe;
		let countsIn = this.#epoch;
		const ends = once((result) => {
			if (countsIn !== this.#epoch) return;
			if (result.kind === 'failed') this.#lastCause = result.cause;
			if (!decides) this.#opossum.count(result);
			else if (result.kind === 'abandoned') this.#probeInFlight = false;
			else this.#opossum.decide(result);
		});
		const streaming = (): void => {
			if (!decides || countsIn !== this.#epoch) return;
			decides = false;
			this.#opossum.decide({ kind: 'succeeded' });
			countsIn = this.#epoch;
		};
		return { isProbe, ...ends, streaming };
	}

	view(): BreakerView {
		const state = this.#state;
		const { fires, failures } = this.#opossum.breaker.stats;
		return {
			state,
			since: this.#since,
			failureRate: fires === 0 ? undefined : failures / fires,
			nextTryAt: state === 'OPEN' ? this.#nextTryAt : undefined,
		};
	}

	close(): void {
		this.#opossum.close();
	}

	/** Nothing is admitted before `mayProbe` allows the probe, so opossum receives no result while half-open. */
	async #resetTimeoutElapsed(): Promise<void> {
		const { mayProbe } = this.#deps;
		if (mayProbe !== undefined) {
			this.#awaitsProbe = true;
			const allowed = await mayProbe();
			this.#awaitsProbe = false;
			if (this.#opossum.breaker.isShutdown) return;
			if (!allowed) {
				this.#opossum.breaker.open();
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
