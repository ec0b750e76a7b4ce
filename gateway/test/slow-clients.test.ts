import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { patient, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { expectFailure } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
	upstream = await recordingUpstream();
	gateway = await startTestGateway({
		services: { 'ping-service': [upstream.url], 'horses-service': [upstream.url] },
		settings: { CONTEXTS: 'auth,ping,horses', HEADERS_TIMEOUT_MS: '300', REQUEST_TIMEOUT_MS: '600' },
	});
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
});

/** A client that never closes its half of the connection, like an attacker. */
function stubborn(bytes: string): { socket: Socket; closed: Promise<{ text: string; afterMs: number }> } {
	const startedAt = performance.now();
	const socket = connect({ port: gateway.port, host: '127.0.0.1', allowHalfOpen: true });
	let text = '';
	socket.on('data', (data) => {
		text += data.toString('latin1');
	});
	socket.on('error', () => undefined);
	socket.write(bytes);
	// With allowHalfOpen only a write detects that the gateway closed the connection.
	const poke = setInterval(() => socket.write(' '), 100);
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
		clearInterval(poke);
		return { text, afterMs: performance.now() - startedAt };
	});
	return { socket, closed };
}

function parsed(text: string) {
	const [head = '', body = ''] = text.split('\r\n\r\n');
	const [statusLine = '', ...lines] = head.split('\r\n');
	const headers = Object.fromEntries(
		lines.map((line) => [line.split(': ')[0]?.toLowerCase() ?? '', line.split(': ')[1] ?? '']),
	);
	return { status: Number(statusLine.split(' ')[1]), headers, body };
}

describe('slow clients', () => {
	it('headers that never end: 408, and the connection is closed even if the client keeps it open', async () => {
		const calls = Array.from({ length: 50 }, () => stubborn('GET /api/ping HTTP/1.1\r\nHost: a\r\nX: '));
		expect((await fetch(`${gateway.url}/api/ping`)).status).toBe(200);
		for (const { text, afterMs } of await Promise.all(calls.map(({ closed }) => closed))) {
			expectFailure(parsed(text), 408, 'REQUEST_TIMEOUT');
			expect(afterMs).toBeLessThan(patient(4_000));
		}
	});

	it('a body that never ends: 408, and the connection to the service is released', async () => {
		const authorization = `Authorization: Bearer ${gateway.identity.sign()}`;
		const calls = ['/api/horses', '/auth/login'].map((path) =>
			stubborn(`POST ${path} HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Length: 50000\r\n\r\n{`),
		);
		for (const { text, afterMs } of await Promise.all(calls.map(({ closed }) => closed))) {
			expectFailure(parsed(text), 408, 'REQUEST_TIMEOUT');
			expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
			expect(afterMs).toBeLessThan(patient(4_000));
		}
		expect(upstream.requests.filter(({ method }) => method === 'POST')).toEqual([]);
		const inFlight = gateway.opened.deps.table.upstreams('horses-service').map((each) => each.inFlight);
		expect(inFlight).toEqual([0]);
		const metrics = await gateway.opened.deps.operations.metrics.registry.metrics();
		expect(metrics).toMatch(
			/gateway_request_duration_seconds_count\{[^}]*route="\/api\/horses"[^}]*status="408"/,
		);
	});

	it('a refused client that stays connected is disconnected', async () => {
		const calls = ['BREW / HTTP/1.1\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'].map((bytes) =>
			stubborn(bytes),
		);
		for (const { text, afterMs } of await Promise.all(calls.map(({ closed }) => closed))) {
			expect([400, 405]).toContain(parsed(text).status);
			expect(afterMs).toBeLessThan(patient(3_000));
		}
	});
});
