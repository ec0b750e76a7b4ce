import type { components } from './contract.generated.ts';

/**
 * Where tokens are stored: `localStorage`, or anything else with these three functions. Not `sessionStorage`: a duplicated tab
 * has a copy of it, and a refresh token that both tabs use ends the session.
 */
export interface TokenStorage {
	getItem(key: string): string | null;
	setItem(key: string, value: string): void;
	removeItem(key: string): void;
}

/** The tokens of a session. */
export interface Tokens {
	readonly accessToken: string;
	/** By the clock of this client, in milliseconds since 1970. */
	readonly expiresAt: number;
	readonly refreshToken: string;
	/** The account of the session. */
	readonly userId: string;
}

/** The tokens of one gateway. They are read at each use: another tab may have changed them. */
export interface TokenStore {
	load(): Tokens | undefined;
	save(issued: components['schemas']['Tokens']): void;
	/** For the same session, whose refresh token stays. */
	replaceAccessToken(issued: components['schemas']['SteppedUp']): void;
	clear(): void;
	/** The token by which the gateway recognises this device at a sign-in; it outlives the session. */
	deviceToken(email: string): string | null;
	saveDeviceToken(email: string, token: string): void;
}

export function tokenStore(storage: TokenStorage, baseUrl: string, now: () => number): TokenStore {
	const sessionKey = `paddock.session ${baseUrl}`;
	const deviceKey = (email: string) => `paddock.device ${baseUrl} ${email.trim().toLowerCase()}`;
	const load = (): Tokens | undefined => {
		const text = storage.getItem(sessionKey);
		const tokens = text === null ? undefined : parsed(text);
		if (text !== null && tokens === undefined) storage.removeItem(sessionKey);
		return tokens;
	};
	return {
		load,
		replaceAccessToken: ({ accessToken, expiresIn }) => {
			const tokens = load();
			if (tokens === undefined) return;
			const renewed: Tokens = { ...tokens, accessToken, expiresAt: now() + expiresIn * 1000 };
			storage.setItem(sessionKey, JSON.stringify(renewed));
		},
		save: ({ accessToken, expiresIn, refreshToken, user }) => {
			const expiresAt = now() + expiresIn * 1000;
			const tokens: Tokens = { accessToken, expiresAt, refreshToken, userId: user.id };
			storage.setItem(sessionKey, JSON.stringify(tokens));
		},
		clear: () => storage.removeItem(sessionKey),
		deviceToken: (email) => storage.getItem(deviceKey(email)),
		saveDeviceToken: (email, token) => storage.setItem(deviceKey(email), token),
	};
}

/** Undefined if the value is damaged, or was written by an older version. */
function parsed(text: string): Tokens | undefined {
	try {
		const value = JSON.parse(text) as Partial<Tokens> | null;
		const texts = [value?.accessToken, value?.refreshToken, value?.userId];
		return texts.every((field) => typeof field === 'string') ? (value as Tokens) : undefined;
	} catch {
		return undefined;
	}
}

/** A storage for the lifetime of the client. */
export function memoryStorage(): TokenStorage {
	const items = new Map<string, string>();
	return {
		getItem: (key) => items.get(key) ?? null,
		setItem: (key, value) => void items.set(key, value),
		removeItem: (key) => void items.delete(key),
	};
}
