import { randomUUID } from 'node:crypto';
import { createTokenSigner, generateSigningKey } from '@paddock/identity';

export interface BenchTokens {
	/** The key set that verifies the tokens. */
	readonly jwks: string;
	/** Signs tokens of different users, valid for some minutes. */
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
