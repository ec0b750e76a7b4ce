interface BulkheadSettings {
	/** Slots. */
	readonly max: number;
	/** Length of the queue; further callers are refused at once. */
	readonly waitingMax: number;
}

/** Keeps one slow dependency from taking up a whole process: https://microservices.io/patterns/reliability/bulkhead.html */
export interface Bulkhead {
	/**
	 * Acquires a slot, at once if one is free; the returned function releases it. Undefined = no slot: the queue is full,
	 * `waitMs` has passed, or the signal was aborted.
	 */
	enter(waitMs: number, signal?: AbortSignal): Release | Promise<Release | undefined> | undefined;
	/** Length of the queue. */
	readonly waiting: number;
}

type Release = () => void;

/** A bulkhead whose queue is first in, first out. */
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
			if (waiting.size >= settings.waitingMax || signal?.aborted === true) return undefined;
			return new Promise((resolve) => {
				const end = (release: Release | undefined): void => {
					waiting.delete(onFree);
					clearTimeout(timer);
					signal?.removeEventListener('abort', giveUp);
					resolve(release);
				};
				const onFree = (): void => end(acquire());
				const giveUp = (): void => end(undefined);
				const timer = setTimeout(giveUp, waitMs);
				signal?.addEventListener('abort', giveUp);
				waiting.add(onFree);
			});
		},
		get waiting() {
			return waiting.size;
		},
	};
}
