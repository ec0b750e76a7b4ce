import { randomUUID } from 'node:crypto';
import {
	type AccessTokenClaims,
	createLocalKeySet,
	createTokenSigner,
	generateSigningKey,
	internalAudience,
	type JsonWebKeySet,
	type RefreshedKeySet,
} from '@paddock/identity';
import { silentLogger } from '@paddock/telemetry';
import { type ForgedToken, forgeTokens } from './forged-tokens.ts';

export interface TestIdentityOptions {
	readonly issuer?: string;
	readonly audience?: string;
	/** The clock of the verifier under test. */
	readonly now?: () => Date;
	/** Whether verifiers with other identities refuse its tokens. */
	readonly ownKey?: boolean;
}

/** A token issuer for tests, whose tokens are valid for verifiers with its `keys`. */
export interface TestIdentity {
	readonly issuer: string;
	readonly audience: string;
	/** For a verifier in this process. */
	readonly keys: RefreshedKeySet;
	/** For verifiers in other processes, as `/.well-known/jwks.json`. */
	readonly jwks: JsonWebKeySet;
	/** A valid token, by default of a new user with the role MEMBER. */
	sign(claims?: Partial<AccessTokenClaims>): string;
	/** A valid token of a service, for internal routes; it has no roles. */
	signService(scopes: readonly string[]): string;
	/** A token that expired an hour ago: TOKEN_EXPIRED. */
	signExpired(claims?: Partial<AccessTokenClaims>): string;
	/** Tokens that must all be refused as INVALID_TOKEN. */
	forge(): readonly ForgedToken[];
}

/** To generate a key takes 60 ms of processor time, and hundreds of tests need an identity. */
let sharedKey: ReturnType<typeof generateSigningKey> | undefined;

/** Creates an issuer, by default with the same key as the others of this process. */
export async function createTestIdentity(options: TestIdentityOptions = {}): Promise<TestIdentity> {
	const { issuer = 'paddock', audience = 'paddock', now = () => new Date() } = options;
	sharedKey ??= generateSigningKey();
	const key = await (options.ownKey === true ? generateSigningKey() : sharedKey);
	const jwks: JsonWebKeySet = { keys: [key.publicJwk] };
	const signer = createTokenSigner({ issuer, audience, now });
	const serviceSigner = createTokenSigner({ issuer, audience: internalAudience(audience), now });
	const formerSigner = createTokenSigner({
		issuer,
		audience,
		now: () => new Date(now().getTime() - 75 * 60_000),
	});
	const claimsOf = (claims: Partial<AccessTokenClaims> = {}): AccessTokenClaims => ({
		userId: randomUUID(),
		roles: ['MEMBER'],
		sessionId: randomUUID(),
		...claims,
	});
	return {
		issuer,
		audience,
		keys: createLocalKeySet({ source: () => Promise.resolve(jwks), now, logger: silentLogger() }),
		jwks,
		sign: (claims) => signer.sign(claimsOf(claims), key).token,
		signService: (scopes) => serviceSigner.sign(claimsOf({ roles: [], scopes }), key).token,
		signExpired: (claims) => formerSigner.sign(claimsOf(claims), key).token,
		forge: () => forgeTokens({ key, issuer, audience, now: now() }),
	};
}
