import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { TokenSigner } from '@paddock/identity';
import { openCachedToken, type ServiceToken } from '@paddock/peers';
import type { SigningKeys } from '../keys/signing-keys.ts';
import {
	authServiceClient,
	isServiceClient,
	type ServiceSecrets,
	serviceClients,
} from './service-clients.ts';

interface IssuedServiceToken {
	readonly token: string;
	readonly expiresAt: Date;
	readonly scopes: readonly string[];
}

export interface ServiceTokens {
	/**
	 * Issues a token to a client that knows its secret (RFC 6749 §4.4); undefined for any other client, regardless of
	 * the cause.
	 */
	issue(client: string, secret: string): Promise<IssuedServiceToken | undefined>;
}

interface ServiceTokensDeps {
	readonly secrets: ServiceSecrets;
	/** Signs for the internal audience. */
	readonly signer: TokenSigner;
	readonly keys: Pick<SigningKeys, 'signing'>;
}

export function createServiceTokens({ secrets, signer, keys }: ServiceTokensDeps): ServiceTokens {
	const digests = new Map([...secrets].map(([name, own]): [string, Buffer[]] => [name, own.map(digestOf)]));
	// Digest for the comparison with absent secrets and unknown clients, so that it takes as long; no secret has this digest.
	const absentDigest = Buffer.alloc(digestOf('').length);
	return {
		issue: async (client, secret) => {
			// Digests have equal length, as timingSafeEqual requires, and don't disclose the length of a secret.
			const given = digestOf(secret);
			const [first = absentDigest, second = absentDigest] = digests.get(client) ?? [];
			// Both comparisons always take place, so that the time does not disclose which one matched.
			const proofs = [timingSafeEqual(given, first), timingSafeEqual(given, second)];
			if (!proofs.includes(true) || !isServiceClient(client)) return undefined;
			const { id, scopes } = serviceClients[client];
			// No user has signed in, so each token is its own session.
			const claims = { userId: id, roles: [], scopes, sessionId: randomUUID() };
			return { ...signer.sign(claims, await keys.signing()), scopes };
		},
	};
}

function digestOf(secret: string): Buffer {
	return hash('sha256', secret, 'buffer');
}

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
	return openCachedToken(async () => {
		const { id, scopes } = authServiceClient;
		const claims = { userId: id, roles: [], scopes, sessionId: randomUUID() };
		const { token, expiresAt } = deps.signer.sign(claims, await deps.keys.signing());
		return { accessToken: token, expiresIn: (expiresAt.getTime() - deps.now().getTime()) / 1_000 };
	}, deps.now);
}
