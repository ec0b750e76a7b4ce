import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { type HttpServer, listen } from './http-server.ts';

let server: HttpServer;

beforeEach(async () => {
	server = await listen({
		listener: (_req, res) => void res.end('done'),
		host: '127.0.0.1',
		port: 0,
		keepAliveTimeoutMs: 60_000,
		headersTimeoutMs: 60_000,
		requestTimeoutMs: 60_000,
		headerBytesMax: 16_384,
		now: () => new Date(),
	});
});
afterEach(() => server.close(1_000));

/** The `Connection` headers of responses received one after the other. */
async function connectionHeaders(agent: Agent, count: number): Promise<unknown[]> {
	const headers: unknown[] = [];
	for (let sent = 0; sent < count; sent += 1) {
		const [res] = (await once(get({ port: server.port, agent }), 'response')) as [IncomingMessage];
		headers.push(res.headers.connection);
		await once(res.resume(), 'end');
	}
	return headers;
}

describe('a server', () => {
	test('closes the given number of connections with their next responses', async () => {
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		expect(await connectionHeaders(agent, 1)).toEqual(['keep-alive']);
		server.closeNext(5);
		server.closeNext(2);
		expect(await connectionHeaders(agent, 4)).toEqual(['close', 'close', 'keep-alive', 'keep-alive']);
		agent.destroy();
	});

	test('counts its open connections, also those that have sent nothing', async () => {
		expect(server.connections()).toBe(0);
		const clients = [connect(server.port, '127.0.0.1'), connect(server.port, '127.0.0.1')];
		await eventually('both are accepted', () => server.connections() === 2);
		for (const client of clients) client.destroy();
		await eventually('both are closed', () => server.connections() === 0);
	});
});
