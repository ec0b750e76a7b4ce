/** Time and chance; tests replace them. */
export interface Runtime {
	/** Milliseconds since 1970. */
	now(): number;
	/** A number from 0 to 1. */
	random(): number;
	/** Resolves after so many milliseconds; rejects with the reason of `signal` once it is aborted. */
	pause(ms: number, signal: AbortSignal): Promise<void>;
}

export const realRuntime: Runtime = {
	now: Date.now,
	random: Math.random,
	pause: (ms, signal) => {
		let timer: ReturnType<typeof setTimeout>;
		const elapsed = new Promise<void>((resolve) => {
			timer = setTimeout(resolve, ms);
		});
		return untilAborted(elapsed, signal).finally(() => clearTimeout(timer));
	},
};

/** The result of `promise`, unless `signal` is aborted first: then rejects with its reason. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) abort();
		signal.addEventListener('abort', abort);
		promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
	});
}
