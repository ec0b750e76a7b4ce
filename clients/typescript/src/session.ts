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

/** Asks the user for a code of the authenticator app, or for a recovery code. */
export type SecondFactor = () => string | Promise<string>;

interface Session {
	signIn(
		credentials: Schemas['Login'],
		options: { readonly signal: AbortSignal; readonly secondFactor?: SecondFactor | undefined },
	): Promise<User>;
	/** Confirms the second factor; later calls send the access token that shows it. */
	stepUp(code: string, signal: AbortSignal): Promise<void>;
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
