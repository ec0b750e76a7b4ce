import { checkPrimeSync, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { importKeys } from './import-keys.ts';
import { generateSigningKey } from './signing-key.ts';

const { publicJwk } = await generateSigningKey();

function jwkOf(key: KeyObject): object {
	return { ...key.export({ format: 'jwk' }), kid: 'odd' };
}

function rsaJwk(modulusLength: number, publicExponent = 65_537): object {
	return jwkOf(generateKeyPairSync('rsa', { modulusLength, publicExponent }).publicKey);
}

/**
 * A public key as the library with CVE-2017-15361 makes them: primes k * M + (65537^a mod M), M being the product of the first
 * small primes.
 */
function rocaJwk(modulusLength: number): object {
	const isSmallPrime = (value: number) => checkPrimeSync(BigInt(value));
	const smallPrimes = Array.from({ length: 700 }, (_, at) => at + 2).filter(isSmallPrime);
	const product = smallPrimes.slice(0, 126).reduce((all, prime) => all * BigInt(prime), 1n);
	const rocaPrime = (): bigint => {
		for (;;) {
			const power = powerOf(65_537n, BigInt(`0x${randomBytes(32).toString('hex')}`), product);
			const bits = modulusLength / 2;
			const highest = (3n << BigInt(bits - 2)) / product;
			const k = highest + BigInt(randomBytes(3).readUIntBE(0, 3));
			const candidate = k * product + power;
			if (checkPrimeSync(candidate)) return candidate;
		}
	};
	const modulus = (rocaPrime() * rocaPrime()).toString(16);
	const n = Buffer.from(modulus.padStart(modulus.length + (modulus.length % 2), '0'), 'hex');
	return { ...publicJwk, kid: 'odd', n: n.toString('base64url') };
}

function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
	let [result, square] = [1n, base];
	for (let rest = exponent; rest > 0n; rest >>= 1n) {
		if (rest % 2n === 1n) result = (result * square) % modulus;
		square = (square * square) % modulus;
	}
	return result;
}

describe('importKeys', () => {
	test('accepts a key without alg and use', () => {
		const { alg: _alg, use: _use, ...open } = publicJwk;
		expect([...importKeys({ keys: [open] }).keys.keys()]).toEqual([publicJwk.kid]);
	});

	test.each([[['verify']], [['sign', 'verify']]])('accepts a key whose key_ops are %j', (operations) => {
		const { use: _use, ...open } = publicJwk;
		const { keys } = importKeys({ keys: [{ ...open, key_ops: operations }] });
		expect([...keys.keys()]).toEqual([publicJwk.kid]);
	});

	const { publicKey: ecKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	test.each<[string, unknown]>([
		['null', null],
		['a text', 'key'],
		['a list', [publicJwk]],
		['an elliptic curve key', jwkOf(ecKey)],
		['a symmetric key', { kty: 'oct', k: 'c2VjcmV0', kid: 'odd' }],
		['an RSA key without modulus', { ...publicJwk, kid: 'odd', n: undefined }],
		['an RSA key without exponent', { ...publicJwk, kid: 'odd', e: undefined }],
		['a modulus that is not a string', { ...publicJwk, kid: 'odd', n: 5 }],
		['an empty modulus', { ...publicJwk, kid: 'odd', n: '' }],
		['1024 bits', rsaJwk(1024)],
		['2047 bits', rsaJwk(2047)],
		['16384 bits', { ...publicJwk, kid: 'odd', n: Buffer.alloc(2048, 0xff).toString('base64url') }],
		['an exponent of 1', { ...publicJwk, kid: 'odd', e: 'AQ' }],
		['an exponent of 3', rsaJwk(2048, 3)],
		['an even exponent', { ...publicJwk, kid: 'odd', e: 'AQAC' }],
		['another algorithm', { ...publicJwk, kid: 'odd', alg: 'RS512' }],
		['a key for encryption', { ...publicJwk, kid: 'odd', use: 'enc' }],
		['key_ops without verify', { ...publicJwk, kid: 'odd', key_ops: ['encrypt', 'wrapKey'] }],
		['key_ops that only sign', { ...publicJwk, kid: 'odd', key_ops: ['sign'] }],
		['empty key_ops', { ...publicJwk, kid: 'odd', key_ops: [] }],
		['key_ops that are not a list', { ...publicJwk, kid: 'odd', key_ops: 'verify' }],
		[
			'key_ops verify with a use for encryption',
			{ ...publicJwk, kid: 'odd', use: 'enc', key_ops: ['verify'] },
		],
		['key_ops that are null', { ...publicJwk, kid: 'odd', key_ops: null }],
		...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map((name): [string, unknown] => [
			`a key with the private member ${name}`,
			{ ...publicJwk, kid: 'odd', [name]: name === 'oth' ? [] : 'AQ' },
		]),
		[
			'a private key',
			{
				...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
				kid: 'odd',
			},
		],
		['a key of the library with ROCA', rocaJwk(2048)],
		['a longer key of that library', rocaJwk(3072)],
		['no kid', { ...publicJwk, kid: undefined }],
		['an empty kid', { ...publicJwk, kid: '' }],
		['a kid that is not a string', { ...publicJwk, kid: 7 }],
		['a duplicate kid', { ...rsaJwk(2048), kid: publicJwk.kid }],
	])('omits %s and accepts the others', (_name, entry) => {
		const { keys, refusals } = importKeys({ keys: [publicJwk, entry] });
		expect([...keys.keys()]).toEqual([publicJwk.kid]);
		expect(keys.get(publicJwk.kid)?.key.export({ format: 'jwk' })).toMatchObject({ n: publicJwk.n });
		expect(refusals).toEqual([expect.stringMatching(/^keys\[1\]: ./)]);
	});

	test.each<[string, unknown]>([
		['no set', undefined],
		['a text', '{"keys":[]}'],
		['a bare list', [publicJwk]],
		['keys that are not a list', { keys: { 0: publicJwk } }],
		['an empty list', { keys: [] }],
		['nothing usable', { keys: [null, { ...publicJwk, kid: '' }] }],
	])('refuses %s as a whole', (_name, document) => {
		expect(() => importKeys(document)).toThrow(
			/^The response (is not a JSON Web Key Set|holds no usable key)/,
		);
	});
});
