import { apiError } from '@paddock/contract';
import type { KeySetLogger, RefreshedKeySet } from './key-set.ts';
import { openPublishedKeys } from './published-keys.ts';
import { openRefresher } from './refresher.ts';
import type { JsonWebKeySet } from './signing-key.ts';

export interface RemoteKeySetDeps {
	/** Resolves to a JWK set, not yet validated. */
	readonly fetchKeys: (signal: AbortSignal) => Promise<unknown>;
	readonly now: () => Date;
	readonly logger: KeySetLogger;
	readonly random?: () => number;
	readonly refreshEveryMs?: number;
	/** Minimum interval between two fetches for unknown `kid`s, so that made-up `kid`s can't multiply the load. */
	readonly unknownKidCooldownMs?: number;
	/** Time-out of one fetch and of all callers waiting for it. */
	readonly timeoutMs?: number;
}

const retryMsMax = 5_000;

/** The auth context's keys in other processes: fetched each minute and for an unknown `kid`; a failed fetch keeps the former ones. */
export function openRemoteKeySet(deps: RemoteKeySetDeps): RefreshedKeySet {
	const { fetchKeys, logger, now, random = Math.random } = deps;
	const { refreshEveryMs = 60_000, unknownKidCooldownMs = 10_000, timeoutMs = 2_000 } = deps;
	const keys = openPublishedKeys(logger);
	const cooldown = createCooldown(now, unknownKidCooldownMs);
	const refresher = openRefresher({
		fetch: fetchKeys,
		accept: keys.replace,
		isStale: ({ lastResponseAt, lastError }) => lastResponseAt === undefined || lastError !== undefined,
		messages: { lost: 'token keys could not be fetched', recovered: 'token keys can be fetched again' },
		timeoutMs,
		pauseMs: refreshEveryMs,
		backoffMaxMs: Math.min(retryMsMax, refreshEveryMs),
		random,
		now,
		logger,
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
			const { stale, lastError } = refresher.status();
			// Without the latest keys the token may be valid; INVALID_TOKEN would make the client sign out.
			if (key === undefined && stale) throw keysMissing(lastError);
			return key;
		},
		onChange: keys.onChange,
		status: refresher.status,
		start: refresher.start,
		ready: () => refresher.status().lastResponseAt !== undefined,
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
	return openRemoteKeySet({ fetchKeys, now, logger, refreshEveryMs: 5_000, unknownKidCooldownMs: 1_000 });
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
