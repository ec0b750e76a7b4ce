import { apiError } from '@paddock/contract';

// RFC 6750 §2.1: credentials = "Bearer" 1*SP b64token. RFC 9110 §11.1: the scheme's name is case-insensitive.
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The token of an `Authorization` header; undefined when there is no header.
 * @throws ApiError INVALID_TOKEN for another scheme or a malformed header: ignoring bad credentials would hide the
 * error.
 */
export function bearerToken(authorizationHeader: string | undefined): string | undefined {
	if (authorizationHeader === undefined) return undefined;
	const token = credentials.exec(authorizationHeader)?.[1];
	if (token === undefined) throw apiError('INVALID_TOKEN');
	return token;
}
