import { Writable } from 'node:stream';
import type { KeySet } from '@paddock/identity';
import { createLogger, createMetrics, formatLine, type Metrics } from '@paddock/telemetry';
import { createTestIdentity, startTestService, type TestIdentity } from '@paddock/testing';
import type { HealthCheck } from '../src/process/health.ts';
import { translateToyError } from './lost-toy-box.ts';
import { type ToyDeps, toyRoutes } from './toy-routes.ts';

interface ToyResponse {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	/** `data` of the envelope; undefined without a body. */
	readonly data: Record<string, unknown>;
	readonly code: string | undefined;
	/** `field CODE` of each field error, sorted. */
	readonly fields: readonly string[];
}

export interface ToyService {
	readonly url: string;
	readonly port: number;
	readonly identity: TestIdentity;
	readonly metrics: Metrics;
	/** Each line of the log, parsed. */
	readonly log: readonly Record<string, unknown>[];
	/** The code that the next POST /act runs in its handler. */
	act: (signal: AbortSignal) => unknown;
	draining: boolean;
	/** Sends one request; fails if a JSON response is not an envelope. An object as body goes as JSON. */
	send(method: string, path: string, request?: ToyRequest): Promise<ToyResponse>;
	close(): Promise<void>;
}

interface ToyRequest {
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array<ArrayBuffer> | object;
}

export interface ToyOptions {
	readonly checkResponses?: boolean;
	readonly checks?: readonly HealthCheck[];
	/** The identity's unless given. */
	readonly keys?: KeySet;
	readonly trustedProxies?: readonly string[];
}

/** The toy routes as a real service on a free port, with a log that can be read. */
export async function runToyService(options: ToyOptions = {}): Promise<ToyService> {
	const identity = await createTestIdentity();
	const metrics = createMetrics({ prefix: 'service', service: 'toys' });
	const { logger, lines } = recordingLogger();
	const toy = { act: (_signal: AbortSignal): unknown => ({ fine: true }), draining: false };
	const { url, close } = await startTestService<ToyDeps>({
		opened: {
			routes: toyRoutes,
			deps: { act: (signal) => toy.act(signal) },
			checks: options.checks ?? [],
			translateError: translateToyError,
			close: async () => {},
		},
		keys: options.keys ?? identity.keys,
		now: () => new Date(),
		logger,
		metrics,
		draining: () => toy.draining,
		trustedProxies: options.trustedProxies ?? [],
		checkResponses: options.checkResponses ?? true,
	});
	return Object.assign(toy, {
		url,
		port: Number(new URL(url).port),
		identity,
		metrics,
		log: lines,
		send: async (method: string, path: string, request: ToyRequest = {}) =>
			readResponse(await fetch(url + path, initOf(method, request))),
		close,
	});
}

function initOf(method: string, { headers = {}, body }: ToyRequest): RequestInit {
	const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
	return {
		method,
		redirect: 'manual',
		headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
		...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }),
	};
}

async function readResponse(response: Response): Promise<ToyResponse> {
	const text = await response.text();
	const type = response.headers.get('Content-Type') ?? '';
	const json = text !== '' && type.startsWith('application/json') ? JSON.parse(text) : undefined;
	if (json !== undefined) mustBeEnvelope(json, text);
	const data = json?.data ?? {};
	const errors: { field: string; code: string }[] = data.errors ?? [];
	return {
		status: response.status,
		headers: response.headers,
		text,
		data,
		code: data.code,
		fields: errors.map(({ field, code }) => `${field} ${code}`).sort(),
	};
}

function mustBeEnvelope(json: Record<string, unknown>, text: string): void {
	if (Object.keys(json).join() !== 'success,data,message,timestamp') throw new Error(`no envelope: ${text}`);
	if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(json['timestamp'])))
		throw new Error(`no timestamp: ${text}`);
}

/** A logger as in production at the level debug, whose lines are collected. */
function recordingLogger() {
	const lines: Record<string, unknown>[] = [];
	const logger = createLogger({ service: 'toys', level: 'debug' });
	for (const transport of logger.transports) logger.remove(transport);
	const stream = new Writable({
		objectMode: true,
		write: (entry: Record<string, unknown>, _encoding, done) => {
			lines.push(JSON.parse(formatLine(entry)));
			done();
		},
	});
	logger.pipe(stream);
	return { logger, lines };
}
