/** FIFO queue that admits a few callers at a time per key. */
export interface KeyedQueue {
	/** First in, first out; resolves with the function that releases the turn. @throws the signal's reason if it is aborted first. */
	enter(key: string, signal: AbortSignal): Promise<() => void>;
}

interface Turn {
	begin(): void;
}

/**
 * Changes of an event's places wait for the lock on its row. Queueing here needs no connection; otherwise one popular
 * event could hold the whole pool and block all other requests. The row lock is authoritative: other processes have
 * queues of their own. With two at once, one begins and waits for the lock while the other one commits and responds.
 */
export function createKeyedQueue({ atOnce }: { readonly atOnce: number }): KeyedQueue {
	const queues = new Map<string, Turn[]>();
	const leave = (key: string, turn: Turn): void => {
		const queue = queues.get(key) ?? [];
		queue.splice(queue.indexOf(turn), 1);
		if (queue.length === 0) queues.delete(key);
		queue[atOnce - 1]?.begin();
	};
	const once = (action: () => void): (() => void) => {
		let done = false;
		return () => {
			if (!done) action();
			done = true;
		};
	};
	return {
		enter: (key, signal) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) {
					reject(signal.reason);
					return;
				}
				const queue = queues.get(key) ?? [];
				queues.set(key, queue);
				const giveUp = (): void => {
					queue.splice(queue.indexOf(turn), 1);
					reject(signal.reason);
				};
				const turn: Turn = {
					begin: () => {
						signal.removeEventListener('abort', giveUp);
						resolve(once(() => leave(key, turn)));
					},
				};
				signal.addEventListener('abort', giveUp, { once: true });
				queue.push(turn);
				if (queue.length <= atOnce) turn.begin();
			}),
	};
}
