import { startRetryLoop } from './retry-loop.ts';

export interface StoredValue {
	readonly text: string;
	/** Opaque; for `write`. */
	readonly version: string;
}

export type StoredValues = ReadonlyMap<string, StoredValue>;

export interface SharedValues {
	/**
	 * Calls the listener with all stored values, and again whenever one changes, the store responds after a failure, or this
	 * process has written one. If the listener rejects, it is called again later. Called at most once.
	 * @returns resolves after the first attempt to read, successful or not
	 */
	follow(listener: (stored: StoredValues) => Promise<void>): Promise<void>;
	/** @throws Error if the store doesn't respond */
	read(): Promise<StoredValues>;
	/**
	 * Replaces a value unless it has changed since `version`, undefined if there was none; an undefined text removes it.
	 * @returns whether it was replaced
	 * @throws Error if the store doesn't respond or refuses; then it may have been replaced nevertheless
	 */
	write(key: string, text: string | undefined, version: string | undefined): Promise<boolean>;
	/** Whether the store failed to respond to the last attempt to follow it. */
	stale(): boolean;
	/** Stops following. Idempotent. */
	close(): Promise<void>;
}

interface ValueStore extends Pick<SharedValues, 'read' | 'write'> {
	/** Reads the values, if the store can, only once one has changed. `fresh`: at once, whatever was read before. */
	next(fresh: boolean, signal: AbortSignal): Promise<StoredValues>;
}

interface ValueLogger {
	info(message: string, details: object): unknown;
	warn(message: string, details: object): unknown;
}

/** Follows stored values with back-off; reads again what a write of this process may have overtaken. */
export function sharedValues(
	store: ValueStore,
	deps: {
		readonly prefix: string;
		/** Minimum interval between two reads in milliseconds. */
		readonly periodMs: number;
		readonly random: () => number;
		readonly logger: ValueLogger;
	},
): SharedValues {
	const { prefix, periodMs, random, logger } = deps;
	let stop = async (): Promise<void> => {};
	let failed = false;
	let fresh = true;
	let writes = 0;
	const follow = (listener: (stored: StoredValues) => Promise<void>): Promise<void> => {
		const { promise: attempted, resolve } = Promise.withResolvers<void>();
		const step = async (signal: AbortSignal): Promise<number> => {
			const before = writes;
			const stored = await store.next(fresh, signal);
			// They may be older than what this process has just written.
			fresh = writes !== before;
			if (!fresh) await listener(stored);
			if (failed) logger.info('shared values followed again', { prefix });
			failed = false;
			resolve();
			return 0;
		};
		const loop = startRetryLoop({
			step,
			onFailure: (error) => {
				if (!failed) logger.warn('shared values lost', { prefix, error });
				failed = true;
				fresh = true;
				resolve();
			},
			periodMinMs: periodMs,
			random,
			unref: true,
		});
		stop = () => loop.stop();
		return attempted;
	};
	return {
		follow,
		read: store.read,
		write: async (key, text, version) => {
			try {
				return await store.write(key, text, version);
			} finally {
				writes += 1;
			}
		},
		stale: () => failed,
		close: () => stop(),
	};
}
