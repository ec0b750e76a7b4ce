import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { NetworkError, PaddockError } from '../src/index.ts';
import {
	clientOf,
	cutOff,
	fail,
	neverRespond,
	type ScriptedGateway,
	scriptedGateway,
	succeed,
	testRuntime,
} from './scripted-gateway.ts';

let gateway: ScriptedGateway;

beforeAll(async () => {
	gateway = await scriptedGateway();
});

afterAll(() => gateway.close());

const limited = fail(429, 'RATE_LIMITED', { 'Retry-After': '4' });
const open = fail(503, 'CIRCUIT_OPEN', { 'Retry-After': '8' });
const horse = { name: 'Federleicht', sex: 'MARE', birthYear: 2016, owners: [], ueln: null } as never;
const id = '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80';

test('a GET is repeated after Retry-After and some jitter, never earlier', async () => {
	const runtime = testRuntime();
	gateway.script(limited, open, succeed({ reply: 'pong' }));
	expect(await clientOf(gateway, { runtime }).get('/api/ping')).toEqual({ reply: 'pong' });
	expect(gateway.requests).toHaveLength(3);
	// Half of a quarter more.
	expect(runtime.pauses).toEqual([4_500, 9_000]);
});

test('without Retry-After the waits grow', async () => {
	const runtime = testRuntime();
	gateway.script(fail(503, 'OVERLOADED'));
	await expect(clientOf(gateway, { runtime }).get('/api/ping')).rejects.toMatchObject({ code: 'OVERLOADED' });
	expect(runtime.pauses).toEqual([150, 300, 600]);
});

test('a POST that creates a record is repeated with the same Idempotency-Key, also if the response was cut off', async () => {
	gateway.script(open, cutOff, succeed({ id }, 201));
	expect(await clientOf(gateway).post('/api/horses', { body: horse })).toEqual({ id });
	const keys = gateway.requests.map(({ headers }) => headers['idempotency-key']);
	expect(keys).toHaveLength(3);
	expect(new Set(keys).size).toBe(1);
	expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
	expect(new Set(gateway.requests.map(({ body }) => body)).size).toBe(1);

	await clientOf(gateway).post('/api/horses', { body: horse, idempotencyKey: 'order-7' });
	expect(gateway.requests.at(-1)?.headers['idempotency-key']).toBe('order-7');
	await clientOf(gateway).post('/api/horses', { body: horse });
	expect(gateway.requests.at(-1)?.headers['idempotency-key']).not.toBe(keys[0]);
});

test('any other change is sent once, and without a key', async () => {
	for (const failure of [limited, open]) {
		gateway.script(failure);
		const retired = clientOf(gateway).post('/api/horses/{id}/suspend', {
			path: { id },
			body: { reason: 'age' },
			ifMatch: 'any',
		});
		await expect(retired).rejects.toBeInstanceOf(PaddockError);
		expect(gateway.requests).toHaveLength(1);
		expect(gateway.requests[0]?.headers).not.toHaveProperty('idempotency-key');
	}
	gateway.script(cutOff);
	const deleted = clientOf(gateway).delete('/api/horses/{id}', { path: { id }, ifMatch: { version: 3 } });
	await expect(deleted).rejects.toBeInstanceOf(NetworkError);
	expect(gateway.requests).toHaveLength(1);
	expect(gateway.requests[0]?.headers['if-match']).toBe('"3"');
});

test('other failures are not repeated', async () => {
	for (const [status, code] of [
		[404, 'NOT_FOUND'],
		[500, 'INTERNAL_ERROR'],
		[502, 'UPSTREAM_ERROR'],
		[504, 'UPSTREAM_TIMEOUT'],
	] as const) {
		gateway.script(fail(status, code));
		await expect(clientOf(gateway).get('/api/ping')).rejects.toMatchObject({ code, status });
		expect(gateway.requests).toHaveLength(1);
	}
});

test('a wait that would exceed the time of the call does not begin', async () => {
	const runtime = testRuntime();
	gateway.script(open);
	const pong = clientOf(gateway, { runtime, timeoutMs: 12_000 }).get('/api/ping');
	await expect(pong).rejects.toMatchObject({ code: 'CIRCUIT_OPEN', retryAfterMs: 8_000 });
	expect(runtime.pauses).toEqual([9_000]);
});

test('the number of attempts is limited', async () => {
	gateway.script(cutOff);
	await expect(clientOf(gateway, { attemptsMax: 2 }).get('/api/ping')).rejects.toBeInstanceOf(NetworkError);
	expect(gateway.requests).toHaveLength(2);
});

test('an abort ends a wait and a request, with its own reason', async () => {
	const duringWait = new AbortController();
	const runtime = {
		...testRuntime(),
		pause: async (_ms: number, signal: AbortSignal) => {
			duringWait.abort(new Error('left the page'));
			signal.throwIfAborted();
		},
	};
	gateway.script(limited);
	const waiting = clientOf(gateway, { runtime }).get('/api/ping', { signal: duringWait.signal });
	await expect(waiting).rejects.toThrow('left the page');
	expect(gateway.requests).toHaveLength(1);

	const duringRequest = new AbortController();
	gateway.script(neverRespond);
	const unanswered = clientOf(gateway).get('/api/ping', { signal: duringRequest.signal });
	await eventually('the request has arrived', () => gateway.requests.length === 1);
	duringRequest.abort(new Error('closed the dialogue'));
	await expect(unanswered).rejects.toThrow('closed the dialogue');
	expect(gateway.requests).toHaveLength(1);
});

test('a response that does not come in time is a NetworkError', async () => {
	gateway.script(neverRespond);
	const slow = clientOf(gateway, { timeoutMs: 50 }).get('/api/ping');
	await expect(slow).rejects.toMatchObject({
		name: 'NetworkError',
		message: 'No complete response within 50 ms.',
	});
});
