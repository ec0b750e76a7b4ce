import { apiError } from '@paddock/contract';
import { type RetryLoop, startRetryLoop } from '@paddock/resilience';
import { callWithin } from './call-within.ts';
import type { KeySetLogger, KeySetStatus, RefreshedKeySet } from './key-set.ts';
import { createPublishedKeys } from './published-keys.ts';

export interface RefreshedKeySetDeps {
	/** Resolves to a JWK set, not yet checked. */
	readonly fetchKeys: (signal: AbortSignal) => Promise<unknown>;
	readonly now: () => Date;
	readonly logger: KeySetLogger;
	readonly random: () => number;
	/** The pause after a successful fetch. */
	readonly refreshEveryMs: number;
	/** From a fetch for the sake of a made-up `kid` to the next one for an unknown one, so that they can't multiply the load. */
	readonly unknownKidCooldownMs: number;
	/** One fetch ends after this, and with it the waiting for it. */
	readonly timeoutMs: number;
}

const startGraceMs = 10_000;
const retryMsMax = 5_000;

/** Keys from a source that may be unavailable: fetched regularly and for an unknown `kid`, kept when a fetch fails. */
export function createRefreshedKeySet(deps: RefreshedKeySetDeps): RefreshedKeySet {
	const { logger, now } = deps;
	const closing = new AbortController();
	const keys = createPublishedKeys(logger);
	const cooldown = createCooldown(now, deps.unknownKidCooldownMs);
	let lastFetchedAt: Date | undefined;
	let lastError: string | undefined;
	let told = false;
	// Services start in any order, so at first it is no news that the keys aren't there yet.
	const quietUntilMs = now().getTime() + startGraceMs;
	let fetching: Promise<boolean> | undefined;

	async function fetchOnce(): Promise<boolean> {
		try {
			keys.replace(await callWithin(deps.fetchKeys, deps.timeoutMs, closing.signal));
			if (told) logger.info('token keys can be fetched again', {});
			told = false;
			lastFetchedAt = now();
			lastError = undefined;
			return true;
		} catch (error) {
			if (closing.signal.aborted) return false;
			// Once per outage: the attempts go on every few seconds.
			if (!told && (lastFetchedAt !== undefined || now().getTime() >= quietUntilMs)) {
				logger.warn('token keys could not be fetched', { error });
				told = true;
			}
			lastError = error instanceof Error ? error.message : String(error);
			return false;
		}
	}

	function refresh(): Promise<boolean> {
		if (closing.signal.aborted) return Promise.resolve(false);
		fetching ??= fetchOnce().finally(() => {
			fetching = undefined;
		});
		return fetching;
	}

	let loop: RetryLoop | undefined;
	const start = (): void => {
		if (closing.signal.aborted) return;
		loop ??= startRetryLoop({
			step: async () => ((await refresh()) ? deps.refreshEveryMs : undefined),
			backoffMaxMs: Math.min(retryMsMax, deps.refreshEveryMs),
			random: deps.random,
			unref: true,
		});
	};

	return {
		find: async (kid) => {
			// Callers wait for a fetch in progress, whatever started it.
			if (keys.get(kid) === undefined && (fetching !== undefined || cooldown.begin())) {
				await refresh();
				// It wasn't made up: the next one that is new may be as good.
				if (keys.get(kid) !== undefined) cooldown.end();
			}
			const key = keys.get(kid);
			// Without the latest keys it may well be a good token's: who is told that it isn't, signs out.
			if (key === undefined && (lastFetchedAt === undefined || lastError !== undefined))
				throw keysMissing(lastError);
			return key;
		},
		current: keys.current,
		onChange: keys.onChange,
		status: () => statusOf(lastFetchedAt, lastError),
		start,
		ready: () => lastFetchedAt !== undefined,
		refresh,
		close: () => {
			closing.abort(new Error('The key set is closed.'));
			void loop?.stop();
			keys.close();
		},
	};
}

/** `begin` is true at most once in `cooldownMs`, unless it is ended before. */
function createCooldown(now: () => Date, cooldownMs: number): { begin: () => boolean; end: () => void } {
	let lastMs = Number.NEGATIVE_INFINITY;
	return {
		begin: () => {
			const nowMs = now().getTime();
			// A clock that was set back must not block this until it has caught up.
			if (nowMs >= lastMs && nowMs - lastMs < cooldownMs) return false;
			lastMs = nowMs;
			return true;
		},
		end: () => {
			lastMs = Number.NEGATIVE_INFINITY;
		},
	};
}

function keysMissing(lastError: string | undefined) {
	return apiError('SERVICE_UNAVAILABLE', {
		message: 'Tokens can’t be checked at the moment. Try again shortly.',
		retryAfterMs: retryMsMax,
		cause: new Error(`The latest token keys are not there: ${lastError ?? 'not fetched'}`),
	});
}

function statusOf(lastFetchedAt: Date | undefined, lastError: string | undefined): KeySetStatus {
	return {
		stale: lastFetchedAt === undefined || lastError !== undefined,
		...(lastFetchedAt === undefined ? {} : { lastFetchedAt }),
		...(lastError === undefined ? {} : { lastError }),
	};
}
