import { randomUUID } from 'node:crypto';
import type { TokenSigner } from '@paddock/identity';
import { createCachedToken, type ServiceToken } from '@paddock/peers';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { authServiceClient } from './service-clients.ts';

/**
 * Token with which the auth service calls other services. The service signs it itself: a request to itself over the
 * network would prove nothing.
 */
export function createOwnServiceToken(deps: {
	/** Signs for the internal audience. */
	readonly signer: TokenSigner;
	readonly keys: Pick<SigningKeys, 'signing'>;
	readonly now: () => Date;
}): ServiceToken {
	return createCachedToken(async () => {
		const { id, scopes } = authServiceClient;
		const claims = { userId: id, roles: [], scopes, sessionId: randomUUID() };
		const { token, expiresAt } = deps.signer.sign(claims, await deps.keys.signing());
		return { accessToken: token, expiresIn: (expiresAt.getTime() - deps.now().getTime()) / 1_000 };
	}, deps.now);
}
