import type { KeyObject } from 'node:crypto';

export interface KeySetStatus {
	/** When keys last arrived; absent until the first time. */
	lastFetchedAt?: Date;
	/** True while the last attempt to get the keys has failed, or before the first has succeeded. */
	stale: boolean;
	/** Why the last attempt failed; absent when it didn't. For operators, not for clients. */
	lastError?: string;
}

/** Gets the `kid`s that are no longer published or now stand for another key; empty when keys were only added. */
export type WithdrawnKidsListener = (withdrawnKids: ReadonlySet<string>) => void;

/** The public keys that tokens are verified with, by `kid`. */
export interface KeySet {
	/**
	 * The key with exactly this `kid`; undefined when no such key is published.
	 * @throws ApiError SERVICE_UNAVAILABLE for one that isn't known while the latest keys can't be got: it may be new.
	 */
	find(kid: string): Promise<KeyObject | undefined>;
	/** The known `kid`s. */
	current(): ReadonlySet<string>;
	/**
	 * Calls back after each change; what withdrawn keys signed must not be believed any more. Returns how to stop it.
	 */
	onChange(listener: WithdrawnKidsListener): () => void;
	status(): KeySetStatus;
	/** Ends fetching; known keys can still be found. */
	close(): void;
}

/** A key set that keeps itself up to date from a source. */
export interface RefreshedKeySet extends KeySet {
	/** Begins to fetch at once and then regularly, until `close()`. Without it keys are fetched when first asked for. */
	start(): void;
	/** Whether keys have arrived at least once. */
	ready(): boolean;
	/** Fetches now, or joins the fetch under way. Resolves to whether keys arrived; a failure shows in `status()`. */
	refresh(): Promise<boolean>;
}

/** The part of a logger that a key set needs. */
export interface KeySetLogger {
	info(message: string, details: object): unknown;
	warn(message: string, details: object): unknown;
	error(message: string, details: object): unknown;
}
