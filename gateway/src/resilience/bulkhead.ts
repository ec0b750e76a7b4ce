interface BulkheadSettings {
	/** Concurrent attempts. */
	readonly max: number;
	/** Length of the queue; further attempts are refused at once. */
	readonly waitingMax: number;
}

/** Keeps a slow instance from taking up the whole gateway: https://microservices.io/patterns/reliability/bulkhead.html */
export interface Bulkhead {
	/**
	 * Acquires a slot, at once if one is free; the returned function releases it. Undefined = no slot: the queue is full,
	 * `waitMs` has passed, or the signal was aborted.
	 */
	enter(waitMs: number, signal: AbortSignal): Release | Promise<Release | undefined> | undefined;
}

type Release = () => void;

/**
 * Limits attempts before they reach an agent. An agent of Node.js counts a connection only once it is open, so a burst
 * opens far more than `maxSockets`; and its queue, unlike this one, has no deadline.
 */
export function createBulkhead(settings: BulkheadSettings): Bulkhead {
	let taken = 0;
	const waiting = new Set<() => void>();
	const acquire = (): Release => {
		taken += 1;
		let released = false;
		return () => {
			if (released) return;
			released = true;
			taken -= 1;
			const [next] = waiting;
			next?.();
		};
	};
	return {
		enter: (waitMs, signal) => {
			if (taken < settings.max) return acquire();
			if (waiting.size >= settings.waitingMax || signal.aborted) return undefined;
			return new Promise((resolve) => {
				const end = (release: Release | undefined): void => {
					waiting.delete(onFree);
					clearTimeout(timer);
					signal.removeEventListener('abort', giveUp);
					resolve(release);
				};
				const onFree = (): void => end(acquire());
				const giveUp = (): void => end(undefined);
				const timer = setTimeout(giveUp, waitMs);
				signal.addEventListener('abort', giveUp);
				waiting.add(onFree);
			});
		},
	};
}
