import { commonErrors } from '@paddock/contract';
import { officersOnly } from '@paddock/service';

export interface OperationsAccess {
	/** Whether health, breakers, gateways and scrape targets need no token. */
	readonly detailsArePublic: boolean;
}

const { UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN } = commonErrors;

/** Parts of a route that needs a role only if HEALTH_DETAILS says so. */
export function officersUnless(isPublic: boolean) {
	return {
		readers: 'everyone',
		cacheControl: 'no-store',
		access: isPublic ? 'public' : officersOnly,
		tokenOptional: 'ifVerifiable',
		errors: { UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN },
	} as const;
}
