import type { Principal } from '@paddock/identity';
import type { EventsDeps } from './deps.ts';
import type { CallContext } from './directory/call-context.ts';
import type { MemberReference } from './directory/references.ts';
import { eventsError } from './errors.ts';
import { isOfficer } from './event-access.ts';

/**
 * The member whose status decides whether the account may write. Undefined for an account without a member, and for the
 * federation office, whose permissions do not come from a membership.
 */
export function actingMemberId(principal: Principal): string | undefined {
	return isOfficer(principal) ? undefined : principal.memberId;
}

/**
 * `members` by id; includes the acting member, if any.
 * @throws ApiError MEMBER_NOT_ACTIVE if the member is suspended, not yet approved, deleted or unknown.
 */
export function requireActiveMember(
	principal: Principal,
	members: ReadonlyMap<string, Pick<MemberReference, 'status'>>,
): void {
	const id = actingMemberId(principal);
	if (id !== undefined && members.get(id)?.status !== 'ACTIVE') throw eventsError('MEMBER_NOT_ACTIVE');
}

/**
 * Queries the current status, so that a suspension takes effect at once.
 * @throws ApiError MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export async function checkActingMember(
	{ principal, ...context }: CallContext & { readonly principal: Principal },
	{ directory }: Pick<EventsDeps, 'directory'>,
): Promise<void> {
	const id = actingMemberId(principal);
	if (id !== undefined) requireActiveMember(principal, await directory.members([id], context));
}
