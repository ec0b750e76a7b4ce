import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { eventually, patient } from '@paddock/testing';
import { connectionBench, type Reached, request, respond, responses, statuses } from './connection-bench.ts';

const bench = connectionBench();

describe('an announced end', () => {
	// The header used to be decided when the request arrived; the client then wrote its next request into a closed connection.
	test('is in the response of a request that arrived before it', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(`${request('POST /a', 'Content-Length: 3')}one${request('GET /b')}`);
		await eventually('it is reached', () => bench.reached.length === 1);
		bench.server.announceClose();
		respond(bench.reached[0]);
		await eventually('the connection is closed', () => seen.closed);
		expect(responses(seen.text)).toEqual(['response to POST /a']);
		expect(seen.text).toContain('Connection: close');
		expect(bench.reached).toHaveLength(1);
	});

	test('is in a head that is written as a list', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /a'));
		await eventually('it is reached', () => bench.reached.length === 1);
		bench.server.announceClose();
		bench.reached[0]?.res.writeHead(200, ['Content-Length', '2', 'X-A', 'b']).end('ok');
		await eventually('the connection is closed', () => seen.closed);
		expect(seen.text).toMatch(/^HTTP.*\r\n(?:.*\r\n)*Connection: close\r\n/);
		expect(seen.text).toContain('\r\nX-A: b\r\n');
	});

	test('after the head: the connection serves the next request, as the head said', async () => {
		bench.atOnce = false;
		const { seen, send } = bench.open();
		send(request('GET /a'));
		await eventually('it is reached', () => bench.reached.length === 1);
		const { res } = bench.reached[0] as Reached;
		res.setHeader('Content-Length', 2);
		res.write('o');
		await eventually('the head has arrived', () => seen.text.includes('keep-alive'));
		bench.server.announceClose();
		const closed = bench.server.close(5_000);
		res.end('k');
		await eventually('the response is whole', () => seen.text.endsWith('ok'));
		bench.atOnce = true;
		send(`${request('POST /b', 'Content-Length: 3')}two`);
		await closed;
		await eventually('the connection is closed', () => seen.closed);
		expect(statuses(seen.text)).toEqual([200, 200]);
		expect(responses(seen.text)).toEqual(['response to POST /b']);
	});
});

describe('a server that closes', () => {
	// The kernel resets connections that have not been accepted when a listening socket closes: their requests were lost.
	test.each([
		['one connection for each', () => new Agent({ keepAlive: false, maxSockets: 16 })],
		['kept-alive connections', () => new Agent({ keepAlive: true, maxSockets: 16 })],
	])('loses no request of clients that go on for a while: %s', async (_name, openAgent) => {
		const agent = openAgent();
		let sending = true;
		const results: string[] = [];
		const client = async (): Promise<void> => {
			while (sending) results.push(await post(agent, bench.port));
		};
		const clients = Array.from({ length: 16 }, client);
		await eventually('requests are served', () => results.length > 100);
		bench.server.announceClose();
		const closed = bench.server.close(patient(10_000));
		const before = results.length;
		await eventually('requests are served while it closes', () => results.length > before + 100);
		sending = false;
		await Promise.all(clients);
		await closed;
		expect(new Set(results)).toEqual(new Set(['200']));
		agent.destroy();
	});

	test('serves the connections that the kernel has queued', async () => {
		const sockets = Array.from({ length: 50 }, () => connect(bench.port, '127.0.0.1'));
		const texts = sockets.map((socket) => {
			const seen = { text: '' };
			socket.on('data', (chunk) => {
				seen.text += String(chunk);
			});
			socket.on('error', () => undefined);
			socket.write(`${request('POST /a', 'Content-Length: 3', 'Connection: close')}one`);
			return seen;
		});
		await Promise.all(sockets.map((socket) => once(socket, 'connect')));
		bench.server.announceClose();
		await bench.server.close(5_000);
		await eventually('all have ended', () => sockets.every(({ closed }) => closed));
		expect(texts.filter(({ text }) => text.startsWith('HTTP/1.1 200 '))).toHaveLength(50);
	});

	test('does not wait for clients that never stop, nor for idle ones', async () => {
		const idle = [bench.open(), bench.open()];
		idle[0]?.send(request('GET /a'));
		await eventually('it has its response', () => idle[0]?.seen.text !== '');
		const agent = new Agent({ keepAlive: false, maxSockets: 4 });
		let sending = true;
		const clients = Array.from({ length: 4 }, async () => {
			while (sending) await post(agent, bench.port);
		});
		bench.server.announceClose();
		const startedAt = performance.now();
		await bench.server.close(60_000);
		expect(performance.now() - startedAt).toBeLessThan(patient(20_000));
		await eventually('all are closed', () => idle.every(({ seen }) => seen.closed));
		sending = false;
		await Promise.all(clients);
		agent.destroy();
	}, 60_000);
});

/** @returns the status, or the code of the error */
async function post(agent: Agent, port: number): Promise<string> {
	const sent = httpRequest({ method: 'POST', port, host: '127.0.0.1', agent, path: '/a' });
	try {
		sent.end('one');
		const [res] = (await once(sent, 'response')) as [IncomingMessage];
		res.resume();
		await once(res, 'end');
		return String(res.statusCode);
	} catch (error) {
		return String(error instanceof Error && 'code' in error ? error.code : error);
	}
}
