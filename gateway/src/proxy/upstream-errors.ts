import { ApiError, apiError, type CommonErrorCode, commonErrors } from '@paddock/contract';
import type { Exchange } from '../exchange/exchange.ts';
import { type FailureRow, failureTable, UpstreamFailure } from '../exchange/failures.ts';
import { upgradeRequired } from '../exchange/headers.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { closedForMaintenance, type OverridableView } from '../upstream/override-table.ts';
import type { Upstream } from '../upstream/upstream.ts';

// Long enough to notice a restart, short enough for clients to retry.
const retryAfterMs = 2_000;
const retriable: ReadonlySet<CommonErrorCode> = new Set([
	'UPSTREAM_ERROR',
	'SERVICE_UNAVAILABLE',
	'CIRCUIT_OPEN',
	'OVERLOADED',
]);

/** The error for the client; it names the context, never an address. */
export function gatewayError(
	failure: UpstreamFailure,
	exchange: Exchange,
	options: { waitMs?: number; message?: string | undefined } = {},
): ApiError {
	exchange.failure = failure.kind;
	const { code, message: usual }: FailureRow = failureTable[failure.kind];
	const { waitMs = retryAfterMs, message = usual } = options;
	return apiError(code, {
		// Without a cause of its own, the access log's `failure` says it all; a breaker that is open refuses thousands.
		...(failure.cause === undefined ? {} : { cause: failure }),
		...(message === undefined ? {} : { message }),
		context: { context: exchange.context?.name },
		...(retriable.has(code) ? { retryAfterMs: waitMs } : {}),
	});
}

/** The error if no instance is available: none is known, or all breakers are open, with the time to the next probe. */
export function noneAvailable(upstreams: readonly Upstream[], exchange: Exchange, now: Date): ApiError {
	if (upstreams.length === 0) return gatewayError(new UpstreamFailure('noInstances'), exchange);
	const views = upstreams.map(({ breaker }) => breaker.view());
	const tries = views.flatMap(({ nextTryAt }) => nextTryAt?.getTime() ?? []);
	const waitMs = tries.length === 0 ? 1_000 : Math.min(...tries) - now.getTime();
	return gatewayError(new UpstreamFailure('circuitOpen'), exchange, {
		waitMs,
		message: maintenanceMessage(views),
	});
}

/** An administrator's reason, if that is why no instance is available: nothing fails. */
function maintenanceMessage(views: readonly OverridableView[]): string | undefined {
	const [forced] = views.flatMap((view) => view.forced ?? []);
	const isCause = forced !== undefined && views.every((view) => view.forced !== undefined);
	return isCause ? closedForMaintenance(forced) : undefined;
}

const codeByStatus: ReadonlyMap<number, CommonErrorCode> = new Map([
	[400, 'MALFORMED_REQUEST'],
	[401, 'UNAUTHENTICATED'],
	[403, 'FORBIDDEN'],
	[404, 'ROUTE_NOT_FOUND'],
	[405, 'METHOD_NOT_ALLOWED'],
	[406, 'NOT_ACCEPTABLE'],
	[408, 'REQUEST_TIMEOUT'],
	[409, 'CONFLICT'],
	[412, 'PRECONDITION_FAILED'],
	[413, 'PAYLOAD_TOO_LARGE'],
	[414, 'URI_TOO_LONG'],
	[415, 'UNSUPPORTED_MEDIA_TYPE'],
	[417, 'EXPECTATION_FAILED'],
	[429, 'RATE_LIMITED'],
	[431, 'HEADERS_TOO_LARGE'],
	[500, 'INTERNAL_ERROR'],
	[503, 'SERVICE_UNAVAILABLE'],
	[504, 'UPSTREAM_TIMEOUT'],
]);

// They belong to the status, whatever the body was.
const keptHeaders = [
	'Accept',
	'Accept-Encoding',
	'Accept-Patch',
	'Accept-Post',
	'Accept-Ranges',
	'Allow',
	'Content-Range',
	'Link',
	'Proxy-Authenticate',
	'Retry-After',
	'WWW-Authenticate',
];

/** The code and the message of a failure that has none of its own. */
export function codeOfStatus(status: number): readonly [CommonErrorCode, string] {
	const code = codeByStatus.get(status) ?? (status < 500 ? 'UPSTREAM_REFUSED' : 'UPSTREAM_ERROR');
	return [code, commonErrors[code].message];
}

/** The envelope for a failure that came without one, e.g. an HTML page of a proxy in front of a service; with its status. */
export function unpresentable({ status, headers }: UpstreamResponse, exchange: Exchange): ApiError {
	const [code, message] = codeOfStatus(status);
	const kept = keptHeaders.flatMap((name) => {
		const value = headers[name.toLowerCase()];
		return typeof value === 'string' ? [[name, value]] : [];
	});
	return new ApiError(
		code,
		{ status, message },
		{
			context: { context: exchange.context?.name },
			...(status === 502 || status === 503 ? { retryAfterMs } : {}),
			headers: { ...Object.fromEntries(kept), ...Object.fromEntries(upgradeRequired(status, headers)) },
		},
	);
}
