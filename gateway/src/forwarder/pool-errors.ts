import { UpstreamFailure } from '../failures.ts';

/**
 * The instance sent an interim `100 Continue` that nobody had asked for. RFC 9110 §15.2 wants it ignored; undici
 * breaks the connection off.
 */
export class UnaskedContinue extends Error {
	override readonly name = 'UnaskedContinue';
}

// What came back isn't HTTP, contradicts itself or has too long a head.
const invalidCodes: ReadonlySet<string> = new Set([
	'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
	'UND_ERR_HEADERS_OVERFLOW',
]);

// undici refused to send it as it is: our mistake, and none of the instance's.
const ourMistakes: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** The failure that an error of undici's stands for; what is no failure of an instance comes back as it is. */
export function classifyPoolError(error: Error, reusedConnection: boolean): unknown {
	if (error instanceof UpstreamFailure) return error;
	if (error.name === 'HTTPParserError') return new UpstreamFailure('invalidResponse', error);
	const code = 'code' in error ? error.code : undefined;
	if (typeof code !== 'string' || ourMistakes.has(code)) return error;
	if (invalidCodes.has(code)) return new UpstreamFailure('invalidResponse', error);
	// Its errors of the socket differ in their words only.
	if (error.message === 'bad upgrade') return new UpstreamFailure('invalidResponse', error);
	if (error.message === 'bad response') return new UnaskedContinue('100 Continue', { cause: error });
	return new UpstreamFailure(reusedConnection ? 'staleConnection' : 'reset', error);
}
