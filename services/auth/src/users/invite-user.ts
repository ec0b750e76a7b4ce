import { randomBytes } from 'node:crypto';
import { refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Call } from '@paddock/service';
import type { z } from 'zod';
import { issueAccountToken } from '../account-tokens/account-tokens.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { referenceErrors } from '../peers/members.ts';
import { invitationMail } from '../recovery/recovery-mails.ts';
import { revokeSessions } from '../revocations/store.ts';
import { requireStepUp } from '../second-factor/policy.ts';
import { requireAdministrator } from '../sessions/require-session.ts';
import { forgetReplaced } from '../sign-in/register-account.ts';
import { addressSeries } from '../sign-in/sign-in-subject.ts';
import { definedScopes } from './change-user.ts';
import { lockAdministrators } from './rules.ts';
import type { invitationBody } from './schemas.ts';
import { registerUser, type User } from './store.ts';

type InviteCall = Call & { readonly body: z.output<typeof invitationBody> };

/**
 * Creates an account that has no password for a sign-in until its owner has set one with the link of the mail. Replaces one
 * with the address that was never verified, as a registration does.
 * @throws ApiError FORBIDDEN, STEP_UP_REQUIRED, VALIDATION_ERROR, EMAIL_ALREADY_REGISTERED; errors of `memberDirectory`
 */
export async function inviteUser(call: InviteCall, deps: AuthDeps): Promise<User> {
	const { body, principal, address, signal, log } = call;
	const { db, jobs, now } = deps;
	await requireStepUp(deps, await requireAdministrator(deps, principal), principal);
	const roleScopes = definedScopes(body.roleScopes);
	const [stored, next] = [
		{ memberId: null, roleScopes: {} },
		{ memberId: null, roleScopes },
	];
	refuseInvalid(await referenceErrors(deps.memberDirectory, { stored, next }, call));
	const turn = { key: addressSeries(address), signal };
	const passwordHash = await deps.passwordQueue.run(turn, () =>
		deps.passwordHash.hash(randomBytes(32).toString('base64url')),
	);
	const user = await inTransaction(db, async (transaction) => {
		// As for a change of roles: the administrator may have been dismissed meanwhile.
		await lockAdministrators(transaction);
		await requireAdministrator({ ...deps, db: transaction }, principal);
		const account = { ...body, roleScopes, passwordHash, isDemo: false, emailVerifiedAt: null };
		const at = now();
		const invited = await registerUser(transaction, account, at);
		if (invited === undefined) throw authError('EMAIL_ALREADY_REGISTERED');
		const ended = await forgetReplaced(transaction, invited.id, at);
		// The mail has a token of its own. Until it is sent, this one protects the account from a registration.
		const data = { email: invited.email };
		await issueAccountToken(transaction, { userId: invited.id, purpose: 'INVITATION', data }, at);
		await enqueueAccountMail({ jobs, transaction }, invitationMail, { userId: invited.id });
		await revokeSessions(transaction, ended, at);
		return invited;
	});
	log.info('an account was created by an administrator', { userId: user.id, by: principal.userId });
	return user;
}
