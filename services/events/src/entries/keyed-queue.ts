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
	/**
	 * As `enter`, for work that can be done for several callers at once: the caller whose turn begins works for those directly behind
	 * it that came with the same kind of work, too. Each gets the result or the error of its own item.
	 * @throws as `enter`, also during the work, which goes on for the others; the error of the item; an error of `work`
	 */
	together<Item, Result>(key: string, shared: SharedWork<Item, Result>, signal: AbortSignal): Promise<Result>;
}

interface SharedWork<Item, Result> {
	/** Equal if the same `work` can be done for both items. */
	readonly kind: string;
	readonly item: Item;
	/** Results in the order of the items. Called by one of the callers. */
	readonly work: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>;
}

/** So many callers wait while the next ones prepare. */
const gatherFrom = 8;

/** The lock on the event is kept for all of them; other processes wait for it. */
const togetherMax = 16;

interface Turn {
	begin(): void;
	readonly share?: Share | undefined;
	/** Removes it from the queue: another caller works for it. */
	take(): void;
}

interface Share {
	readonly kind: string;
	readonly item: unknown;
	readonly result: PromiseWithResolvers<unknown>;
}

/** A turn that has begun: those for whom its caller works besides. */
interface BegunTurn {
	readonly along: readonly Share[];
	leave(): void;
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
	/** Resolves when the turn begins; with undefined if another caller works for it. */
	const wait = (key: string, signal: AbortSignal, share?: Share): Promise<BegunTurn | undefined> =>
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
				share,
				begin: () => {
					signal.removeEventListener('abort', giveUp);
					resolve({ along: takeAlong(queue, turn), leave: once(() => leave(key, turn)) });
				},
				take: () => {
					signal.removeEventListener('abort', giveUp);
					remove(key, queue, turn);
					resolve(undefined);
				},
			};
			signal.addEventListener('abort', giveUp, { once: true });
			queue.push(turn);
			if (queue.length <= atOnce) turn.begin();
		});
	return {
		gather: async (key, signal) => {
			if ((queues.get(key)?.length ?? 0) < gatherFrom) return;
			const together = gathered.get(key) ?? Promise.withResolvers<void>();
			gathered.set(key, together);
			await unlessAborted(together.promise, signal);
		},
		enter: async (key, signal) => {
			const turn = await wait(key, signal);
			if (turn === undefined) throw new TypeError('A turn without shared work was taken.');
			return turn.leave;
		},
		together: async <Item, Result>(
			key: string,
			{ work, ...shared }: SharedWork<Item, Result>,
			signal: AbortSignal,
		) => {
			const result = Promise.withResolvers<Result>();
			const own = { ...shared, result } as unknown as Share;
			const turn = await wait(key, signal, own);
			if (turn !== undefined) {
				const shares = [own, ...turn.along];
				void settle(shares, work(shares.map(({ item }) => item as Item))).then(turn.leave);
			}
			return unlessAborted(result.promise, signal);
		},
	};
}

/** Those directly behind a turn with the same kind of work. */
function takeAlong(queue: readonly Turn[], turn: Turn): readonly Share[] {
	const along: Share[] = [];
	const { share } = turn;
	if (share === undefined) return along;
	const behind = queue.indexOf(turn) + 1;
	while (along.length < togetherMax - 1) {
		const next = queue[behind];
		if (next?.share?.kind !== share.kind) break;
		next.take();
		along.push(next.share);
	}
	return along;
}

async function settle(
	shares: readonly Share[],
	working: Promise<readonly PromiseSettledResult<unknown>[]>,
): Promise<void> {
	try {
		const outcomes = await working;
		for (const [index, { result }] of shares.entries()) {
			const outcome = outcomes[index];
			if (outcome?.status === 'fulfilled') result.resolve(outcome.value);
			else
				result.reject(
					outcome?.reason ?? new TypeError('Work for several callers without the result of one.'),
				);
		}
	} catch (error) {
		for (const { result } of shares) result.reject(error);
	}
}
