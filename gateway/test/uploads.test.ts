import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { testBench } from './test-bench.ts';

const bench = testBench();
const mebibyte = 1024 * 1024;

describe('an upload', () => {
	test('of 30 MiB passes whole and as it comes', async () => {
		let received = 0;
		const url = await bench.serve(
			createServer((req, res) => {
				req.on('data', (chunk) => {
					received += chunk.length;
				});
				req.on('end', () => res.end(String(received)));
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
		outgoing.write(Buffer.alloc(mebibyte));
		await eventually('the first part is there before the rest is sent', () => received === mebibyte);
		for (let sentMiB = 1; sentMiB < 30; sentMiB += 1) outgoing.write(Buffer.alloc(mebibyte));
		outgoing.end();
		const [answer] = await once(outgoing, 'response');
		const chunks: Buffer[] = [];
		for await (const chunk of answer) chunks.push(chunk);
		expect(Buffer.concat(chunks).toString()).toBe(String(30 * mebibyte));
	});

	test('that takes longer than an answer may is not cut', async () => {
		const upstream = await bench.upstream();
		const gateway = await bench.gateway([upstream.url], { RESPONSE_TIMEOUT_MS: '150' });
		const outgoing = request({
			port: gateway.port,
			host: '127.0.0.1',
			method: 'POST',
			path: '/api/horses',
			headers: { Authorization: `Bearer ${gateway.identity.sign()}` },
			agent: false,
		});
		outgoing.write('{');
		await wait(400);
		outgoing.end('}');
		const [answer] = await once(outgoing, 'response');
		answer.resume();
		expect(answer.statusCode).toBe(200);
	});

	test('whose client leaves in the middle is broken off at the instance, never ended there', async () => {
		const seen = { ended: false, aborted: false, bytes: 0 };
		const url = await bench.serve(
			createServer((req) => {
				req.on('data', (chunk) => {
					seen.bytes += chunk.length;
				});
				req.on('end', () => {
					seen.ended = true;
				});
				req.on('error', () => {
					seen.aborted = true;
				});
			}),
		);
		const gateway = await bench.gateway([url]);
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		socket.write(
			`POST /api/horses HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n` +
				'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
		);
		await eventually('the first part is there', () => seen.bytes === 5);
		socket.destroy();
		await eventually('the instance has noticed', () => seen.aborted, 1_000);
		expect(seen.ended).toBe(false);
	});

	test('that grows too large is broken off at the instance, even where that has answered already', async () => {
		const seen = { ended: false, aborted: false };
		const url = await bench.serve(
			createServer((req, res) => {
				res.writeHead(200);
				res.write('so far so good');
				req.resume();
				req.on('end', () => {
					seen.ended = true;
				});
				req.on('error', () => {
					seen.aborted = true;
				});
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: '1024' });
		const socket = connect({ port: gateway.port, host: '127.0.0.1' });
		bench.closing(() => void socket.destroy());
		let received = '';
		let ended = false;
		socket.on('data', (chunk) => {
			received += chunk.toString();
		});
		socket.on('close', () => {
			ended = true;
		});
		socket.on('error', () => undefined);
		const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
		socket.write(
			`POST /api/horses HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\n` +
				`Transfer-Encoding: chunked\r\n\r\n${chunk}`,
		);
		await eventually('the answer has begun', () => received.includes('so far so good'));
		socket.write(`${chunk}0\r\n\r\n`);
		await eventually('the instance has noticed', () => seen.aborted, 2_000);
		expect(seen.ended).toBe(false);
		await eventually('the client has noticed', () => ended, 2_000);
		expect(received).not.toContain('\r\n0\r\n\r\n');
	});

	test('that is refused before its end gets the refusal', async () => {
		const url = await bench.serve(
			createServer((req, res) => {
				// As our own services do it: closing while the body still comes would reset the answer away.
				res.writeHead(403, { 'Content-Type': 'application/json', 'Content-Length': 17 });
				res.write('{"success":false}');
				req.resume().on('end', () => res.end());
			}),
		);
		const gateway = await bench.gateway([url], { BODY_BYTES_MAX: String(64 * mebibyte) });
		const sent = Array.from({ length: 64 }, () => 'x'.repeat(16_384));
		const answer = await gateway.send({ method: 'POST', path: '/api/horses', body: sent });
		expect(answer).toMatchObject({ status: 403, body: '{"success":false}', complete: true });
	});
});
