import { hash, randomBytes } from 'node:crypto';

const codesPerAccount = 10;
// 120 bits: NIST SP 800-63B-4 §3.1.2.2 allows a plain hash from 112 bits.
const codeBytes = 15;

/** New codes as shown once to their owner, such as `ABCDEF-GHIJKL-MNOPQR-STUVWX`. */
export function newRecoveryCodes(): readonly string[] {
	return Array.from({ length: codesPerAccount }, () => {
		const groups = base32Of(randomBytes(codeBytes)).match(/.{6}/g) ?? [];
		return groups.join('-');
	});
}

/** The digest that is stored, of a code without separators and in upper case. */
export function recoveryCodeHash(code: string): Buffer {
	return hash('sha256', `recovery code ${code.replaceAll('-', '')}`, 'buffer');
}

/** RFC 4648 §6: no 0, 1, 8 or 9, which people confuse with letters. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 without padding, of a multiple of five bytes. */
function base32Of(bytes: Buffer): string {
	const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
	return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('');
}
