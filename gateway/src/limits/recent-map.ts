/**
 * Milliseconds of the machine's monotonic clock: the same in all processes of the machine, and not set with its wall clock. For
 * all times after which a client may send again.
 */
export function monotonicMs(): number {
	const [seconds, nanoseconds] = process.hrtime();
	return seconds * 1_000 + nanoseconds / 1_000_000;
}

interface RecentMap<T> {
	get(key: string): T | undefined;
	set(key: string, value: T): void;
}

/** Drops entries that were not used for one to two periods, without a timer for each and without searching for them. */
export function createRecentMap<T>(deps: {
	readonly periodMs: number;
	/** Monotonic milliseconds. */
	readonly nowMs: () => number;
}): RecentMap<T> {
	let recent = new Map<string, T>();
	let older = new Map<string, T>();
	let rotatesAtMs = Number.NEGATIVE_INFINITY;
	return {
		get: (key) => {
			const atMs = deps.nowMs();
			if (atMs >= rotatesAtMs) {
				older = recent;
				recent = new Map();
				rotatesAtMs = atMs + deps.periodMs;
			}
			const entry = recent.get(key);
			if (entry !== undefined) return entry;
			const old = older.get(key);
			if (old !== undefined) recent.set(key, old);
			return old;
		},
		set: (key, value) => {
			recent.set(key, value);
		},
	};
}
