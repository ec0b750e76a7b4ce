import type { Principal } from '@paddock/identity';
import { callContextOf } from './call-context-of.ts';
import type { Call, CallContext, HorsesDeps } from './deps.ts';
import { horsesError } from './errors.ts';
import { isOfficer } from './horse-access.ts';
import { requireEntrusted } from './horse-rules.ts';
import { completeHorse, getVisibleHorse } from './repository/horses.ts';

/**
 * Refuses writes of an account whose member is suspended, deleted or not approved. Officers are exempt: their
 * permissions come from their role. An account without a member acts by its role alone, and owns nothing. The members
 * context is called before the transaction, so a write may still complete if the member is suspended during it.
 * @throws ApiError MEMBER_NOT_ACTIVE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the members context does not respond.
 */
export async function requireActiveMember(
	principal: Principal,
	context: CallContext,
	{ directory }: Pick<HorsesDeps, 'directory'>,
): Promise<void> {
	const { memberId } = principal;
	if (memberId === undefined || isOfficer(principal)) return;
	const found = await directory.members([memberId], context);
	if (found.get(memberId)?.status !== 'ACTIVE') throw horsesError('MEMBER_NOT_ACTIVE');
}

/**
 * Checks the caller of a write on a horse before the transaction, which repeats the possible checks on the locked row.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE; as `requireActiveMember`.
 */
export async function admitToHorse(
	id: string,
	call: Call,
	deps: Pick<HorsesDeps, 'db' | 'directory'>,
): Promise<void> {
	if (isOfficer(call.principal)) return;
	const row = await getVisibleHorse(deps.db, id, call.principal);
	requireEntrusted(call.principal, await completeHorse(deps.db, row));
	await requireActiveMember(call.principal, callContextOf(call), deps);
}
