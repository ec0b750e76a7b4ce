import { isDeepStrictEqual } from 'node:util';
import { accountSubject, sessionSubject } from '@paddock/identity';
import type { AuthQueryable } from '../database-schema.ts';
import type { User } from '../users/view.ts';
import { insertRevocations } from './store.ts';

/** Revokes the access tokens of sessions that have ended. Must be the last statement of its transaction. */
export function revokeSessions(
	transaction: AuthQueryable,
	sessionIds: readonly string[],
	at: Date,
): Promise<void> {
	const revocations = sessionIds.map((id) => ({ subject: sessionSubject(id), before: null }));
	return insertRevocations(transaction, revocations, at);
}

/**
 * Revokes the access tokens with outdated claims if the change concerns a claim. A token carries the account version
 * from which its claims were read, so the order does not depend on clocks. The sessions continue, and a refresh issues
 * a current token. Must be the last statement of its transaction.
 */
export async function revokeOutdated(
	transaction: AuthQueryable,
	{ from, to }: { readonly from: User; readonly to: User },
	at: Date,
): Promise<void> {
	if (isDeepStrictEqual(shownOf(from), shownOf(to))) return;
	await insertRevocations(transaction, [{ subject: accountSubject(to.id), before: to.version }], at);
}

function shownOf({ roles, roleScopes, memberId, status }: User) {
	return { roles: [...roles], roleScopes, memberId, status };
}
