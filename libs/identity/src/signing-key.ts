import { createPublicKey, generateKeyPair, hash, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

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

/** RFC 7518 §3.3: the minimum for RS256. */
export const modulusBitsMin = 2048;

export interface SigningKey {
	readonly kid: string;
	readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** Generates an RSA key off the main thread; `kid` is its RFC 7638 thumbprint. */
export async function generateSigningKey(): Promise<SigningKey & { readonly publicJwk: PublicJwk }> {
	const { privateKey } = await generate('rsa', { modulusLength: modulusBitsMin });
	const publicJwk = publicJwkOf(privateKey);
	return { kid: publicJwk.kid, privateKey, publicJwk };
}

/** @throws TypeError unless it is a private RSA key of at least 2048 bits. */
export function assertSigningKey({ privateKey }: SigningKey): void {
	const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0;
	if (privateKey.type !== 'private' || privateKey.asymmetricKeyType !== 'rsa' || bits < modulusBitsMin)
		throw new TypeError(`RS256 signs with a private RSA key of at least ${modulusBitsMin} bits.`);
}
