import type { KeyObject } from 'node:crypto';
import { apiError } from '@paddock/contract';
import jsonwebtoken from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { KeySet } from './key-set.ts';
import type { Principal } from './principal.ts';
import type { Revocations } from './revocation-list.ts';
import { principalOf } from './token-claims.ts';
import { readTokenHeader, tokenCharsMax } from './token-header.ts';

interface TokenVerifierDeps {
	readonly keys: KeySet;
	/** Tokens refused before they expire; none by default. */
	readonly revocations?: Revocations;
	readonly issuer: string;
	readonly audience: string;
	readonly now: () => Date;
	readonly cacheMax?: number;
	readonly clockToleranceMs?: number;
}

export interface TokenVerifier {
	/**
	 * Returns the principal of the token.
	 * @throws ApiError TOKEN_EXPIRED when a genuine token has expired; TOKEN_REVOKED when its session has ended or its
	 * account has changed; INVALID_TOKEN for any other defect (the error's cause is the reason, for the log);
	 * SERVICE_UNAVAILABLE while there are no keys.
	 */
	verify(token: string): Promise<Principal>;
	/** The same for a token that was verified before and is still valid, without cryptography. */
	verifyCached(token: string): Principal | undefined;
	cacheSize(): number;
}

interface CachedToken {
	readonly principal: Principal;
	judgedAt: number;
}

const noRevocations: Revocations = { onAdded: () => undefined, isRevoked: () => false };

// An ordinary token has about 800 characters; without this bound a cache full of the longest would store ten times
// that.
const cachedCharsPerToken = 1_024;

/**
 * Verifies access tokens (RFC 8725, RFC 9068): header, signature, claims. Verified tokens are cached by their whole text.
 * Failures are not cached, so forged tokens can't evict genuine ones.
 */
export function createTokenVerifier(deps: TokenVerifierDeps): TokenVerifier {
	const { keys, issuer, audience, now, cacheMax = 10_000, clockToleranceMs = 30_000 } = deps;
	const rules = { issuer, audience, clockToleranceMs };
	const revocations = deps.revocations ?? noRevocations;
	const cache = new LRUCache<string, CachedToken>({
		max: cacheMax,
		maxSize: Math.max(cacheMax * cachedCharsPerToken, tokenCharsMax),
		sizeCalculation: (_cached, token) => token.length,
	});
	const verifying = new Map<string, Promise<Principal>>();
	let keyGeneration = 0;
	let revocationGeneration = 0;

	keys.onChange((withdrawnKids) => {
		keyGeneration += 1;
		for (const [token, { principal }] of [...cache.entries()]) {
			if (withdrawnKids.has(principal.keyId)) cache.delete(token);
		}
	});

	revocations.onAdded(() => {
		revocationGeneration += 1;
	});

	function hasExpired({ expiresAt }: Principal): boolean {
		return now().getTime() >= expiresAt.getTime() + clockToleranceMs;
	}

	/** Compares two numbers; only a token checked before the latest revocation is checked again. */
	function isRevoked(cached: CachedToken): boolean {
		if (cached.judgedAt === revocationGeneration) return false;
		cached.judgedAt = revocationGeneration;
		return revocations.isRevoked(cached.principal);
	}

	function verifyCached(token: string): Principal | undefined {
		const cached = cache.get(token);
		if (cached === undefined) return undefined;
		if (!hasExpired(cached.principal) && !isRevoked(cached)) return cached.principal;
		cache.delete(token);
		return undefined;
	}

	async function verifyNew(token: string): Promise<Principal> {
		const { kid } = refuseOnError(() => readTokenHeader(token));
		const generation = keyGeneration;
		const key = await keys.find(kid);
		if (key === undefined) throw apiError('INVALID_TOKEN', { cause: new Error('unknown kid') });
		const principal = refuseOnError(() =>
			principalOf(signedPayload(token, key), kid, now().getTime(), rules),
		);
		if (hasExpired(principal)) throw apiError('TOKEN_EXPIRED');
		if (revocations.isRevoked(principal)) throw apiError('TOKEN_REVOKED');
		// A key was withdrawn during the verification and its tokens were just dropped; this one must not be added
		// afterwards.
		if (generation === keyGeneration) cache.set(token, { principal, judgedAt: revocationGeneration });
		return principal;
	}

	return {
		verifyCached,
		cacheSize: () => cache.size,
		verify: async (token) => {
			const principal = verifyCached(token);
			if (principal !== undefined) return principal;
			// A page's requests arrive together with the same new token; one verification serves all.
			const shared = verifying.get(token) ?? verifyNew(token).finally(() => verifying.delete(token));
			verifying.set(token, shared);
			return shared;
		},
	};
}

/** Verifies the signature only: jsonwebtoken accepts missing or out-of-range claims, which `principalOf` checks. */
function signedPayload(token: string, key: KeyObject): unknown {
	const { payload } = jsonwebtoken.verify(token, key, {
		algorithms: ['RS256'],
		complete: true,
		ignoreExpiration: true,
		ignoreNotBefore: true,
	});
	return payload;
}

function refuseOnError<T>(judge: () => T): T {
	try {
		return judge();
	} catch (cause) {
		throw apiError('INVALID_TOKEN', { cause });
	}
}

// RFC 6750 §2.1: credentials = "Bearer" 1*SP b64token. RFC 9110 §11.1: the scheme's name is case-insensitive.
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const bearerScheme = /^bearer(\s|$)/i;

/**
 * The token of an `Authorization` header; undefined when there is no header.
 * @throws ApiError INVALID_TOKEN for malformed credentials; UNAUTHENTICATED for another scheme (RFC 6750 §3.1)
 */
export function bearerToken(authorizationHeader: string | undefined): string | undefined {
	if (authorizationHeader === undefined) return undefined;
	const token = credentials.exec(authorizationHeader)?.[1];
	if (token !== undefined) return token;
	if (bearerScheme.test(authorizationHeader)) throw apiError('INVALID_TOKEN');
	throw apiError('UNAUTHENTICATED', { message: 'Send the access token as `Authorization: Bearer TOKEN`.' });
}
