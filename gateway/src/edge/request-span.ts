import type { IncomingMessage } from 'node:http';
import { endServerSpan } from '@paddock/service';
import { failWith } from '@paddock/telemetry';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';

/** Ends the span of a request, if it is recorded. @param status undefined if the client left before the response */
export function endRequestSpan(req: IncomingMessage, exchange: Exchange, status: number | undefined): void {
	endServerSpan(exchange.trace.span, req, {
		requestId: exchange.requestId,
		route: exchange.route,
		status,
		errorType: exchange.failure,
		attributes: {
			'client.address': exchange.clientAddress,
			'user_agent.original': req.headers['user-agent']?.slice(0, 200),
		},
	});
}

/** A step with a span of its own in recorded requests. */
export function stepWithSpan(name: string, step: Step): Step {
	return function stepWithSpan(req, res) {
		const span = exchangeOf(req).trace.span?.startChild(name, { kind: 'internal' });
		if (span === undefined) return step(req, res);
		try {
			const result = step(req, res);
			if (!(result instanceof Promise)) {
				span.end();
				return result;
			}
			const ended = result.catch((error: unknown) => {
				failWith(span, error);
				throw error;
			});
			return ended.finally(() => span.end());
		} catch (error) {
			failWith(span, error);
			span.end();
			throw error;
		}
	};
}
