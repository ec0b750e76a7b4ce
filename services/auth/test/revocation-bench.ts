import { afterAll, beforeAll } from '@jest/globals';
import { createRevocationList, type Principal, type RevocationPage } from '@paddock/identity';
import type { TestResponse } from '@paddock/testing';
import { type RunningAuth, runAuth, type Tokens } from './running-auth.ts';

export type TokenClaims = Pick<Principal, 'userId' | 'sessionId' | 'accountVersion'>;

/** An auth service whose revocations are looked at. */
export interface RevocationBench {
	/** Available in tests, not while they are declared. */
	readonly auth: RunningAuth;
	/** Starts another instance on its database. */
	runBeside(): Promise<RunningAuth>;
	/** Changes an account as an administrator. */
	put(id: string, what: 'status' | 'roles', body: object): ReturnType<RunningAuth['call']>;
	refresh(refreshToken: string): Promise<TestResponse<Tokens>>;
}

/** Starts an auth service for the tests of a file. */
export function revocationBench(): RevocationBench {
	let auth: RunningAuth;
	const others: RunningAuth[] = [];
	let administrator: Awaited<ReturnType<RunningAuth['administrator']>>;
	beforeAll(async () => {
		auth = await runAuth();
		administrator = await auth.administrator();
	});
	afterAll(async () => {
		for (const other of others) await other.close();
		await auth.close();
	});
	return {
		get auth() {
			return auth;
		},
		runBeside: async () => {
			const other = await runAuth({ beside: auth });
			others.push(other);
			return other;
		},
		put: async (id, what, body) => {
			// Tests move the clock past the life of tokens.
			const { accessToken: token } = await auth.signIn(administrator);
			return auth.call('PUT', `/auth/users/${id}/${what}`, { token, body });
		},
		refresh: (refreshToken) => auth.call<Tokens>('POST', '/auth/refresh', { body: { refreshToken } }),
	};
}

export function claimsOf(token: string): TokenClaims {
	const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
	return { userId: claims.sub, sessionId: claims.sid, accountVersion: claims.accountVersion };
}

/** The page behind a cursor, from one instance. */
export async function pageAfter(auth: RunningAuth, after?: string, waitMs = 0): Promise<RevocationPage> {
	const query = after === undefined ? '' : `?after=${after}&waitMs=${waitMs}`;
	const { status, data, text } = await auth.call<RevocationPage>('GET', `/internal/revocations${query}`);
	if (status !== 200) throw new Error(text);
	return data;
}

/** Whether a verifier that follows the feed refuses each token now. */
export async function revoked(auth: RunningAuth, ...tokens: string[]): Promise<boolean[]> {
	const list = createRevocationList(auth.clock);
	list.add((await pageAfter(auth)).items);
	return tokens.map((token) => list.isRevoked(claimsOf(token)));
}
