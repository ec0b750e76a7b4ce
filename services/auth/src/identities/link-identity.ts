import { inTransaction } from '@paddock/database';
import type { Logger } from '@paddock/telemetry';
import type { AuthQueryable } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { authError } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { isUnchanged, type User } from '../users/store.ts';
import { identityLinkedMail } from './identity-mails.ts';
import { insertIdentity, type LinkedIdentity } from './store.ts';

interface NewLink {
	readonly user: User;
	readonly identity: LinkedIdentity;
	readonly log: Logger;
}

/**
 * Links an identity whose account its owner has confirmed, and informs by mail.
 * @throws ApiError IDENTITY_LINKED; INVALID_CREDENTIALS if status or password have changed since `user` was read
 */
export async function linkIdentity(
	deps: Pick<AuthDeps, 'db' | 'jobs' | 'now'>,
	link: NewLink,
): Promise<void> {
	await inTransaction(deps.db, async (transaction) => {
		if (!(await isUnchanged(transaction, link.user))) throw authError('INVALID_CREDENTIALS');
		await addIdentity(deps, transaction, link);
	});
}

/** The same in a transaction. */
export async function addIdentity(
	{ jobs, now }: Pick<AuthDeps, 'jobs' | 'now'>,
	transaction: AuthQueryable,
	{ user, identity, log }: NewLink,
): Promise<void> {
	if (!(await insertIdentity(transaction, user.id, identity, now()))) return;
	const { issuer } = identity;
	await enqueueAccountMail({ jobs, transaction }, identityLinkedMail, { userId: user.id, issuer });
	log.warn('an external identity was linked', { userId: user.id, issuer });
}
