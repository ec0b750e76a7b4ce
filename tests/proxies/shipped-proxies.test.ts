import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BaseDto } from '@paddock/contract';
import { describeWithPrograms, eventually, respondOk } from '@paddock/testing';
import { timedRequest } from '../resilience/timed-load.ts';
import { type GatewaysBehind, gatewaysBehind, type ProxiedResponse } from './gateways-behind.ts';
import type { ProxyName } from './shipped-proxy.ts';

const names: readonly ProxyName[] = ['haproxy', 'nginx'];
const path = '/api/horses';

for (const name of names) {
	describeWithPrograms([name, 'openssl'], `two gateways behind ${name} as shipped`, () => {
		let held: (() => void)[] | undefined;
		let behind: GatewaysBehind;

		beforeAll(async () => {
			behind = await gatewaysBehind(name, (req, res) => {
				if (held === undefined) respondOk(req, res);
				else held.push(() => respondOk(req, res));
			});
			await eventually('requests succeed', async () => (await get()).status === 200);
		}, 60_000);

		afterAll(() => behind?.close());

		const authorized = () => ({ Authorization: `Bearer ${behind.token}` });
		const get = (query = '', headers: Record<string, string> = {}): Promise<ProxiedResponse> =>
			behind.send({
				path: path + query,
				headers: { ...authorized(), ...headers },
				localAddress: '127.0.0.9',
			});
		const post = (body: unknown): Promise<ProxiedResponse> => {
			const headers = { ...authorized(), 'Content-Type': 'application/json' };
			return behind.send({ method: 'POST', path, headers }, JSON.stringify(body));
		};
		const received = (method: string) => behind.received().filter((request) => request.method === method);

		test('its configuration is accepted', () => behind.proxy.check());

		test('the service sees the address of the client, https and the host, whatever the client sends', async () => {
			const headers = {
				Host: 'paddock.example.org',
				'X-Forwarded-For': '203.0.113.1',
				'X-Forwarded-Proto': 'http',
				'X-Forwarded-Host': 'other.example.org',
				Forwarded: 'for=203.0.113.1',
			};
			expect((await get('', headers)).status).toBe(200);
			expect(received('GET').at(-1)?.headers).toMatchObject({
				'x-forwarded-for': '127.0.0.9',
				'x-forwarded-proto': 'https',
				'x-forwarded-host': 'paddock.example.org',
			});
		});

		test('each response over TLS has Strict-Transport-Security once, a refusal of the gateway as well', async () => {
			for (const target of ['', '/..//x%2f'])
				expect((await get(target)).headers['strict-transport-security']).toBe('max-age=31536000');
			const plain = await timedRequest({ port: behind.httpPort, path: '/docs' });
			expect(plain.headers).not.toHaveProperty('strict-transport-security');
		});

		test('http is redirected to https', async () => {
			const { status, headers } = await timedRequest({ port: behind.httpPort, path: '/docs?a=1' });
			expect(status).toBe(308);
			expect(headers.location).toMatch(/^https:\/\/127\.0\.0\.1(:\d+)?\/docs\?a=1$/);
		});

		test('the gateway sees paths as they are sent, and refuses ambiguous ones', async () => {
			expect(codeOf(await get('/..//x%2f'))).toBe('AMBIGUOUS_PATH');
		});

		test('each event of the health stream arrives at once', async () => {
			const stream = await behind.open({ path: '/actuator/health/stream' });
			let events = 0;
			stream.setEncoding('utf8').on('data', (text: string) => {
				events += text.split('event: health').length - 1;
			});
			await eventually('the first event', () => events === 1);
			await eventually('the second event', () => events === 2);
			stream.destroy();
		});

		test('bodies and headers up to the limits of the gateway arrive, and beyond them its errors', async () => {
			const notes = 'x'.repeat(100_000);
			expect((await post({ notes })).status).toBe(200);
			expect(JSON.parse(received('POST').at(-1)?.body ?? '')).toEqual({ notes });
			expect(codeOf(await post({ notes: notes.repeat(20) }))).toBe('PAYLOAD_TOO_LARGE');
			const value = 'x'.repeat(7_500);
			expect((await get(`?${value}`, { 'X-A': value })).status).toBe(200);
			expect(codeOf(await get(`?${value}${value}`))).toBe('URI_TOO_LONG');
			expect(codeOf(await get('', { 'X-A': value, 'X-B': value, 'X-C': value }))).toBe('HEADERS_TOO_LARGE');
		});

		test('a gateway is restarted: no request fails, none is repeated', async () => {
			const before = received('POST').length;
			const failures: string[] = [];
			let [running, sent] = [true, 0];
			const client = async (): Promise<void> => {
				while (running) {
					sent += 1;
					const responses = await Promise.all([get(), post({ sent })]);
					const failed = responses.filter(({ status }) => status !== 200);
					failures.push(...failed.map(({ status, body }) => `${status} ${body}`));
				}
			};
			const load = [client(), client()];
			expect(await behind.gateways[0]?.stop()).toBe(0);
			await behind.restart(0);
			await eventually('it gets requests again', () => isUsed(behind, 0));
			running = false;
			await Promise.all(load);
			expect(failures.slice(0, 3)).toEqual([]);
			expect(received('POST')).toHaveLength(before + sent);
		}, 60_000);

		test('a gateway is killed: its GET in flight succeeds at the other, its POST fails and is not repeated', async () => {
			held = [];
			const waiting = held;
			const before = received('POST').length;
			// The proxy sends each request to the gateway with fewer requests in flight.
			const inFlight: Promise<ProxiedResponse>[] = [];
			for (const send of [get, get, () => post({ first: 1 }), () => post({ second: 2 })]) {
				inFlight.push(send());
				await eventually('it is in flight', () => waiting.length === inFlight.length);
			}
			held = undefined;
			behind.gateways[0]?.child.kill('SIGKILL');
			for (const release of waiting) release();
			const [one, other, first, second] = await Promise.all(inFlight);
			expect([one?.status, other?.status]).toEqual([200, 200]);
			const failed = [first, second].filter((response) => response?.status !== 200);
			expect(failed).toHaveLength(1);
			expect(failed[0]).toMatchObject({ status: 502, body: expect.stringContaining('"UPSTREAM_ERROR"') });
			expect(received('POST')).toHaveLength(before + 2);
		});

		// nginx waits for proxy_read_timeout, which serves every method.
		if (name === 'haproxy')
			test('a gateway is paused: its GET succeeds at the other, its POST is carried out once, when it continues', async () => {
				await behind.restart(0);
				await eventually('the gateway gets requests again', async () => {
					await Promise.all([get(), get()]);
					return isUsed(behind, 0);
				});
				held = [];
				const waiting = held;
				const before = received('POST').length;
				const [paused] = behind.gateways;
				paused?.child.kill('SIGSTOP');
				// Both gateways get some of them: the proxy sends each to the gateway with fewer requests in flight.
				const inFlight = [get(), get(), get(), get(), post({ paused: 1 }), post({ paused: 2 })];
				await eventually('the running gateway has forwarded its part', () => waiting.length >= 2);
				held = undefined;
				for (const release of waiting) release();
				expect(waiting.length).toBeLessThan(inFlight.length);
				const startedMs = performance.now();
				const gets = await Promise.all(inFlight.slice(0, 4));
				expect(gets.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
				expect(performance.now() - startedMs).toBeLessThan(20_000);
				paused?.child.kill('SIGCONT');
				const posts = await Promise.all(inFlight.slice(4));
				expect(posts.map(({ status }) => status)).toEqual([200, 200]);
				expect(received('POST')).toHaveLength(before + 2);
			}, 60_000);

		test('without a gateway the response is an envelope with Retry-After', async () => {
			for (const gateway of behind.gateways) gateway.child.kill('SIGKILL');
			// Until they have exited, a request may still reach one of them.
			await Promise.all(behind.gateways.map((gateway) => gateway.stop()));
			const { status, headers, body } = await get();
			expect([502, 503]).toContain(status);
			expect(headers).toMatchObject({ 'content-type': 'application/json', 'retry-after': '1' });
			expect(JSON.parse(body)).toEqual({
				success: false,
				data: { code: expect.any(String), status, requestId: expect.stringMatching(/^[0-9a-f-]{32,36}$/) },
				message: expect.any(String),
				timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
			});
		});
	});
}

function codeOf({ body }: ProxiedResponse): unknown {
	return (JSON.parse(body) as BaseDto<{ code?: string }>).data.code;
}

function isUsed(behind: GatewaysBehind, index: number): boolean {
	return behind.gateways[index]?.stdout().includes(`"path":"${path}"`) === true;
}
