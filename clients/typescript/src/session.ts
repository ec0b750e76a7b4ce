import type { components } from './contract.generated.ts';
import { PaddockError, SessionEndedError } from './errors.ts';
import { exchange, type Fetch, type Reading } from './exchange.ts';
import { createRefresh, lockedExchange } from './refresh.ts';
import { type Runtime, untilAborted } from './runtime.ts';
import { type TokenStorage, tokenStore } from './tokens.ts';

type Schemas = components['schemas'];
/** Shorter than the 10 s in which the gateway accepts a refresh token again whose response was lost. */
const refreshTimeoutMsMax = 8_000;
export type User = Schemas['User'];

/** Asks the user for a code of the authenticator app, or for a recovery code. */
export type SecondFactor = () => string | Promise<string>;

/** Stands for the refresh token that the gateway keeps in its cookie. */
const inCookie = 'cookie';

interface Session {
	/** Refreshes with the cookie. @returns the account, or undefined without a session */
	resume(): Promise<User | undefined>;
	/** Continues with the tokens of a sign-in or a confirmation that another call has completed. */
	adopt(issued: Schemas['SignIn'] | Schemas['SteppedUp']): void;
	signIn(
		credentials: Schemas['Login'],
		options: { readonly signal: AbortSignal; readonly secondFactor?: SecondFactor | undefined },
	): Promise<User>;
	/** Confirms the second factor; later calls send the access token that shows it. */
	stepUp(code: string, signal: AbortSignal): Promise<void>;
	/**
	 * Ends the session here in any case, unless its refresh token is in a cookie, which only the gateway can remove.
	 * @throws NetworkError or PaddockError if it could not be ended at the gateway
	 */
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
	/** Whether the gateway keeps the refresh token in a cookie. */
	readonly refreshCookie: boolean;
}

export function createSession(deps: SessionDeps): Session {
	const { baseUrl, storage, runtime, timeoutMs } = deps;
	const tokens = tokenStore(storage, baseUrl, runtime.now);
	const fetch = deps.refreshCookie ? withCookie(deps.fetch, `${baseUrl}/auth/`) : deps.fetch;

	const post = createPost(baseUrl, fetch);

	// A call waits for two attempts and then has time for itself.
	const refreshTimeoutMs = Math.min(Math.ceil(timeoutMs / 3), refreshTimeoutMsMax);
	const exchangeToken = (refreshToken: string) =>
		post<Schemas['Tokens']>(
			'/auth/refresh',
			{ refreshToken },
			{ signal: AbortSignal.timeout(refreshTimeoutMs) },
		);
	const refresh = createRefresh(tokens, exchangeToken);

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

	const adopt = (issued: Schemas['SignIn'] | Schemas['SteppedUp']): void => {
		if ('user' in issued) {
			tokens.saveDeviceToken(issued.user.email, issued.deviceToken);
			tokens.save(issued);
		} else tokens.replaceAccessToken(issued);
	};

	return {
		send,
		isSignedIn: () => tokens.load() !== undefined,
		signIn: async (credentials, { signal, secondFactor }) => {
			const device = tokens.deviceToken(credentials.email);
			const headers: Record<string, string> = device === null ? {} : { 'X-Device-Token': device };
			const options = { signal, headers };
			const first = post<Schemas['SignIn']>('/auth/login', credentials, options);
			const issued = await first.catch(async (error: unknown) => {
				const isFirstStep = error instanceof PaddockError && error.code === 'SECOND_FACTOR_REQUIRED';
				if (!isFirstStep || secondFactor === undefined) throw error;
				const { challengeToken } = error.data;
				const body = { challengeToken, code: await untilAborted(Promise.resolve(secondFactor()), signal) };
				return post<Schemas['SignIn']>('/auth/login/second-factor', body, options);
			});
			tokens.saveDeviceToken(credentials.email, issued.deviceToken);
			tokens.save(issued);
			return issued.user;
		},
		adopt,
		resume: async () => {
			const issued = await lockedExchange(() => exchangeToken(inCookie)).catch(undefinedAfter401);
			if (issued !== undefined) tokens.save(issued);
			return issued?.user;
		},
		stepUp: async (code, signal) => {
			const headers = { 'Content-Type': 'application/json' };
			const init = { method: 'POST', body: JSON.stringify({ code }), headers, signal };
			const response = await send(new Request(`${baseUrl}/auth/step-up`, init));
			const { data } = (await response.json()) as { data: Schemas['SteppedUp'] };
			tokens.replaceAccessToken(data);
		},
		signOut: async (signal) => {
			if (tokens.load() === undefined) return;
			try {
				await send(new Request(`${baseUrl}/auth/logout`, { method: 'POST', signal })).catch(undefinedIfOver);
			} catch (error) {
				if (!deps.refreshCookie) tokens.clear();
				throw error;
			}
			tokens.clear();
		},
	};
}

function undefinedAfter401(error: unknown): undefined {
	if (!(error instanceof PaddockError) || error.status !== 401) throw error;
}

function undefinedIfOver(error: unknown): undefined {
	if (!(error instanceof SessionEndedError)) undefinedAfter401(error);
}

type Post = <T>(
	path: string,
	body: object,
	options: { signal: AbortSignal; headers?: Record<string, string> },
) => Promise<T>;

/** Sends a body without a token and returns the data of the response. */
function createPost(baseUrl: string, fetch: Fetch): Post {
	return async <T>(path: string, body: object, { signal, headers = {} }: Parameters<Post>[2]) => {
		const init = { method: 'POST', body: JSON.stringify(body), signal };
		const request = new Request(baseUrl + path, {
			...init,
			headers: { 'Content-Type': 'application/json', ...headers },
		});
		const { data } = (await (await exchange(fetch, request)).json()) as { data: T };
		return data;
	};
}

/** Asks the gateway for the cookie in sign-ins, refreshes and sign-outs; other calls don't need it. */
function withCookie(fetch: Fetch, prefix: string): Fetch {
	return (request) => {
		if (request.method === 'POST' && request.url.startsWith(prefix))
			request.headers.set('X-Refresh-Cookie', 'on');
		return fetch(request);
	};
}

function withToken(request: Request, token: string): Request {
	request.headers.set('Authorization', `Bearer ${token}`);
	return request;
}
