import type { KeyObject } from 'node:crypto';
import type { RefreshStatus } from './refresher.ts';

/** Receives the `kid`s that are no longer published or now identify another key; empty if keys were only added. */
export type WithdrawnKidsListener = (withdrawnKids: ReadonlySet<string>) => void;

export interface KeySet {
	/** The key with this `kid`, if published. @throws ApiError SERVICE_UNAVAILABLE for an unknown one while keys can't be fetched */
	find(kid: string): Promise<KeyObject | undefined>;
	/** Calls the listener after each change, with the withdrawn `kid`s. Returns the function to unsubscribe. */
	onChange(listener: WithdrawnKidsListener): () => void;
	/** Stale if the last fetch failed, and before the first success. */
	status(): RefreshStatus;
	close(): void;
}

export interface RefreshedKeySet extends KeySet {
	/** Starts fetching at once and then regularly, until `close()`. Without it keys are fetched on first use. */
	start(): void;
	ready(): boolean;
	/** Fetches now, or joins the fetch in progress. Resolves to whether keys arrived; `status()` reports a failure. */
	refresh(): Promise<boolean>;
}

export interface KeySetLogger {
	info(message: string, details: object): unknown;
	warn(message: string, details: object): unknown;
	error(message: string, details: object): unknown;
}
