import type { Call } from '@paddock/service';
import type { EventsDeps } from './deps.ts';
import { actingMemberId, requireActiveMember } from './event-access.ts';

/**
 * Queries the current status, so that a suspension takes effect at once.
 * @throws ApiError MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export async function requireActingMember(
	call: Call,
	{ directory }: Pick<EventsDeps, 'directory'>,
): Promise<void> {
	const id = actingMemberId(call.principal);
	if (id !== undefined) requireActiveMember(call.principal, await directory.members([id], call));
}
