import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { neverRespond, patient, rawRequest, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { collectingLogger } from './collecting-logger.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

let text = '';

let upstream: TestUpstream;
let hanging: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
	upstream = await recordingUpstream();
	hanging = await recordingUpstream(neverRespond);
	gateway = await startTestGateway({
		services: { 'ping-service': [upstream.url], 'horses-service': [hanging.url] },
		settings: { CONTEXTS: 'auth,ping,horses', BREAKER_VOLUME: '1000' },
		logger: collectingLogger('debug', (line) => {
			text += line;
		}),
		accessSink: {
			write: (line) => {
				text += `${line}\n`;
			},
		},
	});
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
	await hanging.close();
});

afterEach(() => {
	text = '';
});

type Line = Record<string, unknown>;

/** The lines of requests so far; each line of the log must be one JSON object. */
function requestLines(): Line[] {
	const lines = text.split('\n').filter((line) => line !== '');
	return lines.map((line): Line => JSON.parse(line)).filter(({ message }) => message === 'request');
}

async function lineOf(requestId: string): Promise<Line> {
	const deadline = performance.now() + patient(3_000);
	for (;;) {
		const found = requestLines().filter((line) => line['requestId'] === requestId);
		if (found.length > 0 || performance.now() > deadline) {
			expect(found).toHaveLength(1);
			return found[0] ?? {};
		}
		await new Promise((resolve) => setTimeout(resolve, 5));
	}
}

async function requestLine(
	path: string,
	headers: Record<string, string> = {},
	method = 'GET',
): Promise<Line> {
	const response = await fetch(gateway.url + path, { method, headers });
	await response.text();
	return lineOf(response.headers.get('x-request-id') ?? '');
}

describe('access log', () => {
	it('has one JSON line per request, with the fields that identify it', async () => {
		expect(await requestLine('/api/ping?secret=query')).toMatchObject({
			level: 'info',
			service: 'gateway',
			method: 'GET',
			path: '/api/ping',
			route: '/api/ping',
			status: 200,
			client: '127.0.0.1',
			traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
			durationMs: expect.any(Number),
			instance: expect.any(String),
			attempts: 1,
			upstreamMs: expect.any(Number),
			userAgent: 'node',
		});
		expect(text).not.toContain('query');
		expect(await requestLine('/nothing/at/all')).toMatchObject({
			route: 'unmatched',
			path: '/nothing/at/all',
			status: 404,
		});
		expect(requestLines().at(-1)).not.toHaveProperty('attempts');
		expect(await requestLine('/a//b')).toMatchObject({ route: 'unmatched', status: 400 });
		expect(await requestLine('/auth/profile')).toMatchObject({ route: '/auth/profile', status: 401 });
		expect(await requestLine('/auth/a/b/c')).toMatchObject({ route: '/auth/*' });
		expect(await requestLine('/', {}, 'PROPFIND')).toMatchObject({ method: 'PROPFIND', status: 405 });
	});

	it('has the bytes of each response of a kept-alive connection, and how long the instance took', async () => {
		const head = 'GET /api/ping HTTP/1.1\r\nHost: a\r\n';
		const both = `${head}X-Request-Id: kept-1\r\n\r\n${head}X-Request-Id: kept-2\r\nConnection: close\r\n\r\n`;
		const socket = connect(gateway.port, '127.0.0.1', () => socket.write(both));
		let received = 0;
		socket.on('data', (chunk) => {
			received += chunk.length;
		});
		await once(socket, 'close');
		const lines = [await lineOf('kept-1'), await lineOf('kept-2')];
		expect(lines.map(({ bytes }) => Number(bytes) > 100)).toEqual([true, true]);
		expect(Number(lines[0]?.['bytes']) + Number(lines[1]?.['bytes'])).toBe(received);
		for (const { upstreamMs, durationMs } of lines)
			expect(Number(upstreamMs)).toBeLessThanOrEqual(Number(durationMs));
	});

	it('contains the user id, but no token or cookie', async () => {
		const token = gateway.identity.sign({ userId: '11111111-1111-4111-8111-111111111111' });
		const line = await requestLine('/api/ping', {
			Authorization: `Bearer ${token}`,
			Cookie: 'session=s3cret',
			'X-Api-Key': 's3cret',
		});
		expect(line['userId']).toBe('11111111-1111-4111-8111-111111111111');
		await requestLine('/auth/profile', { Authorization: `Bearer ${token.slice(0, -4)}AAAA` });
		for (const part of token.split('.').slice(1)) expect(text).not.toContain(part.slice(0, 60));
		expect(text).not.toContain('s3cret');
	});

	it('has 413 for a refused upload and 499 for a client that disconnected', async () => {
		const upload = await fetch(`${gateway.url}/api/ping`, { method: 'POST', body: 'x'.repeat(200_000) });
		expect(upload.status).toBe(413);
		expect(await lineOf(upload.headers.get('x-request-id') ?? '')).toMatchObject({ status: 413 });
		const authorization = `Bearer ${gateway.identity.sign()}`;
		const before = hanging.requests.length;
		const leaving = connect(gateway.port, '127.0.0.1');
		const head = [
			'GET /api/horses HTTP/1.1',
			'Host: a',
			`Authorization: ${authorization}`,
			'X-Request-Id: left-1',
		];
		leaving.write(`${head.join('\r\n')}\r\n\r\n`);
		while (hanging.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 5));
		leaving.resetAndDestroy();
		expect(await lineOf('left-1')).toMatchObject({
			status: 499,
			route: '/api/horses',
		});
	});

	it('records no failure for a request that succeeded at the second attempt', async () => {
		const failing = await recordingUpstream((req) => void req.socket.destroy());
		try {
			gateway.registry.set('ping-service', [failing.url, upstream.url]);
			let line: Line;
			do line = await requestLine('/api/ping');
			while (failing.requests.length === 0);
			expect(line).toMatchObject({ status: 200, attempts: 2, retriedAfter: 'reset' });
			expect(line).not.toHaveProperty('failure');
		} finally {
			gateway.registry.set('ping-service', [upstream.url]);
			await failing.close();
		}
	});

	it('has a line for requests that the parser refused', async () => {
		const response = await rawRequest(gateway.port, 'BREW / HTTP/1.1\r\n\r\n');
		expect(await lineOf(response.headers['x-request-id'] ?? '')).toMatchObject({
			status: 400,
			refused: 'HPE_INVALID_METHOD',
			client: '127.0.0.1',
		});
	});

	it('escapes line breaks and terminal codes, so lines can’t be forged', async () => {
		const forged = '{"level":"info","message":"request","status":200,"forged":true}';
		const tries = [
			`GET /api/ping%0a${encodeURIComponent(forged)} HTTP/1.1\r\nHost: a`,
			`GET /\u2028${forged} HTTP/1.1\r\nHost: a`,
			`GET /\u009b31m\u001b[31m HTTP/1.1\r\nHost: a`,
			`GET /api/ping HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\u009b31m\r\nUser-Agent: \u0085${forged}`,
			`GET /"},${forged} HTTP/1.1\r\nHost: a`,
			`GET /\u0085\u009b HTTP/1.1\r\nHost: a`,
			`GET /__proto__ HTTP/1.1\r\nHost: a`,
		];
		for (const bytes of tries)
			await rawRequest(gateway.port, Buffer.from(`${bytes}\r\nConnection: close\r\n\r\n`, 'latin1'));
		await requestLine('/api/ping');
		const lines = requestLines();
		expect(lines.length).toBe(tries.length + 1);
		expect(lines.filter((line) => 'forged' in line)).toEqual([]);
		for (const character of text) {
			const code = character.codePointAt(0) ?? 0;
			const isControl =
				(code < 0x20 && character !== '\n') ||
				(code >= 0x7f && code < 0xa0) ||
				code === 0x2028 ||
				code === 0x2029;
			expect({ code, isControl }).toEqual({ code, isControl: false });
		}
	});

	it('omits successful probes, but not failed ones', async () => {
		await (await fetch(`${gateway.url}/actuator/health/liveness`)).text();
		await (await fetch(`${gateway.url}/actuator/prometheus`)).text();
		await requestLine('/actuator/nothing');
		expect(requestLines()).toHaveLength(1);
	});
});

describe('request metrics', () => {
	const series = async (): Promise<string[]> => {
		const metrics = await gateway.opened.deps.operations.metrics.registry.metrics();
		return metrics.split('\n').filter((line) => line.startsWith('gateway_request_duration_seconds_count'));
	};

	it('get no series for unknown paths and methods', async () => {
		await requestLine('/nothing');
		await requestLine('/', {}, 'PROPFIND');
		await rawRequest(gateway.port, 'BREW / HTTP/1.1\r\n\r\n');
		const before = await series();
		for (let at = 0; at < 1_000; at += 50) {
			await Promise.all(
				Array.from({ length: 50 }, (_, each) =>
					fetch(`${gateway.url}/scan/${at + each}.php?x=${at}`).then((response) => response.text()),
				),
			);
		}
		for (const method of ['MKCOL', 'PURGE', 'LOCK', 'REPORT', 'SEARCH', 'TRACE-X']) {
			await rawRequest(gateway.port, `${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
		}
		const after = await series();
		const labels = (lines: string[]) => lines.map((line) => line.slice(0, line.indexOf('}'))).sort();
		expect(labels(after)).toEqual(labels(before));
		expect(after.join('\n')).not.toContain('scan');
		expect(after.join('\n')).toMatch(/route="unmatched",method="GET",status="404"[^}]*\} 1\d\d\d/);
	});
});
