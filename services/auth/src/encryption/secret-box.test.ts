import { describe, expect, test } from '@jest/globals';
import { encryptionKeysSetting } from './encryption-keys.ts';
import { createSecretBox, isSealed } from './secret-box.ts';

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];
const boxOf = (...texts: string[]) => createSecretBox(encryptionKeysSetting.parse(texts.join(',')));

describe('an encrypted secret', () => {
	const sealed = boxOf(a).seal('a secret – ü', 'keys/1');

	test('is read by its owner only, and differs each time', () => {
		expect(boxOf(a).open(sealed, 'keys/1')).toBe('a secret – ü');
		expect(() => boxOf(a).open(sealed, 'keys/2')).toThrow();
		expect(sealed).not.toContain('secret');
		expect(boxOf(a).seal('a secret – ü', 'keys/1')).not.toBe(sealed);
	});

	test('is refused when any byte of it was changed', () => {
		const [head, id, payload = ''] = sealed.split(':');
		const bytes = Buffer.from(payload, 'base64url');
		for (let at = 0; at < bytes.length; at++) {
			const changed = Buffer.from(bytes);
			changed[at] = (changed[at] ?? 0) ^ 1;
			expect(() => boxOf(a).open(`${head}:${id}:${changed.toString('base64url')}`, 'keys/1')).toThrow();
		}
		// A short tag would be guessed.
		expect(() => boxOf(a).open(`${head}:${id}:${bytes.toString('base64url', 0, 20)}`, 'keys/1')).toThrow();
	});

	test('is read with the previous key, and counts as current with its own only', () => {
		expect(boxOf(b, a).open(sealed, 'keys/1')).toBe('a secret – ü');
		expect([boxOf(a), boxOf(a, b), boxOf(b, a), boxOf(b)].map((box) => box.isCurrent(sealed))).toEqual([
			true,
			true,
			false,
			false,
		]);
		expect(boxOf(b, a).unknownKeyOf(sealed)).toBeUndefined();
	});

	test('without its key names the missing key and nothing of it', () => {
		const id = sealed.split(':')[1] ?? '';
		expect(boxOf(b, c).unknownKeyOf(sealed)).toBe(id);
		expect(() => boxOf(b, c).open(sealed, 'keys/1')).toThrow(id);
		expect(a).not.toContain(id);
	});
});

test('a value in clear is not taken for an encrypted one', () => {
	expect(isSealed('-----BEGIN PRIVATE KEY-----\nMIIE')).toBe(false);
	expect(boxOf(a).isCurrent('-----BEGIN PRIVATE KEY-----\nMIIE')).toBe(false);
});
