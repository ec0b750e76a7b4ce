import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { patient, recordingUpstream, type TestUpstream } from '@paddock/testing';
import { gatewayPages } from '../src/pages/gateway-pages.ts';
import { requestPipeline } from '../src/request-pipeline.ts';
import { expectFailure, readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

describe('load shedding by requests in flight', () => {
	const inFlightMax = 5;
	let gateway: TestGateway;
	let upstream: TestUpstream;
	let held: (() => void)[] = [];
	let onHeld: () => void = () => undefined;

	beforeAll(async () => {
		upstream = await recordingUpstream((_req, res) => {
			held.push(() => res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
			onHeld();
		});
		gateway = await startTestGateway({
			services: { 'ping-service': [upstream.url] },
			// The test holds requests for longer than the default timeout.
			settings: {
				CONTEXTS: 'auth,ping',
				IN_FLIGHT_MAX: String(inFlightMax),
				RESPONSE_TIMEOUT_MS: '60000',
				BREAKER_WINDOW_MS: '180000',
				DEADLINE_MS: '60000',
			},
		});
	});

	afterAll(async () => {
		await gateway.close();
		await upstream.close();
	});

	/** Sends IN_FLIGHT_MAX requests and waits until all are at the service. */
	async function fill(): Promise<Promise<Response>[]> {
		return filled(() => fetch(`${gateway.url}/api/ping`));
	}

	async function filled<Sent>(send: () => Sent): Promise<Sent[]> {
		held = [];
		const full = new Promise<void>((resolve) => {
			onHeld = () => held.length === inFlightMax && resolve();
		});
		const calls = Array.from({ length: inFlightMax }, send);
		await full;
		return calls;
	}

	it('above the limit: immediate 503 with Retry-After, except liveness and readiness; then requests succeed again', async () => {
		const calls = await fill();
		const startedAt = performance.now();
		const refused = await Promise.all(
			Array.from({ length: 20 }, async () => readResponse(await fetch(`${gateway.url}/api/ping`))),
		);
		expect(performance.now() - startedAt).toBeLessThan(patient(5_000));
		for (const response of refused) {
			expectFailure(response, 503, 'OVERLOADED');
			expect(response.headers['retry-after']).toBe('1');
		}
		expect((await fetch(`${gateway.url}/`)).status).toBe(503);
		for (const path of ['/actuator/prometheus', '/actuator/health', '/actuator/health/stream', '/nothing'])
			expectFailure(await readResponse(await fetch(gateway.url + path)), 503, 'OVERLOADED');
		for (const probe of ['liveness', 'readiness'])
			expect((await fetch(`${gateway.url}/actuator/health/${probe}`)).status).toBe(200);
		expect(held).toHaveLength(inFlightMax);
		for (const release of held) release();
		for (const call of calls) expect((await call).status).toBe(200);
		expect((await fetch(`${gateway.url}/`)).status).toBe(200);
		// Without the context, the service level objective would not count them.
		const metrics = await (await fetch(`${gateway.url}/actuator/prometheus`)).text();
		expect(metrics).toMatch(
			/^gateway_requests_total\{route="\/api\/ping",method="GET",status="503",context="ping"[^}]*\} 20$/m,
		);
	});

	it('disconnecting clients release their slots', async () => {
		const leaving = await filled(() => {
			const socket = connect(gateway.port, '127.0.0.1');
			socket.write('GET /api/ping HTTP/1.1\r\nHost: a\r\n\r\n');
			return socket;
		});
		for (const socket of leaving) socket.resetAndDestroy();
		const deadline = performance.now() + 10_000;
		let { status } = await fetch(`${gateway.url}/`);
		while (status !== 200 && performance.now() < deadline) ({ status } = await fetch(`${gateway.url}/`));
		expect(status).toBe(200);
	});
});

describe('load shedding by event-loop delay', () => {
	it('refuses requests only while the loop is delayed, except health', async () => {
		let delayMs = 0;
		const gateway = await startTestGateway({ settings: { EVENT_LOOP_DELAY_MAX_MS: '250' } });
		const { deps } = gateway.opened;
		const eventLoopDelay = { currentMs: () => delayMs, close: () => undefined };
		const app = requestPipeline({ ...deps, eventLoopDelay }, gatewayPages(deps));
		const server = createServer(app).listen(0, '127.0.0.1');
		try {
			await new Promise((resolve) => server.once('listening', resolve));
			const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
			const seen: number[] = [];
			for (const ms of [0, 250, 251, 5_000, 10]) {
				delayMs = ms;
				const response = await readResponse(await fetch(`${url}/`));
				if (response.status !== 200) expectFailure(response, 503, 'OVERLOADED');
				seen.push(response.status);
				expect((await fetch(`${url}/actuator/health/liveness`)).status).toBe(200);
			}
			expect(seen).toEqual([200, 200, 503, 503, 200]);
		} finally {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await gateway.close();
		}
	});
});
