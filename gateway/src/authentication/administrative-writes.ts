import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOfficer } from '@paddock/identity';
import { inChildSpan, traceparentOf } from '@paddock/telemetry';
import { releaseUnlessPassed } from '../edge/request-body.ts';
import { exchangeOf } from '../exchange.ts';
import { isSafe } from '../failures.ts';
import type { Step } from '../pipeline.ts';
import type { LiveSessions } from './live-sessions.ts';

/**
 * Lets an administrative write pass only if auth confirms the session at that moment: it fails closed, unlike the
 * revocation feed. Reads and ordinary writes are not checked. It follows the body step: a request that was opened
 * before its account was closed could otherwise be completed later.
 */
export function administrativeWrites(sessions: LiveSessions): Step {
	return function administrativeWrites(req, res) {
		if (isSafe(req.method ?? '')) return undefined;
		const { principal, context } = exchangeOf(req);
		if (principal === undefined || !isOfficer(principal)) return undefined;
		// The context reads the session itself, in the transaction of the change.
		if (context?.checksSessions === true) return undefined;
		return releaseUnlessPassed(req, res, requireLive(sessions, req, res));
	};
}

async function requireLive(
	sessions: LiveSessions,
	req: IncomingMessage,
	res: ServerResponse,
): Promise<undefined> {
	const { requestId, trace } = exchangeOf(req);
	const abort = new AbortController();
	const onClose = (): void => abort.abort(new Error('The client disconnected.'));
	res.once('close', onClose);
	try {
		await inChildSpan(trace.span, 'check session', { kind: 'internal' }, () =>
			sessions.requireLive({
				authorization: req.headers.authorization ?? '',
				requestId,
				traceparent: traceparentOf(trace),
				signal: abort.signal,
			}),
		);
	} finally {
		res.off('close', onClose);
	}
}
