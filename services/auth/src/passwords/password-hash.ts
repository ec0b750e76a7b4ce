import { randomBytes } from 'node:crypto';
import { hash, parseOptions, verify } from '@node-rs/argon2';

/** OWASP Password Storage Cheat Sheet: argon2id with m = 19 MiB, t = 2, p = 1. */
export const argon2Recommended: Argon2Cost = { memoryKib: 19_456, passes: 2 };

/** In code points; the setting PASSWORD_LENGTH_MIN overrides it. */
export const passwordLengthMinDefault = 12;

/** Cost of one hash. */
export interface Argon2Cost {
	readonly memoryKib: number;
	readonly passes: number;
}

export interface PasswordHash {
	/** Returns a PHC string with its own salt. */
	hash(password: string): Promise<string>;
	/** Whether `stored` is a hash of `password`. Without `stored` it resolves with false after the same time. */
	verify(stored: string | undefined, password: string): Promise<boolean>;
	/** Whether `stored` was created with a cost other than the configured one. */
	isOutdated(stored: string): boolean;
}

/** argon2id over the NFKC form, so that a password typed on another keyboard or system still matches (SP 800-63B-4). */
export async function createPasswordHash(cost: Argon2Cost): Promise<PasswordHash> {
	// argon2id and version 19 are the library's defaults; its enums are `const enum`s, which can't be imported here.
	const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
	const nobodys = await hash(randomBytes(32), options);
	return {
		hash: (password) => hash(password.normalize('NFKC'), options),
		verify: async (stored, password) => {
			// That of an erased account is none.
			const isHash = stored?.startsWith('$argon2') === true;
			const matches = await verify(isHash ? stored : nobodys, password.normalize('NFKC'));
			return isHash && matches;
		},
		isOutdated: (stored) => {
			const made = parseOptions(stored);
			return made.memoryCost !== cost.memoryKib || made.timeCost !== cost.passes || made.parallelism !== 1;
		},
	};
}
