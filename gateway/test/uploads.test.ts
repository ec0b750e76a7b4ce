import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();
const mebibyte = 1024 * 1024;

describe('an upload', () => {
	test('of 30 MiB arrives complete, and is forwarded only when it is complete', async () => {
		let requests = 0;
		let received = 0;
		const url = await bench.serve(
			createServer((req, res) => {
				requests += 1;
				req.on('data', (chunk) => {
					received += chunk.length;
				});
				req.on('end', () => res.end(`${received} ${req.headers['content-length']}`));
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: String(64 * mebibyte) });
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			method: 'POST',
			path: '/api/horses',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		});
		for (let sentMiB = 0; sentMiB < 29; sentMiB += 1) outgoing.write(Buffer.alloc(mebibyte));
		const buffered = () => gateway.counted('gateway_request_body_buffer_bytes', {});
		await eventually('most of it is buffered', async () => (await buffered()) >= 29 * mebibyte);
		expect([requests, gateway.inFlight()]).toEqual([0, 0]);
		outgoing.end(Buffer.alloc(mebibyte));
		const [response] = await once(outgoing, 'response');
		const chunks: Buffer[] = [];
		for await (const chunk of response) chunks.push(chunk);
		expect(Buffer.concat(chunks).toString()).toBe(`${30 * mebibyte} ${30 * mebibyte}`);
	});

	test('that takes longer than the response timeout is not aborted', async () => {
		const upstream = await bench.upstream();
		const times = { RESPONSE_TIMEOUT_MS: '1000', DEADLINE_MS: '1000' };
		const gateway = await bench.gateway([upstream.url], times);
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			method: 'POST',
			path: '/api/horses',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		});
		outgoing.write('{');
		const longAfter = performance.now() + 1_200;
		await eventually('both timeouts have elapsed', () => performance.now() >= longAfter);
		outgoing.end('}');
		const [response] = await once(outgoing, 'response');
		response.resume();
		expect(response.statusCode).toBe(200);
	});

	test('whose client disconnects during the body is never forwarded', async () => {
		const upstream = await bench.upstream();
		const lines: string[] = [];
		const gateway = await bench.start({
			services: { 'horses-service': [upstream.url] },
			accessSink: { write: (line) => void lines.push(line) },
		});
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		socket.write(
			`POST /api/horses HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n` +
				'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
		);
		const buffered = () => gateway.counted('gateway_request_body_buffer_bytes', {});
		await eventually('the first part is buffered', async () => (await buffered()) === 5);
		socket.resetAndDestroy();
		await eventually('the request is logged', () => lines.length === 1);
		expect(JSON.parse(lines[0] ?? '')).toMatchObject({ status: 499 });
		expect([upstream.connections(), await buffered()]).toEqual([0, 0]);
	});

	test('that exceeds the limit in chunks is never forwarded', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], { BODY_BYTES_MAX: '1024' });
		const body = ['x'.repeat(1_024), 'x'];
		const response = await gateway.send({ method: 'POST', path: '/api/horses', body });
		expect(response.status).toBe(413);
		expect(response.json()).toMatchObject({ data: { code: 'PAYLOAD_TOO_LARGE', bytesMax: 1_024 } });
		expect(upstream.connections()).toBe(0);
	});

	test('that the instance refuses before its end gets the refusal', async () => {
		const url = await bench.serve(
			createServer((req, res) => {
				// Like our services: closing the connection during the body could reset it before the response is read.
				res.writeHead(403, { 'Content-Type': 'application/json', 'Content-Length': 17 });
				res.write('{"success":false}');
				req.resume().on('end', () => res.end());
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: String(64 * mebibyte) });
		const sent = Array.from({ length: 64 }, () => 'x'.repeat(16_384));
		const response = await gateway.send({ method: 'POST', path: '/api/horses', body: sent });
		expect(response).toMatchObject({ status: 403, body: '{"success":false}', complete: true });
	});
});
