import { createPublicKey, hash, type KeyObject } from 'node:crypto';

/** A public RSA key in the format of RFC 7517 and RFC 7518 §6.3.1; `n` and `e` are base64url. */
export interface PublicJwk {
	kty: 'RSA';
	n: string;
	e: string;
	kid: string;
	alg: 'RS256';
	use: 'sig';
}

/** The document at `/.well-known/jwks.json` (RFC 7517 §5). */
export interface JsonWebKeySet {
	keys: PublicJwk[];
}

/**
 * The public half of an RSA key, private or public, with its RFC 7638 thumbprint as `kid`, so that a `kid` never
 * identifies two keys.
 * @throws TypeError when it isn't an RSA key.
 */
export function publicJwkOf(key: KeyObject): PublicJwk {
	const publicKey = key.type === 'public' ? key : createPublicKey(key);
	const { kty, n, e } = publicKey.export({ format: 'jwk' });
	if (kty !== 'RSA' || n === undefined || e === undefined) throw new TypeError('Not an RSA key.');
	return { kty, n, e, kid: thumbprint(n, e), alg: 'RS256', use: 'sig' };
}

/** RFC 7638 §3: the required members in alphabetical order, without whitespace. */
function thumbprint(n: string, e: string): string {
	return hash('sha256', JSON.stringify({ e, kty: 'RSA', n }), 'base64url');
}
