import { randomUUID } from 'node:crypto';
import type { TokenSigner } from '@paddock/identity';
import type { ServiceToken } from '@paddock/peers';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { authServiceClient } from './service-clients.ts';

// A token that expires in transit would be refused.
const marginMs = 60_000;

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
	let known: { readonly token: string; readonly freshUntilMs: number } | undefined;
	return {
		get: async ({ signal }) => {
			signal.throwIfAborted();
			const nowMs = deps.now().getTime();
			if (known !== undefined && nowMs < known.freshUntilMs) return known.token;
			const { id, scopes } = authServiceClient;
			const claims = { userId: id, roles: [], scopes, sessionId: randomUUID() };
			const { token, expiresAt } = deps.signer.sign(claims, await deps.keys.signing());
			const lifeMs = expiresAt.getTime() - nowMs;
			known = { token, freshUntilMs: nowMs + Math.max(lifeMs - marginMs, lifeMs / 2) };
			return token;
		},
		drop: (token) => {
			if (known?.token === token) known = undefined;
		},
		close: () => undefined,
	};
}
