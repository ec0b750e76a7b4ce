import { startRetryLoop } from './retry-loop.ts';

/** A text as it was stored at one moment. */
export interface StoredText {
	/** Undefined if there is none: it was never written, or the store has lost its data. */
	readonly text: string | undefined;
	/** Opaque; for `write`. */
	readonly version: string;
}

/** A text in a store that all processes of a deployment use. */
export interface SharedText {
	/**
	 * Calls the listener with the stored text, and again whenever it changes, the store responds after a failure, or this
	 * process has read or written it. If the listener rejects, it is called again later. Called at most once.
	 * @returns resolves after the first attempt to read, successful or not
	 */
	follow(listener: (stored: StoredText) => Promise<void>): Promise<void>;
	/** @throws Error if the store doesn't respond */
	read(): Promise<StoredText>;
	/**
	 * Replaces the text unless it has changed since `version`. @returns whether it was replaced
	 * @throws Error if the store doesn't respond or refuses; then it may have been replaced nevertheless
	 */
	write(text: string, version: string): Promise<boolean>;
	/** Whether the store failed to respond to the last attempt to follow it. */
	stale(): boolean;
	/** Stops following. Idempotent. */
	close(): Promise<void>;
}

/** One way to store a text. */
interface TextStore extends Pick<SharedText, 'read' | 'write'> {
	/** Reads the text, if the store can, only once it has changed. `fresh`: at once, whatever was read before. */
	next(fresh: boolean, signal: AbortSignal): Promise<StoredText>;
}

interface TextLogger {
	info(message: string, details: object): unknown;
	warn(message: string, details: object): unknown;
}

/**
 * Follows a stored text with back-off. A text that was read while this process wrote another is read again. The first
 * failure and the recovery are logged.
 */
export function sharedText(
	store: TextStore,
	deps: {
		/** For the log. */
		readonly key: string;
		/** Minimum interval between two reads in milliseconds. */
		readonly periodMs: number;
		readonly random: () => number;
		readonly logger: TextLogger;
	},
): SharedText {
	const { key, periodMs, random, logger } = deps;
	let stop = async (): Promise<void> => {};
	let failed = false;
	let fresh = true;
	let writes = 0;
	const follow = (listener: (stored: StoredText) => Promise<void>): Promise<void> => {
		const { promise: attempted, resolve } = Promise.withResolvers<void>();
		const step = async (signal: AbortSignal): Promise<number> => {
			const before = writes;
			const stored = await store.next(fresh, signal);
			// It may be older than what this process has just written.
			fresh = writes !== before;
			if (!fresh) await listener(stored);
			if (failed) logger.info('shared value followed again', { key });
			failed = false;
			resolve();
			return 0;
		};
		const loop = startRetryLoop({
			step,
			onFailure: (error) => {
				if (!failed) logger.warn('shared value lost', { key, error });
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
		write: async (text, version) => {
			try {
				return await store.write(text, version);
			} finally {
				writes += 1;
			}
		},
		stale: () => failed,
		close: () => stop(),
	};
}
