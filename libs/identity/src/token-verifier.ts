import type { KeyObject } from 'node:crypto';
import { apiError } from '@paddock/contract';
import jsonwebtoken from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import type { KeySet } from './key-set.ts';
import type { Principal } from './principal.ts';
import type { Revocations } from './revocation-list.ts';
import { principalOf } from './token-claims.ts';
import { readTokenHeader, tokenCharsMax } from './token-header.ts';
import { tokenLifetimeMsMax } from './token-signer.ts';

export interface TokenVerifierDeps {
	readonly keys: KeySet;
	/** Tokens that are refused before they expire; none unless given. */
	readonly revocations?: Revocations;
	readonly issuer: string;
	readonly audience: string;
	readonly now: () => Date;
	/** How many verified tokens are remembered at most. */
	readonly cacheMax?: number;
	/** How far the clocks of issuer and verifier may differ. */
	readonly clockToleranceMs?: number;
	/** Longer-lived tokens are refused, whoever signed them. */
	readonly maxLifetimeMs?: number;
}

export interface TokenVerifier {
	/**
	 * The principal of the token.
	 * @throws ApiError TOKEN_EXPIRED when it was genuine and its time is over; TOKEN_REVOKED when its session has ended or its
	 * account has changed; INVALID_TOKEN for whatever else is wrong
	 * with it (the reason is the error's cause, for the log); SERVICE_UNAVAILABLE while there are no keys.
	 */
	verify(token: string): Promise<Principal>;
	/** The same for a token that was verified before and is still valid; else undefined. Costs no cryptography. */
	verifyCached(token: string): Principal | undefined;
	cacheSize(): number;
}

interface CachedToken {
	readonly principal: Principal;
	/** The generation of the revocations that the token was last held against. */
	judgedAt: number;
}

const noRevocations: Revocations = { generation: () => 0, isRevoked: () => false };

// An ordinary token has about 800 characters; without this bound a cache full of the longest would hold ten times that.
const cachedCharsPerToken = 1_024;

/**
 * Verifies access tokens (RFC 8725, RFC 9068): the header is judged first, then the signature by a key of the set, then
 * the claims. Verified tokens are remembered by their whole text, which is unique because only one spelling is
 * accepted; failures never are, so forged tokens can't push genuine ones out.
 */
export function createTokenVerifier(deps: TokenVerifierDeps): TokenVerifier {
	const { keys, issuer, audience, now, cacheMax = 10_000, clockToleranceMs = 30_000 } = deps;
	const rules = {
		issuer,
		audience,
		clockToleranceMs,
		maxLifetimeMs: deps.maxLifetimeMs ?? tokenLifetimeMsMax,
	};
	const revocations = deps.revocations ?? noRevocations;
	const cache = new LRUCache<string, CachedToken>({
		max: cacheMax,
		maxSize: Math.max(cacheMax * cachedCharsPerToken, tokenCharsMax),
		sizeCalculation: (_cached, token) => token.length,
	});
	const verifying = new Map<string, Promise<Principal>>();
	let keyGeneration = 0;

	keys.onChange((withdrawnKids) => {
		keyGeneration += 1;
		for (const [token, { principal }] of [...cache.entries()]) {
			if (withdrawnKids.has(principal.keyId)) cache.delete(token);
		}
	});

	function hasExpired({ expiresAt }: Principal): boolean {
		return now().getTime() >= expiresAt.getTime() + clockToleranceMs;
	}

	/** Compares two numbers; only what was judged before the latest revocation is judged again. */
	function isRevoked(cached: CachedToken): boolean {
		const generation = revocations.generation();
		if (cached.judgedAt === generation) return false;
		cached.judgedAt = generation;
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
		// A key withdrawn while this was going on: its tokens have just been dropped, this one must not come after.
		if (generation === keyGeneration) cache.set(token, { principal, judgedAt: revocations.generation() });
		return principal;
	}

	return {
		verifyCached,
		cacheSize: () => cache.size,
		verify: async (token) => {
			const principal = verifyCached(token);
			if (principal !== undefined) return principal;
			// A page's requests come together, with the same new token: one of them pays.
			const shared = verifying.get(token) ?? verifyNew(token).finally(() => verifying.delete(token));
			verifying.set(token, shared);
			return shared;
		},
	};
}

/** Only the signature: jsonwebtoken accepts claims missing or out of range, so `principalOf` judges all of them. */
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
