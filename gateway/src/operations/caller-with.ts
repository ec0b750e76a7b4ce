import type { IncomingMessage } from 'node:http';
import { fail } from '@paddock/contract';
import { hasRole, type Role, type TokenVerifier } from '@paddock/identity';
import { principalOf } from '../authentication/authenticate.ts';
import { exchangeOf } from '../exchange.ts';

/**
 * Admits a caller that has one of the roles.
 * @throws ApiError UNAUTHENTICATED, INVALID_TOKEN, TOKEN_EXPIRED, TOKEN_REVOKED, FORBIDDEN
 */
export async function callerWith(
	verifier: TokenVerifier,
	req: IncomingMessage,
	roles: Role[],
): Promise<void> {
	const exchange = exchangeOf(req);
	exchange.principal = await principalOf(req, verifier);
	if (exchange.principal === undefined) throw fail('UNAUTHENTICATED');
	if (!hasRole(exchange.principal, ...roles)) throw fail('FORBIDDEN');
}
