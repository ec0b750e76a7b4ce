import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { TokenSigner } from '@paddock/identity';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { isServiceClient, serviceClients } from './service-clients.ts';
import type { ServiceSecrets } from './service-secrets-setting.ts';

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
