import { apiError } from '@paddock/contract';
import type { Role } from '@paddock/identity';
import type { User } from './view.ts';

/** The roles of the federation's office; only administrators may grant or revoke them. */
const officeRoles: readonly Role[] = ['FEDERATION_OFFICER', 'ADMIN'];

/**
 * Officers link ordinary accounts to members and give them roles for clubs. They neither change an account that holds a
 * role of the office, their own included, nor grant such a role: otherwise one officer could take over the system.
 * @throws ApiError FORBIDDEN
 */
export function requireRoleRight(
	actor: Pick<User, 'roles'>,
	before: Pick<User, 'roles'>,
	after: readonly Role[],
): void {
	if (actor.roles.includes('ADMIN')) return;
	const ofOffice = (roles: readonly Role[]) => roles.some((role) => officeRoles.includes(role));
	if (ofOffice(before.roles))
		throw apiError('FORBIDDEN', { message: 'Only an administrator changes an account of the office.' });
	if (ofOffice(after))
		throw apiError('FORBIDDEN', { message: `Only an administrator grants ${officeRoles.join(' or ')}.` });
}
