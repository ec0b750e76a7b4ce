import type { IncomingMessage } from 'node:http';
import { apiError } from '@paddock/contract';
import { framingFault, hostFault, methods, offersWebSocket } from '@paddock/service';
import type { GatewayConfig } from '../config/config.ts';
import { removeRequestHeaders } from '../exchange/headers.ts';
import type { Step } from '../exchange/pipeline.ts';

const allow = [...methods].join(', ');

// `//`, `\`, `;`, and the escapes of `.`, `/`, `\`, `;` and NUL: each is a separator, a parent folder or a terminator to some program.
const ambiguous = /\/\/|[\\;]|%(?:2e|2f|5c|3b|00|25)/i;
const dotSegment = /\/\.{1,2}(?:\/|$)/;
// RFC 3986 §3.3 allows these in a path; anything else should have been escaped.
const allowed = /^\/[A-Za-z0-9\-._~!$&'()*+,=:@%/]*$/;

/** Refuses ambiguous requests and removes reserved headers: a path that two hops read differently bypasses access rules. */
export function requestHygiene(): Step {
	return function requestHygiene(exchange, req, res) {
		if (!methods.has(req.method ?? '')) throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
		refuseOtherVersions(req);
		// The server closes the connection after an ambiguous body: libs/service/src/http/http-server.ts.
		const message = hostFault(req) ?? framingFault(req);
		if (message !== undefined) throw apiError('MALFORMED_REQUEST', { message });
		if (req.url === '*' && req.method === 'OPTIONS') {
			exchange.gatewayHeaders.setOn(res);
			res.writeHead(204, { Allow: allow }).end();
			return 'handled';
		}
		// RFC 9112 §3.2: a request target has no fragment; some servers would cut the query at it, others would not.
		if (isAmbiguousPath(exchange.path) || req.url?.includes('#')) throw apiError('AMBIGUOUS_PATH');
		refuseUnknownExpectation(req);
		// Other offers are ignored (RFC 9110 §7.8); a WebSocket client waits for a response.
		if (offersWebSocket(req)) throw apiError('UPGRADE_NOT_SUPPORTED');
		removeRequestHeaders(req.headers);
		return undefined;
	};
}

/** Whether two programs could read the raw path differently: absolute, empty or dot segments, unusual escapes. */
export function isAmbiguousPath(path: string): boolean {
	if (!allowed.test(path) || ambiguous.test(path) || dotSegment.test(path)) return true;
	if (!path.includes('%')) return false;
	try {
		// No address contains an escaped control character.
		return /\p{Cc}/u.test(decodeURIComponent(path));
	} catch {
		return true; // Not valid percent-encoded UTF-8.
	}
}

// The parser accepts `HTTP/2.0` and `HTTP/0.9` and treats them as 1.1.
function refuseOtherVersions(req: IncomingMessage): void {
	if (req.httpVersion !== '1.1' && req.httpVersion !== '1.0') {
		throw apiError('MALFORMED_REQUEST', { message: 'Only HTTP/1.1 and HTTP/1.0 are spoken here.' });
	}
}

function refuseUnknownExpectation(req: IncomingMessage): void {
	const { expect } = req.headers;
	if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw apiError('EXPECTATION_FAILED');
}

/** Refuses by declared size before anything is read. A body without a length is measured while it is read. */
export function requestLimits(config: GatewayConfig): Step {
	return function requestLimits(exchange, req): undefined {
		if ((req.url ?? '').length > config.URL_BYTES_MAX) throw apiError('URI_TOO_LONG');
		if (headerBytes(req.rawHeaders) > config.HEADER_BYTES_MAX) throw apiError('HEADERS_TOO_LARGE');
		const bytesMax = exchange.context?.attached?.bodyBytesMax ?? config.BODY_BYTES_MAX;
		if (Number(req.headers['content-length'] ?? 0) > bytesMax)
			throw apiError('PAYLOAD_TOO_LARGE', { context: { bytesMax } });
	};
}

/** `name: value\r\n` for each; header text is Latin-1, so a character is a byte. */
function headerBytes(rawHeaders: readonly string[]): number {
	let bytes = 2 * rawHeaders.length;
	for (const text of rawHeaders) bytes += text.length;
	return bytes;
}
