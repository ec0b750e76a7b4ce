import { commonErrors } from '@paddock/contract';
import { officersOnly } from '@paddock/service';

/** Which pages with instances and addresses need no token. */
export interface OperationsAccess {
	/** Health, breakers and gateways. */
	readonly detailsArePublic: boolean;
	/**
	 * The list of targets. It names every instance as health does; on a port of its own the network decides who reaches it,
	 * since Prometheus has no token.
	 */
	readonly targetsArePublic: boolean;
}

const { UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN } = commonErrors;

/** Access of a route that needs a role only if HEALTH_DETAILS says so. */
export function officersUnless(isPublic: boolean) {
	return {
		access: isPublic ? 'public' : officersOnly,
		tokenOptional: 'ifVerifiable',
		errors: { UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN },
	} as const;
}
