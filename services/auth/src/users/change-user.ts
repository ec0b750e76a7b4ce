import { type RecordCall, requireVersion, type Update } from '@paddock/service';
import { revokeOutdated } from '../revocations/store.ts';
import type { SessionDeps } from '../sessions/require-session.ts';
import { keepAdministrator, lockAdministrators } from './rules.ts';
import { type UserDto, userDto } from './schemas.ts';
import { lockUser, type User, type UserChanges, updateUser } from './store.ts';

type ChangeRequest = Pick<RecordCall, 'params' | 'preconditions'>;

/**
 * `actor` and `changes` run under the lock: otherwise two administrators could dismiss each other concurrently, and both
 * changes would succeed.
 */
interface ChangeRights {
	/** @throws ApiError when the caller no longer holds the role */
	readonly actor: () => Promise<User>;
	/** @throws ApiError when the actor must not make these changes to this account */
	readonly changes: (actor: User, before: User) => Promise<UserChanges>;
	/** Further changes in the same transaction, before tokens are revoked. */
	readonly settle?: (changed: User, before: User) => Promise<void>;
}

/**
 * Changes an account on behalf of an administrator or officer. Must be the whole transaction, as it ends by revoking
 * the tokens with outdated claims.
 * @throws ApiError, also those of `rights`
 */
export async function changeUser(
	{ db, now }: SessionDeps,
	{ params, preconditions }: ChangeRequest,
	rights: ChangeRights,
): Promise<User> {
	await lockAdministrators(db);
	const actor = await rights.actor();
	const user = await lockUser(db, params.id);
	requireVersion(preconditions, user.version);
	const changes = await rights.changes(actor, user);
	await keepAdministrator(db, user, { ...user, ...changes });
	const changed = await updateUser(db, user, changes, now());
	await rights.settle?.(changed, user);
	await revokeOutdated(db, { from: user, to: changed }, now());
	return changed;
}

/** The stored account for `update.onto`: a role that is taken away leaves no scope. */
export function accountOnto(user: User, { named }: Pick<Update<unknown>, 'named'>): UserDto {
	const account = userDto(user);
	const { roles = user.roles } = named;
	const kept = Object.entries(account.roleScopes).filter(([role]) => (roles as unknown[]).includes(role));
	return { ...account, roleScopes: Object.fromEntries(kept) };
}

/** zod's optional fields may be present with the value undefined; stored scopes may not. */
export function definedScopes(scopes: UserDto['roleScopes']): User['roleScopes'] {
	return Object.fromEntries(Object.entries(scopes).filter(([, scope]) => scope !== undefined));
}
