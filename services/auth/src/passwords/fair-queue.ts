import { apiError } from '@paddock/contract';

/** Queueing parameters of a piece of work. */
export interface QueueTurn {
	/** Work with the same key shares one line, e.g. all attempts from one client address. */
	readonly key: string;
	/** Displaces other work when the queue is full and no line is longer than its own. */
	readonly preferred?: boolean;
	/** Abort signal of the caller; work is not started after the caller has disconnected. */
	readonly signal: AbortSignal;
}

export interface FairQueue {
	/**
	 * Runs `work` when a slot is free. Lines are served round robin, one piece of work each.
	 * @throws ApiError OVERLOADED if the queue is full, or if the caller disconnects before the work starts.
	 */
	run<Result>(turn: QueueTurn, work: () => Promise<Result>): Promise<Result>;
	/** Number of queued pieces of work. */
	waiting(): number;
}

interface FairQueueOptions {
	readonly atOnce: number;
	readonly waitingMax: number;
	/** For `Retry-After` of a refusal. */
	readonly retryAfterMs: number;
	readonly onRefused?: () => void;
}

interface Waiting {
	readonly start: () => void;
	readonly refuse: (cause: string) => void;
}

interface Line {
	readonly key: string;
	readonly preferred: boolean;
	readonly waiting: Waiting[];
}

/**
 * Runs at most `atOnce` pieces of work concurrently and queues at most `waitingMax`. A password hash occupies one core
 * for tens of milliseconds: without a bound a burst of sign-ins would starve every other route. Lines are served round
 * robin. When the queue is full, the newest entry of the longest line is dropped (longest queue drop), so one address
 * can't starve the others.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
	// Ordered by next turn.
	const lines = new Map<string, Line>();
	let running = 0;
	let waiting = 0;

	const overloaded = (cause: string) => {
		options.onRefused?.();
		return apiError('OVERLOADED', {
			// All other parts of the service work; the gateway's circuit breaker reads this header.
			headers: { 'X-Failed-Part': 'password hashing' },
			retryAfterMs: options.retryAfterMs,
			cause: new Error(cause),
		});
	};
	const leave = (line: Line, entry: Waiting): void => {
		const index = line.waiting.indexOf(entry);
		if (index === -1) return;
		line.waiting.splice(index, 1);
		waiting -= 1;
		if (line.waiting.length === 0) lines.delete(line.key);
	};
	const startNext = (): void => {
		const [line] = lines.values();
		const [entry] = line?.waiting ?? [];
		if (line === undefined || entry === undefined || running >= options.atOnce) return;
		leave(line, entry);
		// Move the line to the end of the round.
		if (lines.delete(line.key)) lines.set(line.key, line);
		running += 1;
		entry.start();
	};
	const makeRoom = (line: Line): void => {
		if (waiting < options.waitingMax) return;
		const longest = [...lines.values()].reduce<Line | undefined>(longerOf, undefined);
		const newest = longest?.waiting.at(-1);
		if (longest === undefined || newest === undefined || !yieldsTo(longest, line))
			throw overloaded('too many password hashes wait');
		leave(longest, newest);
		newest.refuse('displaced by work of a shorter line');
	};
	const turnOf = ({ key, preferred = false, signal }: QueueTurn): Promise<void> => {
		const line = lines.get(key) ?? { key, preferred, waiting: [] };
		makeRoom(line);
		return new Promise((resolve, reject) => {
			const onAbort = (): void => {
				leave(line, entry);
				entry.refuse('the caller left while waiting for a password hash');
			};
			const settle = (): void => signal.removeEventListener('abort', onAbort);
			const entry: Waiting = {
				start: () => {
					settle();
					resolve();
				},
				refuse: (cause) => {
					settle();
					reject(overloaded(cause));
				},
			};
			signal.addEventListener('abort', onAbort, { once: true });
			line.waiting.push(entry);
			lines.set(key, line);
			waiting += 1;
		});
	};
	return {
		run: async (turn, work) => {
			if (turn.signal.aborted) throw overloaded('the caller left before its password hash');
			if (running < options.atOnce && waiting === 0) running += 1;
			else await turnOf(turn);
			try {
				return await work();
			} finally {
				running -= 1;
				startNext();
			}
		},
		waiting: () => waiting,
	};
}

/** The line that loses an entry first: the longer one; of two equally long lines, the one that isn't preferred. */
function longerOf(a: Line | undefined, b: Line): Line {
	if (a === undefined) return b;
	const difference = a.waiting.length - b.waiting.length;
	if (difference === 0) return a.preferred && !b.preferred ? b : a;
	return difference > 0 ? a : b;
}

/** Whether the longest line loses an entry to a new one of `line`. */
function yieldsTo(longest: Line, line: Line): boolean {
	const difference = longest.waiting.length - (line.waiting.length + 1);
	if (difference === 0) return line.preferred && !longest.preferred;
	return difference > 0;
}
