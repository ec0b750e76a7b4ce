import { apiError } from '@paddock/contract';
import { callWithin } from './call-within.ts';
import type { KeySetLogger, KeySetStatus, RefreshedKeySet } from './key-set.ts';
import type { JsonWebKeySet } from './public-jwk.ts';
import { createPublishedKeys } from './published-keys.ts';
import { createRefresher } from './refresher.ts';

export interface RemoteKeySetDeps {
	/** Resolves to a JWK set, not yet validated. */
	readonly fetchKeys: (signal: AbortSignal) => Promise<unknown>;
	readonly now: () => Date;
	readonly logger: KeySetLogger;
	readonly random?: () => number;
	/** The interval after a successful fetch. */
	readonly refreshEveryMs?: number;
	/** Minimum interval between two fetches for unknown `kid`s, so that made-up `kid`s can't multiply the load. */
	readonly unknownKidCooldownMs?: number;
	/** Time-out of one fetch and of all callers waiting for it. */
	readonly timeoutMs?: number;
}

const startGraceMs = 10_000;
const retryMsMax = 5_000;

/**
 * The auth context's keys in every other process: fetched each minute and for an unknown `kid`; a failed fetch keeps the
 * previous keys. `fetchKeys` is injected because the address comes from discovery; see `fetchKeysFrom`.
 */
export function createRemoteKeySet(deps: RemoteKeySetDeps): RefreshedKeySet {
	const { fetchKeys, logger, now, random = Math.random } = deps;
	const { refreshEveryMs = 60_000, unknownKidCooldownMs = 10_000, timeoutMs = 2_000 } = deps;
	const keys = createPublishedKeys(logger);
	const cooldown = createCooldown(now, unknownKidCooldownMs);
	let lastFetchedAt: Date | undefined;
	let lastError: string | undefined;
	let reported = false;
	// Services start in any order, so missing keys are expected at first.
	const quietUntilMs = now().getTime() + startGraceMs;

	async function fetchOnce(closed: AbortSignal): Promise<boolean> {
		try {
			keys.replace(await callWithin(fetchKeys, timeoutMs, closed));
			if (reported) logger.info('token keys can be fetched again', {});
			reported = false;
			lastFetchedAt = now();
			lastError = undefined;
			return true;
		} catch (error) {
			if (closed.aborted) return false;
			// Once per outage: the attempts repeat every few seconds.
			if (!reported && (lastFetchedAt !== undefined || now().getTime() >= quietUntilMs)) {
				logger.warn('token keys could not be fetched', { error });
				reported = true;
			}
			lastError = error instanceof Error ? error.message : String(error);
			return false;
		}
	}

	const refresher = createRefresher({
		fetchOnce,
		pauseMs: refreshEveryMs,
		backoffMaxMs: Math.min(retryMsMax, refreshEveryMs),
		random,
	});

	return {
		find: async (kid) => {
			// Callers wait for a fetch in progress, whatever its cause.
			if (keys.get(kid) === undefined && (refresher.busy() || cooldown.begin())) {
				await refresher.refresh();
				// The `kid` was genuine, so the next unknown one may be genuine too.
				if (keys.get(kid) !== undefined) cooldown.end();
			}
			const key = keys.get(kid);
			// Without the latest keys the token may be valid; INVALID_TOKEN would make the client sign out.
			if (key === undefined && (lastFetchedAt === undefined || lastError !== undefined))
				throw keysMissing(lastError);
			return key;
		},
		current: keys.current,
		onChange: keys.onChange,
		status: () => statusOf(lastFetchedAt, lastError),
		start: refresher.start,
		ready: () => lastFetchedAt !== undefined,
		refresh: refresher.refresh,
		close: () => {
			refresher.close('The key set is closed.');
			keys.close();
		},
	};
}

/**
 * The same inside the auth context. Another instance may rotate the keys, so they are refreshed too, but more often:
 * reading them is cheap here.
 * @param deps.source the keys that this process publishes, e.g. the rows of its database
 */
export function createLocalKeySet(
	deps: Pick<RemoteKeySetDeps, 'now' | 'logger'> & { readonly source: () => Promise<JsonWebKeySet> },
): RefreshedKeySet {
	const { source: fetchKeys, now, logger } = deps;
	return createRemoteKeySet({ fetchKeys, now, logger, refreshEveryMs: 5_000, unknownKidCooldownMs: 1_000 });
}

/** `begin` returns true at most once in `cooldownMs`, unless `end` is called before. */
function createCooldown(now: () => Date, cooldownMs: number): { begin: () => boolean; end: () => void } {
	let lastMs = Number.NEGATIVE_INFINITY;
	return {
		begin: () => {
			const nowMs = now().getTime();
			// A clock that was set back must not block fetches until it has caught up.
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
