import { createPublicKey, type KeyObject } from 'node:crypto';
import { modulusBitsMin } from './signing-key.ts';

export interface ImportedKey {
	readonly key: KeyObject;
	/** Identical for identical key material. */
	readonly material: string;
}

interface ImportedKeys {
	readonly keys: ReadonlyMap<string, ImportedKey>;
	/** Reasons for omitted entries; they state the index in the list, never the content. */
	readonly refusals: readonly string[];
}

// Verification time grows with the square of the length; longer keys have no practical use.
const modulusBitsMax = 8_192;
// FIPS 186-5 §A.1.1. With an exponent of 1 every message is its own signature.
const exponentMin = 65_537n;
/** RFC 7518 §6.3.2 and §6.4.1. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** Reads a JWK set (RFC 7517 §5), without unusable entries. @throws Error for another document, or without a usable key */
export function importKeys(document: unknown): ImportedKeys {
	const { keys: entries } = isRecord(document) ? document : {};
	if (!Array.isArray(entries)) throw new Error('The response is not a JSON Web Key Set.');
	const keys = new Map<string, ImportedKey>();
	const refusals: string[] = [];
	for (const [index, entry] of entries.entries()) {
		try {
			const { kid, ...imported } = importKey(entry);
			// With two keys of one `kid`, the first is used: otherwise an added entry could replace a key.
			if (keys.has(kid)) throw new Error('kid is taken');
			keys.set(kid, imported);
		} catch (error) {
			refusals.push(`keys[${index}]: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	if (keys.size === 0) throw new Error(`The response holds no usable key. ${refusals.join('; ')}`.trim());
	return { keys, refusals };
}

function importKey(jwk: unknown): ImportedKey & { kid: string } {
	if (!isRecord(jwk)) throw new Error('not an object');
	const { kty, alg, use, key_ops: operations, kid, n, e } = jwk;
	if (kty !== 'RSA') throw new Error('kty is not RSA');
	if (alg !== undefined && alg !== 'RS256') throw new Error('alg is not RS256');
	if (use !== undefined && use !== 'sig') throw new Error('use is not sig');
	// RFC 7517 §4.3: the publisher limits the key to these operations.
	if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify')))
		throw new Error('key_ops does not include verify');
	if (typeof kid !== 'string' || kid === '') throw new Error('kid is no text');
	// Every reader of this document can sign with such a key.
	if (privateMembers.some((name) => jwk[name] !== undefined)) throw new Error('contains a private key');
	if (typeof n !== 'string' || typeof e !== 'string') throw new Error('n or e is no text');
	const key = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
	const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
	if (modulusLength < modulusBitsMin || modulusLength > modulusBitsMax)
		throw new Error(`a modulus of ${modulusLength} bits`);
	if (publicExponent < exponentMin || publicExponent % 2n === 0n) throw new Error('a weak exponent');
	if (hasRocaFingerprint(n)) throw new Error('a modulus that can be factored (CVE-2017-15361)');
	return { kid, key, material: `${n}.${e}` };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const primes = [
	...[3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103],
	...[107, 109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167],
];

/** For each prime the powers of 65537 modulo it. */
const powers = primes.map((prime) => {
	const found = new Set<number>();
	for (let power = 1; !found.has(power); power = (power * 65_537) % prime) found.add(power);
	return [BigInt(prime), found] as const;
});

/**
 * Whether a modulus (base64url) was made by the library of Infineon whose keys can be factored (ROCA, CVE-2017-15361): modulo
 * each small prime it is a power of 65537. Another modulus is with a probability of about 2^-28.
 * Nemec et al., The Return of Coppersmith's Attack, §4.1.
 */
function hasRocaFingerprint(modulus: string): boolean {
	const n = BigInt(`0x0${Buffer.from(modulus, 'base64url').toString('hex')}`);
	return powers.every(([prime, found]) => found.has(Number(n % prime)));
}
