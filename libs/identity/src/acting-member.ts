import { errorFactory, sharedErrors } from '@paddock/contract';
import { isOfficer, type Principal } from './principal.ts';

const sharedError = errorFactory(sharedErrors);

type KnownMembers = ReadonlyMap<string, { readonly status: string }>;

/**
 * The member whose status decides whether the account may write. Undefined for an account without a member, and for the
 * federation's office, whose rights do not come from a membership.
 */
export function actingMemberId(principal: Principal): string | undefined {
	return isOfficer(principal) ? undefined : principal.memberId;
}

/**
 * `members` by id; includes the acting member, if any.
 * @throws ApiError MEMBER_NOT_ACTIVE if the member is suspended, not yet approved, deleted or unknown.
 */
export function requireActiveMember(principal: Principal, members: KnownMembers): void {
	const id = actingMemberId(principal);
	if (id !== undefined && members.get(id)?.status !== 'ACTIVE') throw sharedError('MEMBER_NOT_ACTIVE');
}

/**
 * The same with a lookup of the present status, so that a suspension takes effect at once. Call it before the
 * transaction; a write may still complete if the member is suspended during it.
 * @throws ApiError MEMBER_NOT_ACTIVE; errors of `lookUp`
 */
export async function requireActingMember<Call extends { readonly principal: Principal }>(
	call: Call,
	lookUp: (ids: readonly string[], call: Call) => Promise<KnownMembers>,
): Promise<void> {
	const id = actingMemberId(call.principal);
	if (id !== undefined) requireActiveMember(call.principal, await lookUp([id], call));
}
