import type { Argon2Cost } from './password-hash.ts';

/** OWASP Password Storage Cheat Sheet: argon2id with m = 19 MiB, t = 2, p = 1. */
export const argon2Recommended: Argon2Cost = { memoryKib: 19_456, passes: 2 };

/** In code points; the setting PASSWORD_LENGTH_MIN overrides it. */
export const passwordLengthMinDefault = 12;
