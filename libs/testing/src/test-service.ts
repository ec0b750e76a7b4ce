import { createTokenVerifier, internalAudience, type KeySet } from '@paddock/identity';
import { createService, listen, type OpenedService, type Route } from '@paddock/service';
import { createMetrics, type Logger, type Metrics, silentLogger } from '@paddock/telemetry';
import { checkDeclared } from './check-declared.ts';
import { createOpenapiCheck } from './openapi-check.ts';

/** One request to a service under test. */
interface TestCall {
	/** An access token, for `Authorization: Bearer`. */
	readonly token?: string | undefined;
	/** Sent as JSON. */
	readonly body?: unknown;
	/** Sent unchanged as application/json, for bodies that JSON.stringify can't produce. */
	readonly rawBody?: string | Uint8Array<ArrayBuffer>;
	readonly headers?: Readonly<Record<string, string>>;
}

/** `data` is that of the envelope, or the whole document of a route without an envelope (a JWK set). */
export interface TestResponse<Data> {
	readonly status: number;
	readonly headers: Headers;
	readonly data: Data;
	readonly message: string;
	/** The body as text, to check that it doesn't contain a value. */
	readonly text: string;
}

/** The `data` of every failure. */
export interface TestFailure {
	readonly code: string;
	readonly errors?: readonly { field: string; code: string; message: string }[];
	readonly [context: string]: unknown;
}

export interface TestServiceOptions<Deps> {
	/** The result of `open<Context>()`; closed with the service. */
	readonly opened: OpenedService<Deps>;
	/** For services without keys of their own: those of `createTestIdentity()`. */
	readonly keys?: KeySet;
	readonly now: () => Date;
	/** Silent by default. */
	readonly logger?: Logger;
	readonly metrics?: Metrics;
	readonly draining?: () => boolean;
	readonly trustedProxies?: readonly string[];
	/** On by default. */
	readonly checkResponses?: boolean;
}

export interface TestService {
	/** Without a trailing slash. */
	readonly url: string;
	/**
	 * Sends a request; throws if the response doesn't match the declaration of its route (status, schema, envelope).
	 * `Data` is not checked.
	 */
	call<Data = TestFailure>(method: string, path: string, call?: TestCall): Promise<TestResponse<Data>>;
	close(): Promise<void>;
}

/** Runs an opened service on a free port of 127.0.0.1, like `runService` but without a registry. */
export async function startTestService<Deps>(options: TestServiceOptions<Deps>): Promise<TestService> {
	const { opened, now } = options;
	const keys = opened.keys ?? options.keys;
	if (keys === undefined) throw new TypeError('The service has no keys; pass those of a test identity.');
	const issued = { keys, issuer: 'paddock', now };
	const app = createService({
		...opened,
		name: 'service-under-test',
		verifier: createTokenVerifier({ ...issued, audience: 'paddock' }),
		internalVerifier: createTokenVerifier({ ...issued, audience: internalAudience('paddock') }),
		logger: options.logger ?? silentLogger(),
		metrics: options.metrics ?? createMetrics({ prefix: 'service', service: 'service-under-test' }),
		now,
		draining: options.draining ?? (() => false),
		trustedProxies: options.trustedProxies ?? ['127.0.0.0/8'],
		bodyBytesMax: 102_400,
		checkResponses: options.checkResponses ?? true,
	});
	const server = await listen({
		listener: app,
		host: '127.0.0.1',
		port: 0,
		keepAliveTimeoutMs: 65_000,
		headersTimeoutMs: 10_000,
		requestTimeoutMs: 30_000,
		headerBytesMax: 32_768,
		now,
	});
	const url = `http://127.0.0.1:${server.port}`;
	const check = checkDeclared(opened.routes);
	const documented = createOpenapiCheck();
	// Internal routes and routes of library tests are not in openapi.yaml; another test covers the completeness.
	const isDocumented = (route: Route<Deps>) => documented.describes(route.method, route.path);
	return {
		url,
		call: async <Data>(method: string, path: string, call: TestCall = {}) => {
			const response = await fetch(url + path, requestOf(method, call));
			const text = await response.text();
			const json: unknown = text === '' ? undefined : JSON.parse(text);
			const route = check({ method, path, status: response.status, headers: response.headers, json });
			const contentType = response.headers.get('Content-Type');
			if (route === undefined ? opened.routes.some(isDocumented) : isDocumented(route))
				documented({ method, path, status: response.status, contentType, json });
			return { ...responseOf<Data>(json), status: response.status, headers: response.headers, text };
		},
		close: async () => {
			await server.close(1_000);
			await opened.close();
		},
	};
}

function requestOf(method: string, call: TestCall): RequestInit {
	const headers = new Headers(call.headers);
	if (call.token !== undefined) headers.set('Authorization', `Bearer ${call.token}`);
	const body = call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
	if (body !== undefined && !headers.has('Content-Type')) headers.set('Content-Type', 'application/json');
	return { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }) };
}

function responseOf<Data>(json: unknown): { data: Data; message: string } {
	if (typeof json === 'object' && json !== null && 'success' in json && 'data' in json) {
		const { data, message } = json as unknown as { data: Data; message: string };
		return { data, message };
	}
	return { data: json as Data, message: '' };
}
