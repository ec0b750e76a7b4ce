import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type PublicJwk, publicJwkOf } from './public-jwk.ts';

/** RFC 7518 §3.3: the minimum for RS256. */
export const modulusBitsMin = 2048;

/** A private key and the id under which its public half is published. */
export interface SigningKey {
	readonly kid: string;
	/** RSA, for RS256. */
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
