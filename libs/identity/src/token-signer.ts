import { randomUUID } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import type { ClubMembers, Role, RoleScopes } from './principal.ts';
import { assertSigningKey, type SigningKey } from './signing-key.ts';
import { tokenCharsMax } from './token-header.ts';

export interface AccessTokenClaims {
	/** UUID. */
	readonly userId: string;
	readonly roles: readonly Role[];
	readonly roleScopes?: RoleScopes;
	/** The permissions of a service at other services. No blanks, quotes or backslashes (RFC 6749 §3.3). */
	readonly scopes?: readonly string[];
	/** UUID. */
	readonly memberId?: string | undefined;
	/** UUIDs of the minors for whom the user is guardian. */
	readonly guardianOf?: readonly string[];
	readonly contactFor?: readonly ClubMembers[];
	/** The first instant at which a claim no longer holds; the token expires `claimsMarginMs` before it. */
	readonly holdsUntil?: Date | undefined;
	/** The version of the account from which the claims were read; absent for a service. */
	readonly accountVersion?: number;
	/** UUID. */
	readonly sessionId: string;
	/** The last authentication of the user in this session; absent for a service. */
	readonly authenticatedAt?: Date;
	/** Its methods (RFC 8176); absent for a service. */
	readonly authenticationMethods?: readonly string[];
}

export interface TokenSignerDeps {
	readonly issuer: string;
	readonly audience: string;
	/** Whole seconds, at most 15 minutes. */
	readonly lifetimeMs?: number;
	readonly now: () => Date;
	/** Generates the token's `jti`, a UUID. */
	readonly newId?: () => string;
}

export interface TokenSigner {
	/**
	 * Returns a signed access token (RFC 9068).
	 * @throws TypeError for a key that isn't RSA or is too short; RangeError when the token exceeds the verifier's
	 * limit, which only a user with scopes over very many clubs can reach.
	 */
	sign(claims: AccessTokenClaims, key: SigningKey): { token: string; expiresAt: Date };
}

/** Verifiers refuse a longer lifetime: revocations are stored for this long. */
export const tokenLifetimeMsMax = 900_000;

/** @throws RangeError for a lifetime that isn't in whole seconds or exceeds 15 minutes. */
export function createTokenSigner(deps: TokenSignerDeps): TokenSigner {
	const { issuer, audience, now, lifetimeMs = tokenLifetimeMsMax, newId = randomUUID } = deps;
	if (!Number.isInteger(lifetimeMs / 1000) || lifetimeMs <= 0 || lifetimeMs > tokenLifetimeMsMax)
		throw new RangeError(`lifetimeMs must be whole seconds up to ${tokenLifetimeMsMax}, not ${lifetimeMs}.`);
	return {
		sign: (claims, key) => {
			assertSigningKey(key);
			const iat = Math.floor(now().getTime() / 1000);
			const exp = expiryOf(claims, iat, lifetimeMs);
			const payload = {
				iss: issuer,
				aud: audience,
				sub: claims.userId,
				roles: claims.roles,
				...roleScopesOf(claims),
				...scopeOf(claims),
				...(claims.memberId === undefined ? {} : { memberId: claims.memberId }),
				...representedOf(claims),
				...(claims.accountVersion === undefined ? {} : { accountVersion: claims.accountVersion }),
				...authenticationOf(claims),
				iat,
				exp,
				jti: newId(),
				sid: claims.sessionId,
			};
			const header = { alg: 'RS256', typ: 'at+jwt', kid: key.kid };
			const token = jsonwebtoken.sign(payload, key.privateKey, { algorithm: 'RS256', header });
			if (token.length > tokenCharsMax)
				throw new RangeError(`The token of user ${claims.userId} has ${token.length} characters.`);
			return { token, expiresAt: new Date(exp * 1000) };
		},
	};
}

/** Verifiers' tolerance for an expired token plus a second for rounding. A claim that ends sooner must be left out. */
export const claimsMarginMs = 31_000;

/** Seconds since 1970. */
function expiryOf({ holdsUntil }: AccessTokenClaims, iat: number, lifetimeMs: number): number {
	const exp = iat + lifetimeMs / 1000;
	if (holdsUntil === undefined) return exp;
	return Math.min(exp, Math.floor((holdsUntil.getTime() - claimsMarginMs) / 1000) + 1);
}

function representedOf({ guardianOf = [], contactFor = [] }: AccessTokenClaims) {
	return {
		...(guardianOf.length === 0 ? {} : { guardianOf }),
		...(contactFor.length === 0 ? {} : { contactFor }),
	};
}

function roleScopesOf({ roleScopes }: AccessTokenClaims): { roleScopes?: RoleScopes } {
	return roleScopes === undefined || Object.keys(roleScopes).length === 0 ? {} : { roleScopes };
}

function authenticationOf({ authenticatedAt, authenticationMethods }: AccessTokenClaims) {
	if (authenticatedAt === undefined) return {};
	// Rounded down, like `iat`: an authentication must not seem later than its token.
	return { auth_time: Math.floor(authenticatedAt.getTime() / 1000), amr: authenticationMethods ?? [] };
}

function scopeOf({ scopes = [] }: AccessTokenClaims): { scope?: string } {
	return scopes.length === 0 ? {} : { scope: scopes.join(' ') };
}
