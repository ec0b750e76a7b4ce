export interface BulkheadSettings {
	/** Attempts at once. */
	readonly max: number;
	/** Attempts that may wait for their turn; further ones are refused at once. */
	readonly waitingMax: number;
}

/** Keeps a slow instance from taking up the whole gateway: https://microservices.io/patterns/reliability/bulkhead.html */
export interface Bulkhead {
	/**
	 * A place, to be given back by calling the function; at once where there is one. Undefined = no place: too many
	 * wait already, `waitMs` has passed, or the signal was aborted.
	 */
	enter(waitMs: number, signal: AbortSignal): Leave | Promise<Leave | undefined> | undefined;
}

type Leave = () => void;

/**
 * Limits attempts before they reach an agent. An agent of Node's counts a connection only once it stands, so that a
 * burst makes far more than `maxSockets`; and its queue, unlike this one, has no deadline.
 */
export function createBulkhead(settings: BulkheadSettings): Bulkhead {
	let inside = 0;
	const waiting = new Set<() => void>();
	const place = (): Leave => {
		inside += 1;
		let left = false;
		return () => {
			if (left) return;
			left = true;
			inside -= 1;
			const [next] = waiting;
			next?.();
		};
	};
	return {
		enter: (waitMs, signal) => {
			if (inside < settings.max) return place();
			if (waiting.size >= settings.waitingMax || signal.aborted) return undefined;
			return new Promise((resolve) => {
				const end = (leave: Leave | undefined): void => {
					waiting.delete(onTurn);
					clearTimeout(timer);
					signal.removeEventListener('abort', onGiveUp);
					resolve(leave);
				};
				const onTurn = (): void => end(place());
				const onGiveUp = (): void => end(undefined);
				const timer = setTimeout(onGiveUp, waitMs);
				signal.addEventListener('abort', onGiveUp);
				waiting.add(onTurn);
			});
		},
	};
}
