import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually, freePort, neverRespond, respondWithStatus } from '@paddock/testing';
import type { ReceivedResponse, SentRequest } from './send-request.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();

/** Number of active handles by type. */
function handles(): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
	return counts;
}

async function disconnect(gateway: BenchGateway, path: string): Promise<void> {
	const socket = connect({ port: gateway.port, host: '127.0.0.1' });
	socket.on('error', () => undefined);
	socket.write(
		`POST ${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${gateway.identity.sign()}\r\nContent-Length: 9\r\n\r\nhalf`,
	);
	await new Promise<void>((resolve) => {
		setTimeout(() => {
			socket.destroy();
			resolve();
		}, 5);
	});
}

test('2000 requests with all kinds of outcomes leak no timers, sockets or bulkhead slots', async () => {
	const fine = await bench.upstream();
	const failing = await bench.upstream(respondWithStatus(503));
	const hanging = await bench.upstream(neverRespond);
	const cutting = await bench.raw((socket) => {
		socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
		setTimeout(() => socket.resetAndDestroy(), 2);
	});
	const resetting = await bench.raw((socket) => void socket.resetAndDestroy());
	const refusing = `http://127.0.0.1:${await freePort()}`;
	const gateway = await bench.start({
		services: {
			'members-service': [fine.url, refusing, resetting.url],
			'horses-service': [hanging.url, cutting.url, failing.url, fine.url],
			'ping-service': [refusing],
		},
		settings: {
			RESPONSE_TIMEOUT_MS: '60',
			UPSTREAM_SOCKETS_MAX: '20',
			BREAKER_OPEN_MS: '100',
			BREAKER_VOLUME: '20',
		},
	});
	const responses: ReceivedResponse[] = [];
	const send = async (sent: SentRequest): Promise<void> => {
		responses.push(await gateway.send(sent));
	};
	const kinds: (() => Promise<void>)[] = [
		() => send({ path: '/api/members' }),
		() => send({ method: 'POST', path: '/api/members', body: '{"a":1}' }),
		() => send({ path: '/api/horses' }),
		() => send({ method: 'PUT', path: '/api/horses', body: ['{"a":', '1}'] }),
		() => send({ path: '/api/ping' }),
		() => send({ path: '/api/none' }),
		() => send({ path: '/api/members', token: 'none' }),
		() => disconnect(gateway, '/api/horses'),
		() => disconnect(gateway, '/api/members'),
		() =>
			send({
				method: 'POST',
				path: '/api/members',
				body: Array.from({ length: 20 }, () => 'x'.repeat(10_000)),
			}),
	];
	const run = async (count: number): Promise<void> => {
		for (let sent = 0; sent < count; sent += 50)
			await Promise.all(Array.from({ length: 50 }, (_, index) => kinds[(sent + index) % kinds.length]?.()));
		await eventually('nothing is in flight', () => gateway.inFlight() === 0, 3_000);
	};
	// Pooled connections and caches reach their size during the first requests.
	await run(500);
	await eventually('sockets have settled', () => (handles()['TCPSocketWrap'] ?? 0) < 150, 5_000);
	const before = handles();
	await run(1_500);
	await eventually(
		'no more timers and sockets than before',
		() => {
			const after = handles();
			return Object.entries(after).every(([kind, count]) => count <= (before[kind] ?? 0) + 20);
		},
		5_000,
	).catch((error: unknown) => {
		throw new Error(`${JSON.stringify(before)} has become ${JSON.stringify(handles())}`, { cause: error });
	});
	// All bulkhead slots are free: as many requests succeed concurrently.
	gateway.registry.set('members-service', [fine.url]);
	await eventually('40 concurrent requests succeed', async () => {
		const after = await Promise.all(Array.from({ length: 40 }, () => gateway.send({ path: '/api/members' })));
		return after.every(({ status }) => status === 200);
	});
	// Every response was an envelope.
	expect(responses.length).toBeGreaterThan(1_500);
	expect(
		responses.filter((response) => response.complete && !isEnvelope(response)).map(({ body }) => body),
	).toEqual([]);
	const statuses = new Set(responses.filter(({ complete }) => complete).map(({ status }) => status));
	expect([...statuses].filter((status) => ![200, 401, 404, 413, 502, 503, 504].includes(status))).toEqual([]);
	expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 404, 413, 502, 503]));
}, 60_000);

function isEnvelope({ body }: ReceivedResponse): boolean {
	return /^\{"success":(true|false),"data":\{.*\},"message":".*","timestamp":".*"\}$/.test(body);
}
