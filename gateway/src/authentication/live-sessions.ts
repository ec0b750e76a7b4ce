import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, fail } from '@paddock/contract';
import type { Registry } from '@paddock/discovery';
import { hasRole, type Principal } from '@paddock/identity';
import { createSinglePeer } from '@paddock/peers';
import { type Logger, traceparentOf } from '@paddock/telemetry';
import { z } from 'zod';
import { exchangeOf } from '../exchange.ts';

export type SessionCheckOutcome = 'live' | 'revoked' | 'unavailable' | 'aborted';

export interface LiveSessions {
	/**
	 * Resolves if auth says, now, that the session of the request's token goes on and its account has not changed.
	 * @throws ApiError TOKEN_REVOKED if it says otherwise; SERVICE_UNAVAILABLE if it says nothing in time.
	 */
	requireLive(req: IncomingMessage, res: ServerResponse): Promise<void>;
	close(): void;
}

export interface LiveSessionsDeps {
	readonly registry: Registry;
	/** For one attempt; there are at most two. */
	readonly timeoutMs: number;
	readonly logger: Logger;
	readonly now: () => Date;
	readonly onChecked: (outcome: SessionCheckOutcome) => void;
}

const liveSession = z.object({ live: z.boolean() });
const retryAfterMs = 2_000;

/** Whether a token carries the rights of the federation's office: what it changes is checked against the live session. */
export function isAdministrative(principal: Principal): boolean {
	return hasRole(principal, 'ADMIN', 'FEDERATION_OFFICER');
}

/**
 * Queries auth with the caller's own token. It has breakers of its own: an override of auth's breaker must not be what
 * keeps the administrator from ending it.
 */
export function createLiveSessions(deps: LiveSessionsDeps): LiveSessions {
	const auth = createSinglePeer({ ...deps, service: 'auth-service', client: 'gateway' });

	async function isLive(req: IncomingMessage, signal: AbortSignal): Promise<boolean> {
		const { requestId, trace } = exchangeOf(req);
		const session = await auth.get({
			path: '/internal/session',
			schema: liveSession,
			credentials: { authorization: req.headers.authorization ?? '' },
			requestId,
			traceparent: traceparentOf(trace),
			signal,
		});
		if (session === undefined) throw fail('SERVICE_UNAVAILABLE');
		return session.live;
	}

	return {
		requireLive: async (req, res) => {
			const gone = new AbortController();
			const onClose = () => gone.abort(new Error('The client left.'));
			res.once('close', onClose);
			try {
				const live = await isLive(req, gone.signal);
				deps.onChecked(live ? 'live' : 'revoked');
				if (!live) throw fail('TOKEN_REVOKED');
			} catch (error) {
				if (error instanceof ApiError && error.code === 'TOKEN_REVOKED') throw error;
				deps.onChecked(gone.signal.aborted ? 'aborted' : 'unavailable');
				throw uncheckable(error);
			} finally {
				res.off('close', onClose);
			}
		},
		close: auth.close,
	};
}

function uncheckable(cause: unknown): ApiError {
	return fail('SERVICE_UNAVAILABLE', {
		message: 'Your session can’t be checked now, so nothing was changed. Try again shortly.',
		retryAfterMs,
		cause,
	});
}
