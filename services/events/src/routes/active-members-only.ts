import type { Call, Route } from '@paddock/service';
import type { EventsDeps } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
import { actingMemberId, requireActiveMember } from '../event-access.ts';

/**
 * Operations that check inside of `once`, so that a repeated request gets its stored response even if members does not
 * respond.
 */
const checkedInside: ReadonlySet<string> = new Set(['createEvent', 'createEntry']);

/** Wraps every route other than GET so that its handler runs for active members only. */
export function activeMembersOnly(route: Route<EventsDeps>): Route<EventsDeps> {
	if (route.method === 'get') return route;
	const errors = { ...route.errors, ...errorsNamed('MEMBER_NOT_ACTIVE') };
	if (checkedInside.has(route.operationId)) return { ...route, errors };
	return {
		...route,
		errors,
		handler: async (request: Call, deps) => {
			await checkActingMember(request, deps);
			return route.handler(request as never, deps);
		},
	};
}

/**
 * Queries the current status, so that a suspension takes effect at once.
 * @throws ApiError MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export async function checkActingMember(
	request: Call,
	{ directory }: Pick<EventsDeps, 'directory'>,
): Promise<void> {
	const id = actingMemberId(request.principal);
	if (id !== undefined) requireActiveMember(request.principal, await directory.members([id], request));
}
