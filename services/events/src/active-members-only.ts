import { requireActingMember } from '@paddock/identity';
import type { Call, Route } from '@paddock/service';
import type { EventsDeps } from './deps.ts';
import { errorsNamed } from './errors.ts';

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
			await requireActingMember(request, deps.directory.members);
			return route.handler(request as never, deps);
		},
	};
}
