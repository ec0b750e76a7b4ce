import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
	describeWithPrograms,
	patient,
	rawRequest,
	recordingUpstream,
	type TestUpstream,
} from '@paddock/testing';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const bytesMax = 102_400;
const tooMany = 2 * bytesMax;
const run = promisify(execFile);

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
	upstream = await recordingUpstream();
	gateway = await startTestGateway({
		services: { 'horses-service': [upstream.url] },
		settings: { CONTEXTS: 'auth,horses' },
	});
});

afterAll(async () => {
	await gateway.close();
	await upstream.close();
});

const authorized = () => ({ Authorization: `Bearer ${gateway.identity.sign()}` });
const headOf = (...headers: string[]) =>
	[
		'POST /api/horses HTTP/1.1',
		'Host: a',
		`Authorization: Bearer ${gateway.identity.sign()}`,
		...headers,
		'',
		'',
	].join('\r\n');

/** Sends chunks until the gateway closes the connection. @returns the response and the bytes sent */
async function streamUntilRefused(
	head: string,
	bytesAtMost: number,
): Promise<{ text: string; bytes: number }> {
	const socket = connect(gateway.port, '127.0.0.1');
	const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
	let text = '';
	let open = true;
	let bytes = 0;
	socket.on('data', (data) => {
		text += data.toString('latin1');
	});
	socket.on('error', () => undefined);
	const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
		open = false;
	});
	socket.write(head);
	while (open && bytes < bytesAtMost) {
		bytes += 65_536;
		if (!socket.write(chunk))
			await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
	}
	socket.end();
	await closed;
	return { text, bytes };
}

describe('bodies above the limit', () => {
	it('a body of exactly the limit is forwarded, with a length and in chunks', async () => {
		const body = 'x'.repeat(bytesMax);
		const stream = new Blob([body]).stream();
		for (const init of [{ body }, { body: stream, duplex: 'half' }]) {
			const response = await fetch(`${gateway.url}/api/horses`, {
				method: 'POST',
				headers: authorized(),
				...init,
			} as RequestInit);
			expect(response.status).toBe(200);
			expect(upstream.requests.at(-1)?.body).toBe(body);
		}
	});

	it('with a length: 413 before the service receives anything', async () => {
		const before = upstream.requests.length;
		const connections = upstream.connections();
		const response = await fetch(`${gateway.url}/api/horses`, {
			method: 'POST',
			headers: authorized(),
			body: 'x'.repeat(tooMany),
		});
		expect(expectFailure(await readResponse(response), 413, 'PAYLOAD_TOO_LARGE')).toMatchObject({ bytesMax });
		expect(upstream.requests.length).toBe(before);
		expect(upstream.connections()).toBe(connections);
	});

	it('with a length, without a token: 413 or 401, readable by the client', async () => {
		for (const bytes of [bytesMax - 1, tooMany, 20_000_000]) {
			const response = await fetch(`${gateway.url}/api/horses`, { method: 'POST', body: 'x'.repeat(bytes) });
			expect(response.status).toBe(bytes > bytesMax ? 413 : 401);
			expect(await response.json()).toMatchObject({ success: false });
		}
	});

	it('in chunks: 413, and the service receives no complete request', async () => {
		const before = upstream.requests.length;
		const body = new Blob(['x'.repeat(tooMany)]).stream();
		const response = await fetch(`${gateway.url}/api/horses`, {
			method: 'POST',
			headers: authorized(),
			body,
			duplex: 'half',
		} as RequestInit);
		expectFailure(await readResponse(response), 413, 'PAYLOAD_TOO_LARGE');
		expect(upstream.requests.length).toBe(before);
	});

	it('an endless body in chunks: 413 early, then the connection closes and memory stays constant', async () => {
		const startedAt = performance.now();
		const before = process.memoryUsage();
		const { text, bytes } = await streamUntilRefused(headOf('Transfer-Encoding: chunked'), 10_000_000_000);
		const after = process.memoryUsage();
		expect(text).toMatch(/^HTTP\/1\.1 413 /);
		expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1);
		expect(text).toContain('"code":"PAYLOAD_TOO_LARGE"');
		expect(performance.now() - startedAt).toBeLessThan(patient(4_000));
		expect(bytes).toBeLessThan(10_000_000_000);
		expect(after.external + after.heapUsed - before.external - before.heapUsed).toBeLessThan(100_000_000);
	});

	it.each(['Connection: close', 'Connection: keep-alive'])(
		'a client that sends without pause can read the 413 (%s)',
		async (connection) => {
			const response = await rawRequest(
				gateway.port,
				`${headOf(connection, `Content-Length: ${tooMany}`)}${'x'.repeat(tooMany)}`,
			);
			expectFailure(response, 413, 'PAYLOAD_TOO_LARGE');
		},
	);

	describeWithPrograms(['curl'], 'curl', () => {
		it.each([
			['Expect:', 413],
			['Expect: 100-continue', 413],
		])('with %j receives %i', async (expectation, status) => {
			const body = 'x'.repeat(2_000_000);
			const call = run('curl', [
				'-sS',
				'-w',
				'\n%{http_code}',
				'-H',
				expectation,
				'-H',
				'Authorization: Bearer x',
				'--data-binary',
				'@-',
				`${gateway.url}/api/horses`,
			]);
			call.child.stdin?.on('error', () => undefined);
			call.child.stdin?.end(body);
			const { stdout } = await call;
			const [json = '', code] = stdout.split('\n');
			expect(Number(code)).toBe(status);
			expect(JSON.parse(json)).toMatchObject({ success: false, data: { code: 'PAYLOAD_TOO_LARGE' } });
		});
	});
});

describe('Expect: 100-continue', () => {
	it.each([
		['is too large', () => headOf('Expect: 100-continue', `Content-Length: ${tooMany}`), 413],
		[
			'comes without a token',
			() => headOf('Expect: 100-continue', 'Content-Length: 2').replace(/Bearer .*\r\n/, 'Bearer x\r\n'),
			401,
		],
		[
			'matches no route',
			() => headOf('Expect: 100-continue', 'Content-Length: 2').replace('/api/horses', '/nothing'),
			404,
		],
	])('no 100 Continue for a body that %s', async (_name, head, status) => {
		const response = await rawRequest(gateway.port, head());
		expect(response.text).not.toContain('100 Continue');
		expect(response.status).toBe(status);
	});

	it('one 100 Continue for an accepted body', async () => {
		const socket = connect(gateway.port, '127.0.0.1');
		socket.write(headOf('Expect: 100-continue', 'Content-Length: 7', 'Connection: close'));
		const [first] = await once(socket, 'data');
		expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
		socket.write('{"a":1}');
		let rest = '';
		for await (const chunk of socket) rest += chunk;
		expect(rest).toMatch(/^HTTP\/1\.1 200 /);
		expect(upstream.requests.at(-1)?.body).toBe('{"a":1}');
	});
});
