import { type Call, refuseServerOwnedChanges, requireVersion } from '@paddock/service';
import { revokeOutdated } from '../revocations/store.ts';
import type { SessionDeps } from '../sessions/require-session.ts';
import { keepAdministrator, lockAdministrators } from './rules.ts';
import { userDto } from './schemas.ts';
import { lockUser, type User, type UserChanges, updateUser } from './store.ts';

interface ChangeRequest extends Pick<Call, 'principal' | 'preconditions' | 'serverOwned'> {
	readonly params: { readonly id: string };
}

/**
 * `actor` and `check` run under the lock: otherwise two administrators could dismiss each other concurrently, and both
 * changes would succeed.
 */
interface ChangeRights {
	/** @throws ApiError when the caller no longer holds the role */
	readonly actor: () => Promise<User>;
	/** @throws ApiError when the actor must not make this change to this account */
	readonly check?: (actor: User, before: User) => Promise<void>;
	/** Further changes in the same transaction, before tokens are revoked. */
	readonly settle?: (changed: User) => Promise<void>;
}

/**
 * Changes an account on behalf of an administrator or officer. Must be the whole transaction, as it ends by revoking
 * the tokens with outdated claims.
 * @throws ApiError, also those of `rights`
 */
export async function changeUser(
	{ db, now }: SessionDeps,
	{ params, preconditions, serverOwned }: ChangeRequest,
	changes: UserChanges,
	rights: ChangeRights,
): Promise<User> {
	await lockAdministrators(db);
	const actor = await rights.actor();
	const user = await lockUser(db, params.id);
	await rights.check?.(actor, user);
	requireVersion(preconditions, user.version);
	refuseServerOwnedChanges(serverOwned, userDto(user));
	await keepAdministrator(db, user, { ...user, ...changes });
	const changed = await updateUser(db, user, changes, now());
	await rights.settle?.(changed);
	await revokeOutdated(db, { from: user, to: changed }, now());
	return changed;
}
