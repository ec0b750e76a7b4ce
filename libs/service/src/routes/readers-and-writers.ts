import { sharedErrors } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { Access } from './access.ts';
import type { Call, Route } from './route.ts';

/**
 * What the callers read who have access, if it is the same rule for all records. Required of each GET that reads a token, or
 * a function that returns the caller's view of the records of the context, see `ReadersDeclaration`.
 * - `everyone`: the same data; the handler does not learn who calls.
 * - `office`: access is for the office alone, which reads everything.
 * - `account`: the data of the caller's own account.
 * - `services`: other services, which get what their scope is for.
 */
export type Readers = 'everyone' | 'office' | 'account' | 'services';

/** What the handler learns of the caller: nothing, the caller, or the result of the function. */
export type ReadersPart<Named, Viewer, Who> = [Named] extends ['everyone']
	? object
	: unknown extends Viewer
		? { readonly principal: Who }
		: { readonly viewer: Awaited<Viewer> };

/** A GET states its readers, unless it is public and reads no token; a write states its writers. */
export type ReadersDeclaration<Method, A, Token> = Method extends 'get'
	? [A, Token] extends ['public', undefined]
		? { readonly writers?: never; readonly readers?: never }
		: { readonly writers?: never; readonly readers: object | string }
	: { readonly writers: Writers; readonly readers?: never };

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

/** The caller without represented members who are not active; undefined = unchanged. @throws ApiError MEMBER_NOT_ACTIVE */
export type RequireActive<Deps> = (
	call: WritingCall,
	deps: Deps,
	writers: Writers,
) => Promise<Principal | undefined>;

type WritingCall = Call & { readonly params: unknown };

/**
 * The route with the check of its writers; `once` of libs/database runs that of an idempotent route.
 * @throws TypeError for a declaration that contradicts the access
 */
export function withWriters<Deps, Declared extends Route<Deps>>(
	route: Declared,
	requireActive: RequireActive<Deps> | undefined,
): Declared {
	const { writers, access, operationId } = route;
	if (writers === undefined) return route;
	const isAllowed = {
		office: isForOffice(access),
		anyone: access === 'public',
		services: isForServices(access),
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

/** The route whose handler gets what `ReadersPart` says. @throws TypeError for a declaration that contradicts the access */
export function withReaders<Deps, Declared extends Route<Deps>>(route: Declared): Declared {
	const { readers, access, operationId, handler } = route;
	if (typeof readers === 'string') {
		const isAllowed = {
			everyone: true,
			office: isForOffice(access),
			account: !isForServices(access),
			services: isForServices(access),
		};
		if (!isAllowed[readers])
			throw new TypeError(`${operationId}: its access is not for readers: ${readers}.`);
	}
	if (readers !== 'everyone' && typeof readers !== 'function') return route;
	const reading = async ({ principal, ...request }: { readonly principal: unknown }, deps: Deps) => {
		if (readers === 'everyone') return handler(request as never, deps);
		const viewer = await readers({ ...request, principal } as never, deps as never);
		return handler({ ...request, viewer } as never, deps);
	};
	return { ...route, handler: reading };
}

function isForOffice(access: Access): boolean {
	if (typeof access !== 'object' || !('roles' in access)) return false;
	return access.roles.every((role) => role === 'FEDERATION_OFFICER' || role === 'ADMIN');
}

function isForServices(access: Access): boolean {
	return typeof access === 'object' && 'scope' in access;
}
