import type { components } from './contract.generated.ts';
import { NetworkError, PaddockError, SessionEndedError } from './errors.ts';
import type { TokenStore, Tokens } from './tokens.ts';

/**
 * Gets a new access token in place of the `stale` one: one refresh for all callers, in other tabs too.
 * @throws SessionEndedError once the gateway has refused the refresh token, or the client is signed in to another account;
 * PaddockError or NetworkError if the refresh may succeed later
 */
type Refresh = (stale: Tokens) => Promise<string>;

/** @param exchange exchanges a refresh token; its timeout is shorter than the grace that the gateway grants a lost response */
export function createRefresh(
	tokens: TokenStore,
	exchange: (refreshToken: string) => Promise<components['schemas']['Tokens']>,
): Refresh {
	/** By stale access token. */
	const pending = new Map<string, Promise<string>>();

	const refresh = async (stale: Tokens): Promise<string> => {
		const stored = tokens.load();
		// A call must not be repeated with the rights of another account.
		if (stored?.userId !== stale.userId) throw new SessionEndedError(undefined);
		// Refreshed already, by an earlier call or another tab.
		if (stored.accessToken !== stale.accessToken) return stored.accessToken;
		// The client may sign out, or in again, during the refresh.
		const isCurrent = () => tokens.load()?.refreshToken === stored.refreshToken;
		try {
			if (browser()?.onLine === false) throw new NetworkError('Offline.', { unsent: true });
			const issued = await againIfLost(() => exchange(stored.refreshToken));
			// A cookie is shared by tabs; in another one another account has signed in.
			if (issued.user.id !== stale.userId) {
				if (isCurrent()) tokens.clear();
				throw new SessionEndedError(undefined);
			}
			if (isCurrent()) tokens.save(issued);
			return issued.accessToken;
		} catch (error) {
			if (!isRefused(error)) throw error;
			if (isCurrent()) tokens.clear();
			throw new SessionEndedError(error);
		}
	};

	return (stale) => {
		const joined = pending.get(stale.accessToken);
		if (joined !== undefined) return joined;
		const begun = withLock(() => refresh(stale)).finally(() => pending.delete(stale.accessToken));
		pending.set(stale.accessToken, begun);
		return begun;
	};
}

/** Exchanges the refresh token of the cookie. A later exchange in another tab must send the cookie that this one sets. */
export function lockedExchange<T>(exchange: () => Promise<T>): Promise<T> {
	return withLock(() => againIfLost(exchange));
}

/** Exchanges a refresh token, and again if the response may be lost: within its grace the gateway returns the same tokens. */
function againIfLost<T>(exchange: () => Promise<T>): Promise<T> {
	return exchange().catch((error: unknown) => {
		if (isRefused(error) || isUnused(error)) throw error;
		return exchange();
	});
}

/** Whether the gateway itself refused the refresh token. */
function isRefused(error: unknown): boolean {
	if (!(error instanceof PaddockError) || error.code === 'INVALID_RESPONSE') return false;
	return error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status);
}

/** Whether the refresh token was certainly not exchanged: the request was refused before, or never sent. */
function isUnused(error: unknown): boolean {
	if (error instanceof PaddockError) return error.status === 429 || error.status === 503;
	return error instanceof NetworkError && error.unsent;
}

/** Tabs that share a storage or a cookie refresh one after the other (https://www.w3.org/TR/web-locks/). */
function withLock<T>(work: () => Promise<T>): Promise<T> {
	// Absent on insecure origins and in old Node.js versions.
	return browser()?.locks?.request('paddock.refresh', work) ?? work();
}

/** What browsers have and not every Node.js version. */
interface Browser {
	readonly onLine?: boolean;
	readonly locks?: { request<T>(name: string, work: () => Promise<T>): Promise<T> };
}

function browser(): Browser | undefined {
	return (globalThis as { navigator?: Browser }).navigator;
}
