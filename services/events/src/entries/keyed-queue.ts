/** Runs one caller at a time, by key. */
export interface KeyedQueue {
	/**
	 * Resolves when it is the caller's turn, in the order of the calls, with the function that ends the turn.
	 * @throws the signal's reason when it is aborted first.
	 */
	enter(key: string, signal: AbortSignal): Promise<() => void>;
}

interface Turn {
	begin(): void;
}

/**
 * Changes of an event's places wait for the lock on its row; here they wait without a connection, or one event whose entries
 * have just opened would hold the whole pool and block all other requests. The lock is authoritative: other processes have
 * queues of their own.
 */
export function createKeyedQueue(): KeyedQueue {
	const queues = new Map<string, Turn[]>();
	const leave = (key: string): void => {
		const queue = queues.get(key) ?? [];
		queue.shift();
		const [next] = queue;
		if (next === undefined) queues.delete(key);
		else next.begin();
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
						resolve(once(() => leave(key)));
					},
				};
				signal.addEventListener('abort', giveUp, { once: true });
				queue.push(turn);
				if (queue.length === 1) turn.begin();
			}),
	};
}
