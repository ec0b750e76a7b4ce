import { commonErrors } from '@paddock/contract';

const { UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN } = commonErrors;

/** The errors of a route that needs a role only if HEALTH_DETAILS says so. */
export const roleErrors = { UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN };
