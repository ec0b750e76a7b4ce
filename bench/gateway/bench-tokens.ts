import { randomUUID } from 'node:crypto';
import { createTokenSigner, generateSigningKey } from '@paddock/identity';

export interface BenchTokens {
	/** The keys that verify them, as the auth context would publish them. */
	readonly jwks: string;
	/** So many different valid tokens, each of another user. They are good for some minutes. */
	sign(count: number): readonly string[];
}

export async function createBenchTokens(): Promise<BenchTokens> {
	const key = await generateSigningKey();
	const signer = createTokenSigner({ issuer: 'paddock', audience: 'paddock', now: () => new Date() });
	const signOne = (): string =>
		signer.sign({ userId: randomUUID(), roles: ['MEMBER'], sessionId: randomUUID() }, key).token;
	return {
		jwks: JSON.stringify({ keys: [key.publicJwk] }),
		sign: (count) => Array.from({ length: count }, signOne),
	};
}
