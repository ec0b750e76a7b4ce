import type { Principal } from '@paddock/identity';
import type { EventsDeps } from './deps.ts';
import type { CallContext } from './directory/call-context.ts';
import type { MemberReference } from './directory/references.ts';
import { eventsError } from './errors.ts';
import { isOfficer } from './event-access.ts';

/**
 * The member whose state decides whether the account may write. Undefined: an account that is linked to no member, and
 * an account of the federation's office, whose right comes from the office and not from a membership.
 */
export function actingMemberId(principal: Principal): string | undefined {
	return isOfficer(principal) ? undefined : principal.memberId;
}

/**
 * `members` by id, with the acting member where there is one.
 * @throws ApiError MEMBER_NOT_ACTIVE for a member that is suspended, not approved yet, deleted or unknown.
 */
export function requireActiveMember(
	principal: Principal,
	members: ReadonlyMap<string, Pick<MemberReference, 'status'>>,
): void {
	const id = actingMemberId(principal);
	if (id !== undefined && members.get(id)?.status !== 'ACTIVE') throw eventsError('MEMBER_NOT_ACTIVE');
}

/** Reads the state now: a suspension takes effect at once. @throws ApiError MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT */
export async function checkActingMember(
	{ principal, ...context }: CallContext & { readonly principal: Principal },
	{ directory }: Pick<EventsDeps, 'directory'>,
): Promise<void> {
	const id = actingMemberId(principal);
	if (id !== undefined) requireActiveMember(principal, await directory.members([id], context));
}
