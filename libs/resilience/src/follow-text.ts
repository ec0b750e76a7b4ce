import { startRetryLoop } from './retry-loop.ts';
import type { SharedText, StoredText } from './shared-text.ts';

/** One way to store a text. */
interface TextStore extends Pick<SharedText, 'read' | 'write'> {
	/** Reads the text, if the store can, only once it has changed. `fresh`: at once, whatever was read before. */
	next(fresh: boolean, signal: AbortSignal): Promise<StoredText>;
}

/** Follows a stored text with back-off. A text that was read while this process wrote another is read again. */
export function sharedText(
	store: TextStore,
	deps: {
		/** Minimum interval between two reads in milliseconds. */
		readonly periodMs: number;
		readonly onFailure: (error: unknown) => void;
		readonly onRecovery: () => void;
		readonly random: () => number;
	},
): SharedText {
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
			if (failed) deps.onRecovery();
			failed = false;
			resolve();
			return 0;
		};
		const loop = startRetryLoop({
			step,
			onFailure: (error) => {
				if (!failed) deps.onFailure(error);
				failed = true;
				fresh = true;
				resolve();
			},
			periodMinMs: deps.periodMs,
			random: deps.random,
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
