import { brokenConnection } from '@paddock/upstream';
import { UpstreamFailure } from '../exchange/failures.ts';

/** The instance sent an unrequested `100 Continue`. RFC 9110 §15.2 wants it ignored; undici closes the connection. */
export class InterimContinue extends Error {
	override readonly name = 'InterimContinue';
}

// The response isn't HTTP, contradicts itself or has too long a head.
const invalidCodes: ReadonlySet<string> = new Set([
	'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
	'UND_ERR_HEADERS_OVERFLOW',
]);

// undici refused to send the request: a bug of the gateway, not a failure of the instance.
const gatewayBugs: ReadonlySet<string> = new Set([
	'UND_ERR_INVALID_ARG',
	'UND_ERR_NOT_SUPPORTED',
	'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
]);

/** Maps an error of undici to a failure; errors that are not failures of the instance are returned unchanged. */
export function classifyUndiciError(error: Error, reusedConnection: boolean): unknown {
	if (error instanceof UpstreamFailure) return error;
	if (error.name === 'HTTPParserError') return new UpstreamFailure('invalidResponse', error);
	const code = 'code' in error ? error.code : undefined;
	if (typeof code !== 'string' || gatewayBugs.has(code)) return error;
	if (invalidCodes.has(code)) return new UpstreamFailure('invalidResponse', error);
	// Its socket errors differ in their message only.
	if (error.message === 'bad upgrade') return new UpstreamFailure('invalidResponse', error);
	if (error.message === 'bad response') return new InterimContinue('100 Continue', { cause: error });
	return new UpstreamFailure(brokenConnection(reusedConnection), error);
}
