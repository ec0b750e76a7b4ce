import { unlessAborted } from '@paddock/resilience';

export interface KeyedQueue {
	/** First in, first out; resolves with the function that releases the turn. @throws the signal's reason if it is aborted first. */
	enter(key: string, signal: AbortSignal): Promise<() => void>;
	/**
	 * For the work before `enter`: resolves at once while few callers wait, otherwise together with all others that came since,
	 * once few are left, so that they can share what they read. Their order is that of `enter`: a caller that comes while they
	 * read may enter before them, and the queue is empty if they read for longer than those before them take.
	 * @throws as `enter`
	 */
	gather(key: string, signal: AbortSignal): Promise<void>;
}

/** So many callers wait while the next ones prepare. */
const gatherFrom = 8;

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
	const gathered = new Map<string, PromiseWithResolvers<void>>();
	/** Removes a caller that was served or gave up. */
	const remove = (key: string, queue: Turn[], turn: Turn): void => {
		queue.splice(queue.indexOf(turn), 1);
		if (queue.length === 0) queues.delete(key);
		if (queue.length >= gatherFrom) return;
		gathered.get(key)?.resolve();
		gathered.delete(key);
	};
	const leave = (key: string, turn: Turn): void => {
		const queue = queues.get(key) ?? [];
		remove(key, queue, turn);
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
		gather: async (key, signal) => {
			if ((queues.get(key)?.length ?? 0) < gatherFrom) return;
			const together = gathered.get(key) ?? Promise.withResolvers<void>();
			gathered.set(key, together);
			await unlessAborted(together.promise, signal);
		},
		enter: (key, signal) =>
			new Promise((resolve, reject) => {
				if (signal.aborted) {
					reject(signal.reason);
					return;
				}
				const queue = queues.get(key) ?? [];
				queues.set(key, queue);
				const giveUp = (): void => {
					remove(key, queue, turn);
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
