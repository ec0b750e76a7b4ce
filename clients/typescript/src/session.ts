import type { components } from './contract.generated.ts';
import { PaddockError, SessionEndedError } from './errors.ts';
import { exchange, type Fetch, type Reading } from './exchange.ts';
import { createRefresh } from './refresh.ts';
import { type Runtime, untilAborted } from './runtime.ts';
import { type TokenStorage, tokenStore } from './tokens.ts';

type Schemas = components['schemas'];
/** Shorter than the 10 s in which the gateway accepts a refresh token again whose response was lost. */
const refreshTimeoutMsMax = 8_000;
export type User = Schemas['User'];

interface Session {
	signIn(credentials: Schemas['Login'], signal: AbortSignal): Promise<User>;
	/** Ends the session here in any case. @throws NetworkError or PaddockError if it could not be ended at the gateway */
	signOut(signal: AbortSignal): Promise<void>;
	isSignedIn(): boolean;
	/** Sends a request with the access token, which it refreshes if necessary. Without a session it sends no token. */
	send(request: Request, reading?: Reading): Promise<Response>;
}

interface SessionDeps {
	readonly baseUrl: string;
	readonly fetch: Fetch;
	readonly storage: TokenStorage;
	readonly runtime: Runtime;
	/** Of a call. A refresh has a third of it, and no caller can abort it because others wait for it too. */
	readonly timeoutMs: number;
}

export function createSession({ baseUrl, fetch, storage, runtime, timeoutMs }: SessionDeps): Session {
	const tokens = tokenStore(storage, baseUrl, runtime.now);

	const post = async <T>(
		path: string,
		body: object,
		{ signal, headers = {} }: { signal: AbortSignal; headers?: Record<string, string> },
	): Promise<T> => {
		const init = { method: 'POST', body: JSON.stringify(body), signal };
		const request = new Request(baseUrl + path, {
			...init,
			headers: { 'Content-Type': 'application/json', ...headers },
		});
		const { data } = (await (await exchange(fetch, request)).json()) as { data: T };
		return data;
	};

	// A call waits for two attempts and then has time for itself.
	const refreshTimeoutMs = Math.min(Math.ceil(timeoutMs / 3), refreshTimeoutMsMax);
	const refresh = createRefresh(tokens, (refreshToken) =>
		post('/auth/refresh', { refreshToken }, { signal: AbortSignal.timeout(refreshTimeoutMs) }),
	);

	const send = async (request: Request, reading?: Reading): Promise<Response> => {
		const stored = tokens.load();
		if (stored === undefined) return exchange(fetch, request, reading);
		const refreshed = () => untilAborted(refresh(stored), request.signal);
		const isExpired = stored.expiresAt <= runtime.now();
		const token = isExpired ? await refreshed() : stored.accessToken;
		// A body can be read only once.
		const again = request.clone();
		try {
			return await exchange(fetch, withToken(request, token), reading);
		} catch (error) {
			if (isExpired || !(error instanceof PaddockError) || error.status !== 401) throw error;
			return await exchange(fetch, withToken(again, await refreshed()), reading);
		}
	};

	return {
		send,
		isSignedIn: () => tokens.load() !== undefined,
		signIn: async (credentials, signal) => {
			const device = tokens.deviceToken(credentials.email);
			const headers: Record<string, string> = device === null ? {} : { 'X-Device-Token': device };
			const issued = await post<Schemas['SignIn']>('/auth/login', credentials, { signal, headers });
			tokens.saveDeviceToken(credentials.email, issued.deviceToken);
			tokens.save(issued);
			return issued.user;
		},
		signOut: async (signal) => {
			if (tokens.load() === undefined) return;
			try {
				await send(new Request(`${baseUrl}/auth/logout`, { method: 'POST', signal }));
			} catch (error) {
				const isOver = error instanceof PaddockError && error.status === 401;
				if (!isOver && !(error instanceof SessionEndedError)) throw error;
			} finally {
				tokens.clear();
			}
		},
	};
}

function withToken(request: Request, token: string): Request {
	request.headers.set('Authorization', `Bearer ${token}`);
	return request;
}
