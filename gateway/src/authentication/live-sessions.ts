import { ApiError, apiError } from '@paddock/contract';
import type { MutualTls, Registry } from '@paddock/discovery';
import { openSinglePeer } from '@paddock/peers';
import type { Logger } from '@paddock/telemetry';
import { z } from 'zod';
import type { SessionCheckOutcome } from '../metrics/metrics.ts';

interface SessionCaller {
	readonly authorization: string;
	readonly requestId: string;
	readonly traceparent: string;
	/** Aborted when the client disconnects. */
	readonly signal: AbortSignal;
}

export function sessionCaller({
	headers,
	requestId,
	traceparent,
	signal,
}: Omit<SessionCaller, 'authorization'> & {
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}): SessionCaller {
	return { authorization: String(headers['authorization']), requestId, traceparent, signal };
}

export type LiveSessions = ReturnType<typeof openLiveSessions>;

interface LiveSessionsDeps {
	readonly registry: Registry;
	readonly tls?: MutualTls | undefined;
	/** For one attempt; there are at most two. */
	readonly timeoutMs: number;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly onChecked: (outcome: SessionCheckOutcome) => void;
}

const liveSession = z.object({
	live: z.boolean(),
	name: z.string().optional(),
	isSteppedUp: z.boolean().optional(),
});
const retryAfterMs = 2_000;
const maxAgeSeconds = 600;

/** Queries auth with the caller's token, with separate breakers: an override of auth's must not prevent its own removal. */
export function openLiveSessions(deps: LiveSessionsDeps) {
	const auth = openSinglePeer({ ...deps, service: 'auth-service', client: 'gateway' });

	async function readSession({ authorization, ...context }: SessionCaller) {
		const session = await auth.get({
			context,
			path: '/internal/session',
			schema: liveSession,
			credentials: { authorization },
		});
		if (session === undefined) throw apiError('SERVICE_UNAVAILABLE');
		return session;
	}

	async function readLive(caller: SessionCaller) {
		try {
			const session = await readSession(caller);
			deps.onChecked(session.live ? 'live' : 'revoked');
			if (!session.live) throw apiError('TOKEN_REVOKED');
			return session;
		} catch (error) {
			if (error instanceof ApiError && error.code === 'TOKEN_REVOKED') throw error;
			deps.onChecked(caller.signal.aborted ? 'aborted' : 'unavailable');
			throw uncheckable(error);
		}
	}

	return {
		/**
		 * Resolves with the user's name if auth confirms now that the session of the token is live and its account unchanged;
		 * undefined from an auth that doesn't report names yet.
		 * @throws ApiError TOKEN_REVOKED if it does not; SERVICE_UNAVAILABLE without a response in time.
		 */
		requireLive: async (caller: SessionCaller): Promise<string | undefined> => (await readLive(caller)).name,
		/** The same, also with a recent second factor of callers who have one. @throws also ApiError STEP_UP_REQUIRED */
		requireSteppedUp: async (caller: SessionCaller): Promise<string | undefined> => {
			// Absent from an auth that has no second factors yet.
			const { name, isSteppedUp = true } = await readLive(caller);
			if (!isSteppedUp) throw apiError('STEP_UP_REQUIRED', { context: { maxAgeSeconds } });
			return name;
		},
		close: auth.close,
	};
}

function uncheckable(cause: unknown): ApiError {
	return apiError('SERVICE_UNAVAILABLE', {
		message: 'Your session can’t be checked now, so nothing was changed. Try again shortly.',
		retryAfterMs,
		cause,
	});
}
