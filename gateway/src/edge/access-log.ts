import { isResponseSent, type ProtocolRefusal } from '@paddock/service';
import type { AccessLines } from '@paddock/telemetry';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { Step } from '../pipeline.ts';
import { methods } from './request-hygiene.ts';

// What nginx logs for a client that closed the connection first; it is never sent.
const clientClosedRequest = 499;
// The parser knows some thirty methods; each would be a series of its own for whoever sends it.
const otherMethod = 'OTHER';

/** What is said of one request. Undefined values are left out. */
interface AccessEntry {
	readonly requestId: string;
	readonly traceId?: string;
	readonly method?: string;
	readonly path?: string;
	readonly route: string;
	readonly status: number;
	readonly durationMs?: number;
	readonly client: string | undefined;
	readonly userId?: string | undefined;
	readonly instance?: string | undefined;
	readonly attempts?: number | undefined;
	readonly retriedAfter?: string | undefined;
	readonly failure?: string | undefined;
	readonly refused?: string;
}

export interface AccessLogDeps {
	readonly lines: AccessLines;
	readonly metrics: GatewayMetrics;
	/** Probes and scrapes below it come every few seconds, for ever: those that go well have no line. */
	readonly quietPrefix: string;
}

/** One line and one observation for every request, when its answer is out or its client gone. */
export function accessLog(deps: AccessLogDeps): Step {
	return function accessLog(req, res): undefined {
		res.on('close', () => {
			const exchange = exchangeOf(req);
			const { method = '' } = req;
			const durationMs = performance.now() - exchange.startedAt;
			// Nor did the client leave where the service broke off in the middle.
			const begun = isResponseSent(res) || exchange.failure === 'cutOff';
			const status = begun ? res.statusCode : clientClosedRequest;
			const label = methods.has(method) ? method : otherMethod;
			deps.metrics.observeRequest({ route: exchange.route, method: label, status }, durationMs);
			if (status < 400 && exchange.path.startsWith(deps.quietPrefix)) return;
			deps.lines.write(entryOf(method, status, durationMs, exchange));
		});
	};
}

/** The same for what the HTTP parser refused and no step ever saw. */
export function refusalLog(deps: Pick<AccessLogDeps, 'lines' | 'metrics'>) {
	return function refusalLog({ requestId, status, peer, cause }: ProtocolRefusal): void {
		deps.metrics.observeRequest({ route: 'unmatched', method: otherMethod, status }, 0);
		const entry: AccessEntry = { requestId, route: 'unmatched', status, client: peer, refused: cause };
		deps.lines.write(entry);
	};
}

function entryOf(method: string, status: number, durationMs: number, exchange: Exchange): AccessEntry {
	return {
		requestId: exchange.requestId,
		traceId: exchange.trace.traceId,
		method,
		path: exchange.path.slice(0, 1_000),
		route: exchange.route,
		status,
		durationMs: Math.round(durationMs * 10) / 10,
		client: exchange.clientAddress,
		userId: exchange.principal?.userId,
		instance: exchange.instanceId,
		attempts: exchange.attempts > 1 ? exchange.attempts : undefined,
		retriedAfter: exchange.retriedAfter,
		failure: exchange.failure,
	};
}
