import { apiError } from '@paddock/contract';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

export const idempotencyKeyPattern = visibleAscii.source;

/**
 * The key with which a client may repeat a request without a second effect. Quotes are part of the key.
 * @throws ApiError VALIDATION_ERROR
 */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
	if (header === undefined) return undefined;
	if (typeof header === 'string' && visibleAscii.test(header)) return header;
	throw invalidKey('INVALID_FORMAT', 'must be 1 to 255 visible ASCII characters, such as a UUID');
}

/** A route without stored keys must not let a client rely on one. @throws ApiError VALIDATION_ERROR */
export function refuseIdempotencyKey(header: string | string[] | undefined): undefined {
	if (header === undefined) return;
	throw invalidKey('UNKNOWN_FIELD', 'is not supported by this operation');
}

function invalidKey(code: 'INVALID_FORMAT' | 'UNKNOWN_FIELD', message: string): Error {
	return apiError('VALIDATION_ERROR', { errors: [{ field: 'Idempotency-Key', code, message }] });
}
