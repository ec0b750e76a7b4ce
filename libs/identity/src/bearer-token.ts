import { apiError } from '@paddock/contract';

// RFC 6750 §2.1: credentials = "Bearer" 1*SP b64token. RFC 9110 §11.1: the scheme's name is case-insensitive.
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const bearerScheme = /^bearer(\s|$)/i;

/**
 * The token of an `Authorization` header; undefined when there is no header. Bad credentials are not ignored, as that
 * would hide the error.
 * @throws ApiError INVALID_TOKEN for malformed credentials; UNAUTHENTICATED for another scheme, whose request has no
 * bearer token that could be invalid (RFC 6750 §3.1).
 */
export function bearerToken(authorizationHeader: string | undefined): string | undefined {
	if (authorizationHeader === undefined) return undefined;
	const token = credentials.exec(authorizationHeader)?.[1];
	if (token !== undefined) return token;
	if (bearerScheme.test(authorizationHeader)) throw apiError('INVALID_TOKEN');
	throw apiError('UNAUTHENTICATED', { message: 'Send the access token as `Authorization: Bearer TOKEN`.' });
}
