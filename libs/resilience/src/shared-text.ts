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
