import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, freePort } from '@paddock/testing';
import { collectingLogger } from './collecting-logger.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

type Line = Record<string, unknown>;

let lines: Line[] = [];
let gateway: TestGateway;

beforeAll(async () => {
	gateway = await startTestGateway({
		services: { 'horses-service': [`http://127.0.0.1:${await freePort()}`] },
		settings: { CONTEXTS: 'auth,horses,ping', BREAKER_VOLUME: '1' },
		logger: collectingLogger('info', (line) => lines.push(JSON.parse(line))),
		accessSink: { write: (line) => lines.push(JSON.parse(line)) },
	});
});

afterAll(() => gateway.close());

/** The code of the response to a request, and the lines that it causes besides that of the access log. */
async function linesOf(path: string): Promise<{ code: string; caused: Line[] }> {
	lines = [];
	const headers = { Authorization: `Bearer ${gateway.identity.sign()}` };
	const response = await fetch(gateway.url + path, { headers });
	const { data } = (await response.json()) as { data: { code: string } };
	return {
		code: data.code,
		caused: lines.filter(({ message }) => message !== 'request' && message !== 'state changed'),
	};
}

// The stack of a failure of the network led nowhere; documented is that only `unexpected error` has one.
test('a breaker that opens, and the request that opened it, name the cause in one text', async () => {
	const { code, caused } = await linesOf('/api/horses');
	expect(code).toBe('UPSTREAM_ERROR');
	expect(caused.map(({ cause }) => cause)).toEqual([
		expect.stringMatching(/^upstream failure: unreachable: connect ECONNREFUSED/),
		expect.stringMatching(/^upstream failure: unreachable: connect ECONNREFUSED/),
	]);
});

// Each of thousands of refused requests was a line of the access log and a warning that repeated it.
test.each([
	['/api/horses', 'CIRCUIT_OPEN'],
	['/api/ping', 'SERVICE_UNAVAILABLE'],
])('%s, refused with %s, is in the access log only', async (path, expected) => {
	expect(await linesOf(path)).toEqual({ code: expected, caused: [] });
});

// The line of a closed breaker repeated why it had opened, and a refused connection was called an invalid response.
test('a refused connection is described as such, and a breaker that closes does not repeat why it had opened', async () => {
	const port = await freePort();
	const logged: Line[] = [];
	const recovering = await startTestGateway({
		services: { 'ping-service': [`http://127.0.0.1:${port}`] },
		settings: { CONTEXTS: 'auth,ping', BREAKER_VOLUME: '1', BREAKER_OPEN_MS: '1000' },
		logger: collectingLogger('info', (line) => logged.push(JSON.parse(line))),
	});
	const ping = () => fetch(`${recovering.url}/api/ping`);
	const { message } = (await (await ping()).json()) as { message: string };
	expect(message).toBe('The service cannot be reached.');
	const service = createServer((_req, res) => res.end()).listen(port, '127.0.0.1');
	try {
		await eventually('the service is called again', async () => (await ping()).status === 200);
		const changes = logged.filter((line) => line['message'] === 'circuit breaker');
		expect(changes.map(({ to, cause }) => [to, typeof cause])).toEqual([
			['OPEN', 'string'],
			['HALF_OPEN', 'undefined'],
			['CLOSED', 'undefined'],
		]);
	} finally {
		await recovering.close();
		service.close();
	}
});
