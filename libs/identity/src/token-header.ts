/** Longer tokens are refused unread. Half of the gateway's limit for all headers. */
export const tokenCharsMax = 8_192;

// RFC 8725 §3.10 and RFC 7515 §4.1: parameters that contain a key, refer to one, or change the interpretation of the
// token.
const refusedParameters = ['crit', 'jku', 'x5u', 'x5c', 'jwk', 'b64'];
// RFC 9068 §4 allows both; RFC 7515 §4.1.9 makes the comparison case-insensitive.
const accessTokenTypes = new Set(['at+jwt', 'application/at+jwt']);

/**
 * Reads the header of a compact JWS before any key is chosen, and requires the single canonical spelling of a token:
 * three parts of canonical base64url (RFC 4648 §3.5), no padding, no whitespace.
 * @throws Error with the reason; it never quotes the token.
 */
export function readTokenHeader(token: string): { kid: string } {
	if (token.length > tokenCharsMax) throw new Error('too long');
	const parts = token.split('.', 4);
	const [header] = parts;
	if (header === undefined || parts.length !== 3) throw new Error('not three parts');
	if (!parts.every(isCanonicalBase64url)) throw new Error('not canonical base64url');
	const parameters: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
	if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
		throw new Error('the header is no object');
	return checkParameters(parameters as Readonly<Record<string, unknown>>);
}

function checkParameters(parameters: Readonly<Record<string, unknown>>): { kid: string } {
	const { alg, typ, kid } = parameters;
	if (alg !== 'RS256') throw new Error('alg is not RS256');
	if (typeof typ !== 'string' || !accessTokenTypes.has(typ.toLowerCase()))
		throw new Error('typ is not at+jwt');
	if (refusedParameters.some((name) => Object.hasOwn(parameters, name)))
		throw new Error('a header parameter that is never accepted');
	if (typeof kid !== 'string' || kid === '') throw new Error('kid is no text');
	return { kid };
}

function isCanonicalBase64url(part: string): boolean {
	return part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part;
}
