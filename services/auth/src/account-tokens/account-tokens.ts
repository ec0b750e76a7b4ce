import { hash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { AuthQueryable } from '../database-schema.ts';
import { authError } from '../errors.ts';
import { deleteAccountTokens, findAccountToken, insertAccountToken, takeAccountToken } from './store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Purposes of single-use tokens, each with its lifetime. A token is valid for its purpose only. */
const accountTokenLivesMs = {
	VERIFY_EMAIL: 24 * hourMs,
	RESET_PASSWORD: 30 * minuteMs,
	/** From the current address, for a change to another one. */
	LEAVE_EMAIL: 24 * hourMs,
	/** From the new address of such a change. */
	ENTER_EMAIL: 24 * hourMs,
	INVITATION: 7 * 24 * hourMs,
	/** Confirms that an identity at the external provider signs in to the account. */
	LINK_IDENTITY: 30 * minuteMs,
	/** Download of an export of personal data. */
	EXPORT: 7 * 24 * hourMs,
} as const satisfies Record<string, number>;

export type AccountTokenPurpose = keyof typeof accountTokenLivesMs;

export interface AccountToken {
	readonly userId: string;
	/** What the purpose needs; never a secret. */
	readonly data: Readonly<Record<string, unknown>>;
}

const tokenBytes = 32;

/** A token in a request body. */
export const accountTokenField = z
	.string('must be text')
	.regex(/^[\w-]{43}$/, 'must be the token of the link')
	.describe('The token in the link of the mail.');

/**
 * Issues a token for a mail. Only its digest is stored, so it is created where the mail is sent and never put into a job.
 * Earlier tokens of the purpose stay valid: a mail may be sent twice, and the recipient may use either.
 */
export async function issueAccountToken(
	db: AuthQueryable,
	{
		userId,
		purpose,
		data = {},
	}: Pick<AccountToken, 'userId'> &
		Partial<Pick<AccountToken, 'data'>> & { readonly purpose: AccountTokenPurpose },
	now: Date,
): Promise<string> {
	const token = randomBytes(tokenBytes).toString('base64url');
	const expiresAt = new Date(now.getTime() + accountTokenLivesMs[purpose]);
	await insertAccountToken(db, {
		tokenHash: digest(token),
		userId,
		purpose,
		data,
		createdAt: now,
		expiresAt,
	});
	return token;
}

/** The owner and data of a valid token, which stays valid. @throws ApiError ACCOUNT_TOKEN_INVALID */
export async function readAccountToken(
	db: AuthQueryable,
	token: string,
	purpose: AccountTokenPurpose,
	now: Date,
): Promise<AccountToken> {
	const found = await findAccountToken(db, digest(token), purpose, now);
	if (found === undefined) throw authError('ACCOUNT_TOKEN_INVALID');
	return found;
}

/**
 * Uses a token, and with it all tokens of its account and purpose. Must be in the transaction of its effect, so that neither
 * happens without the other. @throws ApiError ACCOUNT_TOKEN_INVALID, the same for unknown, expired and used ones
 */
export async function useAccountToken(
	transaction: AuthQueryable,
	token: string,
	purpose: AccountTokenPurpose,
	now: Date,
): Promise<AccountToken> {
	const taken = await takeAccountToken(transaction, digest(token), purpose, now);
	if (taken === undefined) throw authError('ACCOUNT_TOKEN_INVALID');
	await deleteAccountTokens(transaction, taken.userId, [purpose]);
	return taken;
}

/** SHA-256 suffices for 256 random bits. Lookup by digest leaks nothing about the token through timing. */
function digest(token: string): Buffer {
	return hash('sha256', token, 'buffer');
}
