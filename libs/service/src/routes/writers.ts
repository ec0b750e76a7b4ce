import { sharedErrors } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { Call, Route } from './route.ts';

/**
 * Who may write, of the callers that have access. Required of each route that is not GET.
 * - `activeMembers`: the context's check runs first and refuses with MEMBER_NOT_ACTIVE. The office and accounts without a
 *   member are exempt.
 * - `activeMembersOrSelf`: likewise, and a member whose approval is pending the own record.
 * - `office`: access is for the office alone, whose rights do not come from a membership.
 * - `account`: the caller's own account, whatever the membership is.
 * - `anyone`: public, such as a sign-in. `services`: other services.
 */
export type Writers = 'activeMembers' | 'activeMembersOrSelf' | 'office' | 'account' | 'anyone' | 'services';

/**
 * Resolves with the caller as it may act now: without represented members who are not active; undefined = unchanged.
 * @throws ApiError MEMBER_NOT_ACTIVE; errors of the lookup
 */
export type RequireActive<Deps> = (
	call: WritingCall,
	deps: Deps,
	writers: Writers,
) => Promise<Principal | undefined>;

type WritingCall = Call & { readonly params: unknown };

/**
 * The route with the check of its writers. Of an idempotent route `once` of libs/database runs it, so that a repeated request
 * gets its stored response even if the members do not respond.
 * @throws TypeError for a declaration that contradicts the access
 */
export function withWriters<Deps, Declared extends Route<Deps>>(
	route: Declared,
	requireActive: RequireActive<Deps> | undefined,
): Declared {
	const { writers, access, operationId } = route;
	if (writers === undefined) return route;
	const isAllowed = {
		office: typeof access === 'object' && 'roles' in access && access.roles.every(isOffice),
		anyone: access === 'public',
		services: typeof access === 'object' && 'scope' in access,
		account: access !== 'public',
		activeMembers: access !== 'public' && requireActive !== undefined,
		activeMembersOrSelf: access !== 'public' && requireActive !== undefined,
	};
	if (!isAllowed[writers]) throw new TypeError(`${operationId}: its access is not for writers: ${writers}.`);
	if (requireActive === undefined || !writers.startsWith('activeMembers')) return route;
	const handler = async (request: WritingCall, deps: Deps) => {
		const requireWriter = async () => void (await requireActive(request, deps, writers));
		if (route.idempotent === true) return route.handler({ ...request, requireWriter } as never, deps);
		const principal = (await requireActive(request, deps, writers)) ?? request.principal;
		return route.handler({ ...request, principal } as never, deps);
	};
	const { MEMBER_NOT_ACTIVE } = sharedErrors;
	return { ...route, errors: { ...route.errors, MEMBER_NOT_ACTIVE }, handler };
}

const isOffice = (role: string) => role === 'FEDERATION_OFFICER' || role === 'ADMIN';
