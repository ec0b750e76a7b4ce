import createFetchClient, { createQuerySerializer } from 'openapi-fetch';
import { type components, idempotentPosts } from './contract.generated.ts';
import { NetworkError } from './errors.ts';
import type { Fetch } from './exchange.ts';
import { type HealthEvent, healthEvents } from './health-stream.ts';
import type { Call, ListCall, Method, Versioned } from './operations.ts';
import { withRetries } from './retry.ts';
import { type Runtime, realRuntime } from './runtime.ts';
import { createSession, type SecondFactor, type User } from './session.ts';
import { memoryStorage, type TokenStorage } from './tokens.ts';

export interface ClientOptions {
	/** Address of the gateway, such as `https://paddock.example.org`. */
	readonly baseUrl: string;
	/** Where tokens are stored; by default in memory, until the page is left or the process exits. */
	readonly storage?: TokenStorage;
	/**
	 * For pages on the gateway's own origin: the gateway keeps the refresh token in an HttpOnly cookie, and `resume` continues
	 * the session after a reload. False by default.
	 */
	readonly refreshCookie?: boolean;
	/** For one call with all its attempts, the waits between them and its body; 30 s by default. */
	readonly timeoutMs?: number;
	/** For a GET, or a POST with an Idempotency-Key; 4 by default. */
	readonly attemptsMax?: number;
	/** Replaces the global `fetch`. */
	readonly fetch?: Fetch;
	/** Replaces clock and chance, in tests. */
	readonly runtime?: Runtime;
}

type Interruptible = { readonly signal?: AbortSignal };

export interface Client {
	/**
	 * Later calls of this client have the account's rights. `secondFactor` is called if the account has one.
	 * @throws PaddockError SECOND_FACTOR_REQUIRED if it has one and `secondFactor` is missing; its `data.challengeToken`
	 * completes the sign-in with a passkey
	 */
	signIn(
		credentials: components['schemas']['Login'],
		options?: Interruptible & { readonly secondFactor?: SecondFactor },
	): Promise<User>;
	/** Continues the session of the cookie, see `refreshCookie`. @returns the account, or undefined without a session */
	resume(): Promise<User | undefined>;
	/**
	 * Continues with the tokens of a sign-in that a call of its own has completed, e.g. with a passkey, or with the access token
	 * of a confirmation.
	 */
	adopt(issued: components['schemas']['SignIn'] | components['schemas']['SteppedUp']): void;
	/** Confirms the second factor, after PaddockError STEP_UP_REQUIRED; then repeat the call. */
	stepUp(code: string, options?: Interruptible): Promise<void>;
	/**
	 * Ends the session here in any case, but with `refreshCookie` only together with the cookie, which the gateway removes.
	 * @throws NetworkError or PaddockError if it could not be ended at the gateway
	 */
	signOut(options?: Interruptible): Promise<void>;
	isSignedIn(): boolean;
	readonly get: Call<'get'>;
	readonly post: Call<'post'>;
	readonly put: Call<'put'>;
	/** Changes the fields in the body: null clears one, objects are merged, lists replaced (RFC 7396). */
	readonly patch: Call<'patch'>;
	readonly delete: Call<'delete'>;
	/** The pages of a list, read as the loop needs them. */
	readonly pages: ListCall<'pages'>;
	/** The records of all pages of a list. */
	readonly items: ListCall<'items'>;
	/** Health now and then every second, until the loop is left or `signal` aborted; connects again if the stream ends. */
	health(options?: Interruptible): AsyncGenerator<HealthEvent, never, void>;
}

/** The input of any call, as `Init` allows it. */
interface AnyInit extends Interruptible {
	readonly path?: object;
	readonly query?: object;
	readonly body?: object;
	readonly ifMatch?: Versioned | 'any';
	readonly idempotencyKey?: string;
}

type AnyPage = {
	readonly items: readonly unknown[];
	readonly pagination: { readonly hasNext: boolean; readonly nextCursor?: string | null };
};

export function createClient(options: ClientOptions): Client {
	const { storage = memoryStorage(), timeoutMs = 30_000, attemptsMax = 4, runtime = realRuntime } = options;
	const baseUrl = options.baseUrl.replace(/\/$/, '');
	// Looked up at each call, so that what replaces the global `fetch` later is used.
	const fetch = options.fetch ?? ((request) => globalThis.fetch(request));
	const { refreshCookie = false } = options;
	const session = createSession({ baseUrl, fetch, storage, runtime, timeoutMs, refreshCookie });
	const api = createFetchClient<Record<string, never>>({
		baseUrl,
		fetch: (request) => session.send(request),
		querySerializer,
	});

	/** Runs `work` with a signal for the caller's abort and the timeout. */
	const limited = async <T>(
		signal: AbortSignal | undefined,
		work: (signal: AbortSignal) => Promise<T>,
	): Promise<T> => {
		const timeout = AbortSignal.timeout(timeoutMs);
		try {
			return await work(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
		} catch (error) {
			if (error !== timeout.reason) throw error;
			throw new NetworkError(`No complete response within ${timeoutMs} ms.`, { cause: error });
		}
	};

	const call = (method: Method, path: string, init: AnyInit = {}): Promise<unknown> =>
		limited(init.signal, async (signal) => {
			const headers = headersOf(method, path, init);
			const attempt = async () => {
				const request = { params: { path: init.path, query: init.query }, body: init.body, headers, signal };
				const { data, response } = await api.request(
					method,
					path as never,
					{ ...request, parseAs: 'text' } as never,
				);
				return contentOf(response, data);
			};
			const isRepeatable = method === 'get' || headers['Idempotency-Key'] !== undefined;
			const until = runtime.now() + timeoutMs;
			return withRetries(attempt, { attemptsMax: isRepeatable ? attemptsMax : 1, until, signal }, runtime);
		});

	async function* pages(path: string, init: AnyInit = {}): AsyncGenerator<AnyPage, void, void> {
		let position: Record<string, unknown> = {};
		for (let page = 2; ; page += 1) {
			const data = (await call('get', path, { ...init, query: { ...init.query, ...position } })) as AnyPage;
			yield data;
			const { hasNext, nextCursor: cursor } = data.pagination;
			if (!hasNext) return;
			// Lists of attached services may count pages only.
			position = cursor === undefined || cursor === null ? { page } : { cursor };
		}
	}

	async function* items(path: string, init?: AnyInit): AsyncGenerator<unknown, void, void> {
		for await (const page of pages(path, init)) yield* page.items;
	}

	const method = <M extends Method>(name: M) =>
		((path: string, init?: AnyInit) => call(name, path, init)) as unknown as Call<M>;

	return {
		...sessionCalls(session, limited),
		get: method('get'),
		post: method('post'),
		put: method('put'),
		patch: method('patch'),
		delete: method('delete'),
		pages: pages as unknown as ListCall<'pages'>,
		items: items as unknown as ListCall<'items'>,
		health: ({ signal = new AbortController().signal } = {}) => {
			const url = `${baseUrl}/actuator/health/stream`;
			return healthEvents(
				(each) => session.send(new Request(url, { signal: each }), 'stream'),
				signal,
				runtime,
			);
		},
	};
}

type Limited = <T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

function sessionCalls(
	session: ReturnType<typeof createSession>,
	limited: Limited,
): Pick<Client, 'signIn' | 'resume' | 'adopt' | 'stepUp' | 'signOut' | 'isSignedIn'> {
	return {
		signIn: (credentials, { signal, secondFactor } = {}) =>
			limited(signal, (each) => session.signIn(credentials, { signal: each, secondFactor })),
		resume: session.resume,
		adopt: session.adopt,
		stepUp: (code, { signal } = {}) => limited(signal, (each) => session.stepUp(code, each)),
		signOut: ({ signal } = {}) => limited(signal, (each) => session.signOut(each)),
		isSignedIn: session.isSignedIn,
	};
}

/** One Idempotency-Key for all attempts of a call. */
function headersOf(
	method: Method,
	path: string,
	{ ifMatch, idempotencyKey }: AnyInit,
): Record<string, string> {
	return {
		...(method === 'patch' ? { 'Content-Type': 'application/merge-patch+json' } : {}),
		...(ifMatch === undefined || ifMatch === 'any' ? {} : { 'If-Match': `"${ifMatch.version}"` }),
		...(method === 'post' && idempotentPosts.has(path)
			? { 'Idempotency-Key': idempotencyKey ?? randomKey() }
			: {}),
	};
}

/** Not `crypto.randomUUID`, which browsers have on secure origins only. */
function randomKey(): string {
	return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
		byte.toString(16).padStart(2, '0'),
	).join('');
}

/** The data of an envelope; a document in another format as it is. */
function contentOf(response: Response, text: unknown): unknown {
	if (!/[/+]json\b/.test(response.headers.get('Content-Type') ?? '')) return text;
	const content = JSON.parse(String(text)) as { readonly success?: boolean; readonly data?: unknown };
	return content.success === undefined ? content : content.data;
}

/** `sort=name,-birthYear`, but `tag=…&tag=…` since a tag may have commas. */
const joined = createQuerySerializer({ array: { style: 'form', explode: false } });
const repeated = createQuerySerializer();
const querySerializer = ({ tag, ...query }: Record<string, unknown>): string =>
	[joined(query), repeated({ tag })].filter((part) => part !== '').join('&');
