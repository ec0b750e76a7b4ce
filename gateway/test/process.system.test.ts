import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
	eventually,
	freePorts,
	patient,
	rawRequest,
	recordingUpstream,
	type TestUpstream,
} from '@paddock/testing';
import { expectFailure, readResponse } from './expect-failure.ts';
import { type GatewayProcess, startGatewayProcess } from './gateway-process.ts';

describe('a gateway with unusable settings', () => {
	it('exits and lists every violation', async () => {
		const gateway = await startGatewayProcess({
			PORT: '-1',
			CONTEXTS: 'nobody',
			TRUSTED_PROXIES: '10.0.0.0/99',
			CORS_ORIGINS: '*',
		});
		expect(gateway.port).toBeUndefined();
		expect(gateway.child.exitCode).toBe(1);
		for (const name of ['PORT', 'CONTEXTS', 'TRUSTED_PROXIES', 'CORS_ORIGINS'])
			expect(gateway.stderr()).toContain(`  ${name}: `);
		expect(gateway.stderr()).not.toContain('    at ');
	});
});

describe('a gateway in production', () => {
	const [ofPages, ofDetails] = ['operations pages are on the public port', 'health details are public'];
	it.each<[Record<string, string>, string[]]>([
		[{}, [ofPages, ofDetails]],
		[{ HEALTH_DETAILS: 'authorized' }, [ofPages]],
		[{ OPS_PORT: '0' }, []],
		[{ NODE_ENV: 'test' }, []],
	])('with %j warns: %j', async (settings, expected) => {
		const gateway = await startGatewayProcess({
			...{ NODE_ENV: 'production', HOST: '127.0.0.1', CONTEXTS: 'ping' },
			SERVICE_INSTANCES: 'ping-service=http://127.0.0.1:9',
			...settings,
		});
		try {
			expect(gateway.port).toBeDefined();
			expect([ofPages, ofDetails].filter((text) => gateway.stdout().includes(`"${text}"`))).toEqual(expected);
		} finally {
			gateway.child.kill('SIGKILL');
		}
	});
});

describe('a gateway as a process', () => {
	let upstream: TestUpstream;
	let gateway: GatewayProcess;
	let url: string;
	let operationsUrl: string;

	beforeAll(async () => {
		upstream = await recordingUpstream();
		const [operationsPort = 0] = await freePorts(1);
		operationsUrl = `http://127.0.0.1:${operationsPort}`;
		gateway = await startGatewayProcess({
			SERVICE_INSTANCES: `ping-service=${upstream.url}`,
			OPS_PORT: String(operationsPort),
			CONTEXTS: 'auth,ping',
			RATE_LIMIT_ANONYMOUS: '0',
		});
		url = `http://127.0.0.1:${gateway.port}`;
	});

	afterAll(async () => {
		gateway.child.kill('SIGKILL');
		await upstream.close();
	});

	it.each([
		'/actuator/health',
		'/actuator/health/liveness',
		'/actuator/health/stream',
		'/actuator/prometheus',
		'/actuator/breakers',
		'/actuator',
	])('%s is only on OPS_PORT', async (path) => {
		expectFailure(await readResponse(await fetch(url + path)), 404, 'ROUTE_NOT_FOUND');
	});

	it('OPS_PORT has only the operations pages and a page that links to them', async () => {
		expect((await fetch(`${operationsUrl}/`)).status).toBe(200);
		expect((await fetch(`${operationsUrl}/actuator/health/liveness`)).status).toBe(200);
		expect((await fetch(`${operationsUrl}/actuator/prometheus`)).status).toBe(200);
		for (const path of ['/docs', '/openapi.yaml', '/api/ping', '/auth/login', '/.well-known/jwks.json']) {
			expectFailure(await readResponse(await fetch(operationsUrl + path)), 404, 'ROUTE_NOT_FOUND');
		}
		expectFailure(
			await readResponse(await fetch(`${operationsUrl}/actuator//health`)),
			400,
			'AMBIGUOUS_PATH',
		);
		expectFailure(
			await rawRequest(Number(new URL(operationsUrl).port), 'BREW / HTTP/1.1\r\n\r\n'),
			400,
			'MALFORMED_REQUEST',
		);
	});

	it('OPS_PORT has no rate limits, and its scrape targets and details need no token', async () => {
		const [operationsPort = 0] = await freePorts(1);
		const limited = await startGatewayProcess({
			SERVICE_INSTANCES: `ping-service=${upstream.url}`,
			CONTEXTS: 'ping',
			OPS_PORT: String(operationsPort),
			HEALTH_DETAILS: 'authorized',
			RATE_LIMIT_ANONYMOUS: '1',
			HEALTH_LISTENERS_PER_CLIENT_MAX: '1',
			IN_FLIGHT_MAX: '1',
		});
		const leaving = new AbortController();
		try {
			const at = `http://127.0.0.1:${operationsPort}/actuator`;
			const pages = ['/health', '/prometheus', '/prometheus/targets', '/info', '/metrics', '/nothing'];
			for (let round = 0; round < 2; round += 1) {
				const statuses = await Promise.all(pages.map(async (page) => (await fetch(at + page)).status));
				expect(statuses).toEqual([200, 200, 200, 200, 200, 404]);
			}
			const streams = [1, 2, 3].map(() => fetch(`${at}/health/stream`, { signal: leaving.signal }));
			for (const stream of await Promise.all(streams)) expect(stream.status).toBe(200);
			const targets = JSON.stringify(await (await fetch(`${at}/prometheus/targets`)).json());
			expect(targets).toContain(new URL(upstream.url).host);
			expect((await (await fetch(`${at}/health/ping`)).text()).includes('instances')).toBe(true);
			const portal = `http://127.0.0.1:${limited.port}/`;
			expect([(await fetch(portal)).status, (await fetch(portal)).status]).toEqual([200, 429]);
		} finally {
			leaving.abort();
			limited.child.kill('SIGKILL');
		}
	});

	async function resources(): Promise<number> {
		const text = await (await fetch(`${operationsUrl}/actuator/prometheus`)).text();
		const counts = [...text.matchAll(/^nodejs_active_resources\{[^}]*\} (\d+)/gm)].map(([, count]) =>
			Number(count),
		);
		expect(counts.length).toBeGreaterThan(0);
		return counts.reduce((sum, count) => sum + count, 0);
	}

	it('leaks no socket, timer or listener', async () => {
		const port = gateway.port ?? 0;
		const head = (line: string, ...headers: string[]) =>
			`${[line, 'Host: a', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
		const hostile = [
			head('GET /api/ping HTTP/1.1', 'Trailer: x'),
			head('GET /a//b HTTP/1.1'),
			head('CONNECT a:1 HTTP/1.1'),
			head('GET / HTTP/1.1', 'Upgrade: websocket'),
			head('POST /api/ping HTTP/1.1', 'Content-Length: 900000'),
			head('POST /auth/login HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 2'),
			head('POST /auth/login HTTP/1.1', 'Transfer-Encoding: chunked').concat('ZZ\r\n'),
			'BREW\r\n\r\n',
		];
		const round = async () => {
			await Promise.all(hostile.map((bytes) => rawRequest(port, bytes, 2_000)));
			for (let at = 0; at < 100; at += 1) await (await fetch(`${url}/api/ping`)).text();
		};
		await round();
		const before = await resources();
		for (let at = 0; at < 2; at += 1) await round();
		const deadline = performance.now() + 4_000;
		while ((await resources()) > before + 2 && performance.now() < deadline)
			await new Promise((resolve) => setTimeout(resolve, 50));
		expect(await resources()).toBeLessThanOrEqual(before + 2);
		expect(gateway.stderr()).toBe('');
		expect(gateway.stdout()).not.toMatch(/uncaught exception|unhandled rejection|unexpected error/);
	});

	it('exits with 0 on SIGTERM, without warnings, and does not wait for health stream listeners', async () => {
		const stream = await fetch(`${operationsUrl}/actuator/health/stream`);
		const listened = stream.text();
		const startedAt = performance.now();
		expect(await gateway.stop()).toBe(0);
		expect(performance.now() - startedAt).toBeLessThan(patient(3_000));
		expect((await listened).endsWith('event: bye\ndata: {}\n\n')).toBe(true);
		expect(gateway.stderr()).toBe('');
		expect(gateway.stdout()).toContain('"message":"stopped"');
	});
});

describe('a gateway after an uncaught exception', () => {
	const bug = `process.on('SIGUSR2', () => { throw new Error('a bug outside'); });`;
	const isRefused = (port: number): Promise<boolean> =>
		new Promise((resolve) => {
			const socket = connect(port, '127.0.0.1', () => {
				socket.destroy();
				resolve(false);
			});
			socket.on('error', () => resolve(true));
		});

	it('closes both ports at once, serves the requests in flight and exits with 1', async () => {
		const held: (() => void)[] = [];
		const upstream = await recordingUpstream((_req, res) => {
			held.push(() => res.end('served'));
		});
		const [operationsPort = 0] = await freePorts(1);
		const gateway = await startGatewayProcess({
			SERVICE_INSTANCES: `ping-service=${upstream.url}`,
			CONTEXTS: 'ping',
			OPS_PORT: String(operationsPort),
			// The process exits when no request is in flight; the ping service tests the limit.
			DRAIN_MS: '30000',
			SHUTDOWN_TIMEOUT_MS: '60000',
			NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(bug)}`,
		});
		try {
			const port = gateway.port ?? 0;
			const served = fetch(`http://127.0.0.1:${port}/api/ping`);
			await eventually('the request is in flight', () => held.length === 1);
			expect([await isRefused(port), await isRefused(operationsPort)]).toEqual([false, false]);
			const ended = once(gateway.child, 'exit');
			gateway.child.kill('SIGUSR2');
			for (const closed of [port, operationsPort])
				await eventually('the port is closed', () => isRefused(closed));
			expect(gateway.child.exitCode).toBeNull();
			held[0]?.();
			expect(await (await served).text()).toBe('served');
			expect((await ended)[0]).toBe(1);
			expect(gateway.stdout()).toContain('a bug outside');
		} finally {
			gateway.child.kill('SIGKILL');
			await upstream.close();
		}
	}, 30_000);
});

describe('the access log of a stopping process', () => {
	it.each(['SIGTERM', 'a second signal'])('has a line for every completed request (%s)', async (how) => {
		const upstream = await recordingUpstream();
		const gateway = await startGatewayProcess({
			SERVICE_INSTANCES: `ping-service=${upstream.url}`,
			CONTEXTS: 'ping',
			RATE_LIMIT_ANONYMOUS: '0',
			// Long enough for a second signal during the shutdown.
			DRAIN_MS: how === 'SIGTERM' ? '0' : '30000',
		});
		try {
			const url = `http://127.0.0.1:${gateway.port}/api/ping`;
			const ids = Array.from({ length: 50 }, (_, at) => `line-${at}`);
			const sendOne = (id: string) => fetch(url, { headers: { 'X-Request-Id': id } });
			// Sequentially: the lines of the last requests are still buffered when the signal arrives.
			const send = async (): Promise<void> => {
				for (const id of ids) await sendOne(id);
			};
			if (how === 'SIGTERM') {
				await send();
				expect(await gateway.stop()).toBe(0);
			} else {
				gateway.child.kill('SIGTERM');
				// Signals within the first second count as one.
				const at = performance.now() + 1_200;
				await eventually('a signal counts as the second', () => performance.now() > at);
				await send();
				expect(await gateway.stop()).toBe(1);
			}
			const logged = () => new Set(gateway.stdout().match(/"requestId":"line-\d+"/g));
			await eventually('all lines are written', () => logged().size === ids.length, 2_000);
		} finally {
			gateway.child.kill('SIGKILL');
			await upstream.close();
		}
	});
});
