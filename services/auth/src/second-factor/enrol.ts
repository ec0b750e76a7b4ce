import { inTransaction } from '@paddock/database';
import type { AuthQueryable } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import type { FactorKind } from '../mails/notice-texts.ts';
import { secondFactorAddedMail } from '../mails/notices.ts';
import { revokeSessions } from '../revocations/store.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { lockUser, type User } from '../users/store.ts';
import { deleteChallengesOf } from './challenges.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { confirmTotp, findTotp, hasSecondFactor, replaceRecoveryCodes } from './store.ts';
import { stepOf, totpFormat } from './totp.ts';

type EnrolDeps = Pick<AuthDeps, 'db' | 'jobs' | 'secrets' | 'now'>;

/**
 * The transaction of an enrolment. With the first factor the account gets recovery codes, and its other sessions and pending
 * sign-ins end: they were opened with the password alone. The account is locked, so that of two first enrolments, such as
 * those of the owner and of an attacker who knows the password, the second one sees the first.
 * @param keptSession undefined if the enrolment is part of a sign-in
 * @param check runs under the lock
 * @returns recovery codes; none if the account had a factor
 */
export async function enrolFactor(
	{ db, jobs, now }: EnrolDeps,
	{
		userId,
		keptSession,
		...factor
	}: {
		readonly userId: string;
		readonly keptSession: string | undefined;
		readonly kind: FactorKind;
		/** Of a passkey. */
		readonly label: string | null;
	},
	check: (transaction: AuthQueryable, hasFactor: boolean) => Promise<void>,
): Promise<readonly string[]> {
	return inTransaction(db, async (transaction) => {
		const user = await lockUser(transaction, userId);
		const hadFactor = await hasSecondFactor(transaction, user.id);
		await check(transaction, hadFactor);
		await enqueueAccountMail({ jobs, transaction }, secondFactorAddedMail, { userId, ...factor });
		if (hadFactor) return [];
		const codes = newRecoveryCodes();
		await replaceRecoveryCodes(transaction, user.id, codes, now());
		const ended = await endSessionsOf(transaction, user.id, now(), keptSession);
		await revokeSessions(transaction, ended, now());
		await deleteChallengesOf(transaction, user.id);
		return codes;
	});
}

/** Completes the enrolment of an app with its first code. @throws ApiError SECOND_FACTOR_WRONG */
export async function completeTotp(
	{ secrets, now }: EnrolDeps,
	transaction: AuthQueryable,
	user: Pick<User, 'id'>,
	code: string,
): Promise<void> {
	const totp = await findTotp(transaction, secrets, user.id, 'pending');
	const step = totp && totpFormat.test(code) ? await stepOf(code, totp, now()) : undefined;
	if (totp === undefined || step === undefined) throw authError('SECOND_FACTOR_WRONG');
	if (!(await confirmTotp(transaction, { id: totp.id, step, at: now() })))
		throw authError('SECOND_FACTOR_WRONG');
}
