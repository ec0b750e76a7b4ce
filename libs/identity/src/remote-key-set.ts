import { apiError } from '@paddock/contract';
import { type ImportedKey, importKeys } from './import-keys.ts';
import type { KeySetLogger, RefreshedKeySet, WithdrawnKidsListener } from './key-set.ts';
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
 * The same inside the auth context, refreshed more often, as reading the keys is cheap here.
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

/** A `kid` is only used as an exact key of a Map; it never becomes part of a path, a query or a property name. */
function openPublishedKeys(logger: KeySetLogger) {
	const listeners = new Set<WithdrawnKidsListener>();
	let keys: ReadonlyMap<string, ImportedKey> = new Map();
	let loggedRefusals = '';

	function logRefusals(refusals: readonly string[]): void {
		const text = refusals.join('\n');
		// Logged when they change, not with every fetch.
		if (text !== loggedRefusals && text !== '') logger.warn('token keys refused', { refusals });
		loggedRefusals = text;
	}

	function notify(withdrawnKids: ReadonlySet<string>): void {
		for (const listener of listeners) {
			try {
				listener(withdrawnKids);
			} catch (error) {
				logger.error('a listener for token keys failed', { error });
			}
		}
	}

	return {
		get: (kid: string) => keys.get(kid)?.key,
		onChange: (listener: WithdrawnKidsListener) => {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		/** Replaces the keys by a JWK set. @throws Error without a usable key; the previous keys remain */
		replace: (document: unknown): void => {
			const next = importKeys(document);
			logRefusals(next.refusals);
			const withdrawn = kidsMissingIn(next.keys, keys);
			const added = kidsMissingIn(keys, next.keys);
			if (withdrawn.length === 0 && added.length === 0) return;
			keys = next.keys;
			logger.info('token keys changed', { added, withdrawn });
			notify(new Set(withdrawn));
		},
		close: () => listeners.clear(),
	};
}

/** The `kid`s of `keys` that are missing in `others` or identify another key there. */
function kidsMissingIn(
	others: ReadonlyMap<string, ImportedKey>,
	keys: ReadonlyMap<string, ImportedKey>,
): string[] {
	return [...keys]
		.filter(([kid, { material }]) => others.get(kid)?.material !== material)
		.map(([kid]) => kid);
}
