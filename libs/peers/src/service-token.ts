import { unlessAborted } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { z } from 'zod';
import { unavailable } from './call-outcome.ts';
import { type CallLimits, callWithRetry } from './call-with-retry.ts';
import type { PeerInstances } from './peer-instances.ts';

/** This service's own token, for the internal routes of other services. */
export interface ServiceToken {
	/** The cached token, or a new one. @throws ApiError SERVICE_UNAVAILABLE without one; the signal's reason when it is aborted */
	get(request: { readonly requestId: string; readonly signal: AbortSignal }): Promise<string>;
	/** Discards the token, if it is still the cached one: another caller may already have fetched a new one. */
	drop(token: string): void;
	close(): void;
}

interface ServiceTokenDeps {
	readonly auth: PeerInstances;
	readonly client: string;
	readonly secret: string;
	/** Time-out of a whole fetch; each attempt may take half. */
	readonly timeoutMs: number;
	readonly logger: Logger;
	readonly now: () => Date;
}

const authService = 'auth-service';
// A token that expires in transit would be refused; verifiers tolerate half of this.
const marginMs = 60_000;

const response = z.object({ accessToken: z.string().min(1), expiresIn: z.number().positive() });

/** `expiresIn` in seconds. */
type NewToken = z.output<typeof response>;

export function openServiceToken(deps: ServiceTokenDeps): ServiceToken {
	return openCachedToken((requestId, signal) => fetchToken(deps, requestId, signal), deps.now);
}

/** Caches a token until shortly before it expires; concurrent callers share one fetch. */
export function openCachedToken(
	fetchNew: (requestId: string, signal: AbortSignal) => Promise<NewToken>,
	now: () => Date,
): ServiceToken {
	const closed = new AbortController();
	let known: { readonly token: string; readonly freshUntilMs: number } | undefined;
	let fetching: Promise<string> | undefined;
	const fetch = async (requestId: string): Promise<string> => {
		const requestedAtMs = now().getTime();
		const { accessToken, expiresIn } = await fetchNew(requestId, closed.signal);
		const lifeMs = expiresIn * 1_000;
		// For a very short lifetime the margin would exceed it.
		known = { token: accessToken, freshUntilMs: requestedAtMs + Math.max(lifeMs - marginMs, lifeMs / 2) };
		return accessToken;
	};
	return {
		get: async ({ requestId, signal }) => {
			signal.throwIfAborted();
			if (known !== undefined && now().getTime() < known.freshUntilMs) return known.token;
			fetching ??= fetch(requestId).finally(() => {
				fetching = undefined;
			});
			// The fetch is shared and continues; only this caller stops waiting.
			return await unlessAborted(fetching, signal);
		},
		drop: (token) => {
			if (known?.token === token) known = undefined;
		},
		close: () => closed.abort(new Error('The peers are closed.')),
	};
}

async function fetchToken(deps: ServiceTokenDeps, requestId: string, signal: AbortSignal): Promise<NewToken> {
	const { auth, client, secret, timeoutMs, logger } = deps;
	const limits: CallLimits = {
		timeoutMs: Math.floor(timeoutMs / 2),
		endMs: performance.now() + timeoutMs,
		signal,
	};
	const outcome = await callWithRetry(
		auth,
		{
			method: 'POST',
			path: '/internal/service-tokens',
			headers: { 'X-Request-Id': requestId, 'User-Agent': client },
			body: { client, secret },
			schema: response,
		},
		limits,
	);
	if (outcome.kind === 'responded') return outcome.data as NewToken;
	// A wrong secret must be fixed by an operator; no call succeeds before.
	if (outcome.kind === 'unauthenticated' || outcome.kind === 'notFound')
		logger.error('auth refuses this service a token', { client, requestId, kind: outcome.kind });
	throw unavailable(authService, outcome);
}
