import { isOfficer } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { HorsesDeps } from './deps.ts';
import { horsesError } from './errors.ts';

/**
 * Refuses writes of an account whose member is suspended, deleted or not approved. Officers are exempt: their
 * permissions come from their role. An account without a member acts by its role alone, and owns nothing. The members
 * context is called before the transaction, so a write may still complete if the member is suspended during it.
 * @throws ApiError MEMBER_NOT_ACTIVE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the members context does not respond.
 */
export async function requireActiveMember(
	call: Call,
	{ directory }: Pick<HorsesDeps, 'directory'>,
): Promise<void> {
	const { memberId } = call.principal;
	if (memberId === undefined || isOfficer(call.principal)) return;
	const found = await directory.members([memberId], call);
	if (found.get(memberId)?.status !== 'ACTIVE') throw horsesError('MEMBER_NOT_ACTIVE');
}
