import type { IncomingMessage } from 'node:http';
import { endServerSpan, isResponseSent, methods, type ProtocolRefusal } from '@paddock/service';
import type { Span } from '@paddock/telemetry';
import { loggable } from '@paddock/telemetry/loggable';
import type { Exchange } from '../exchange/exchange.ts';
import type { Step } from '../exchange/pipeline.ts';
import type { GatewayMetrics } from '../metrics/metrics.ts';
import type { AccessEntry, RecentExchange } from './access-entry.ts';

// The status that nginx logs if the client closed the connection first; it is never sent.
const clientClosedRequest = 499;
// The parser accepts some thirty methods; without this list any client could create a series for each.
const otherMethod = 'OTHER';

export interface AccessEntries {
	write(entry: AccessEntry): void;
}

interface AccessLogDeps {
	readonly lines: AccessEntries;
	readonly metrics: GatewayMetrics;
	/** Probes and scrapes below this prefix arrive every few seconds; successful ones are not logged. */
	readonly quietPrefix: string;
}

/** Logs and counts every request once, and ends its span, when its response has been sent or its client has disconnected. */
export function accessLog(deps: AccessLogDeps): Step {
	return function accessLog(exchange, req, res): undefined {
		res.on('close', () => {
			if (exchange.isRecordedByPrimary) return;
			const { method = '' } = req;
			const durationMs = performance.now() - exchange.startedAt;
			// A response that the service truncated is not a client disconnect.
			const begun = isResponseSent(res) || exchange.failure === 'cutOff';
			const status = begun ? res.statusCode : clientClosedRequest;
			const label = methods.has(method) ? method : otherMethod;
			const labels = { route: exchange.route, method: label, status };
			const { span } = exchange.trace;
			deps.metrics.observeRequest(labels, durationMs, span?.trace);
			if (span !== undefined) endSpan(span, req, exchange, begun ? status : undefined);
			if (status < 400 && exchange.path.startsWith(deps.quietPrefix)) return;
			deps.lines.write(entryOf(req, status, durationMs, exchange));
		});
	};
}

/** The same for requests that the HTTP parser refused before any step. */
export function refusalLog(deps: Pick<AccessLogDeps, 'lines' | 'metrics'>) {
	return function refusalLog({ requestId, status, peer, cause }: ProtocolRefusal): void {
		deps.metrics.observeRequest({ route: 'unmatched', method: otherMethod, status }, 0);
		const entry: AccessEntry = { requestId, route: 'unmatched', status, client: peer, refused: cause };
		deps.lines.write(entry);
	};
}

/** @param status undefined if the client left before the response */
function endSpan(span: Span, req: IncomingMessage, exchange: Exchange, status: number | undefined): void {
	endServerSpan(span, req, {
		requestId: exchange.requestId,
		route: exchange.route,
		status,
		errorType: exchange.failure,
		attributes: {
			'client.address': exchange.client.address,
			'user_agent.original': req.headers['user-agent']?.slice(0, 200),
		},
	});
}

function entryOf(req: IncomingMessage, status: number, durationMs: number, exchange: Exchange): AccessEntry {
	const isForwarded = exchange.attempts > 0;
	return {
		requestId: exchange.requestId,
		traceId: exchange.trace.traceId,
		method: req.method ?? '',
		path: exchange.path.slice(0, 1_000),
		route: exchange.route,
		status,
		durationMs: tenths(durationMs),
		client: exchange.client.address,
		userId: exchange.principal?.userId,
		userAgent: req.headers['user-agent']?.slice(0, 200),
		bytes: req.socket.bytesWritten - exchange.bytesBefore,
		instance: exchange.instanceId,
		upstreamMs: isForwarded ? tenths(exchange.upstreamMs) : undefined,
		attempts: isForwarded ? exchange.attempts : undefined,
		cache: exchange.cache,
		retriedAfter: exchange.retriedAfter,
		failure: exchange.failure,
	};
}

function tenths(ms: number): number {
	return Math.round(ms * 10) / 10;
}

const exchangesMax = 200;

export function recordedEntries(lines: AccessEntries, now: () => Date) {
	const entries: AccessEntry[] = [];
	// Numbers, because each object that is kept is copied by the next garbage collection.
	const times = new Float64Array(exchangesMax);
	let next = 0;
	return {
		write: (entry: AccessEntry) => {
			entries[next] = entry;
			times[next] = now().getTime();
			next = (next + 1) % exchangesMax;
			lines.write(entry);
		},
		/** The last ones, the newest first; secrets in paths are redacted as in the log. */
		list: () => {
			const recorded = entries.map((entry, index) => ({
				at: new Date(times[index] ?? 0),
				...(loggable(entry) as AccessEntry),
			}));
			return [...recorded.slice(next), ...recorded.slice(0, next)].reverse();
		},
	};
}

export function newestExchanges(lists: readonly (readonly RecentExchange[])[]): RecentExchange[] {
	return lists
		.flat()
		.sort((a, b) => b.at.getTime() - a.at.getTime())
		.slice(0, exchangesMax);
}
