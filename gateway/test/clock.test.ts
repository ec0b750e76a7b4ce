import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { recordingUpstream, type TestUpstream } from '@paddock/testing';
import { readResponse } from './expect-failure.ts';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

const dayMs = 86_400_000;
const openMs = 30_000;
const realNow = Date.now;
/** What the wall clock of the process is set to, relative to the time; the monotonic one can't be set. */
let setMs = 0;
let failing: TestUpstream;
let working: TestUpstream;
let gateway: TestGateway;

beforeAll(async () => {
	failing = await recordingUpstream((_req, res) => res.writeHead(502).end());
	working = await recordingUpstream();
	Date.now = () => realNow() + setMs;
});
afterAll(async () => {
	Date.now = realNow;
	await failing.close();
	await working.close();
});
beforeEach(async () => {
	setMs = 0;
	gateway = await startTestGateway({
		services: { 'masterdata-service': [failing.url], 'ping-service': [working.url] },
		settings: {
			CONTEXTS: 'auth,masterdata,ping',
			RATE_LIMIT_ANONYMOUS: '30',
			BREAKER_OPEN_MS: String(openMs),
			RESPONSE_CACHE_BYTES: '0',
		},
		now: () => new Date(Date.now()),
	});
});
afterEach(() => gateway.close());

const call = async (path: string) => readResponse(await fetch(gateway.url + path));

/** Calls until this status. @returns its wait in seconds */
async function waitAfter(path: string, status: number): Promise<number> {
	for (let sent = 0; sent < 40; sent += 1) {
		const response = await call(path);
		if (response.status === status) return Number(response.headers['retry-after']);
	}
	throw new Error(`no ${status}`);
}

// After the clock was a day ahead and set back, clients were told to wait for 86,460 s.
describe.each([
	['a day ahead and set back', dayMs, 0],
	['set a day ahead', 0, dayMs],
	['half a minute ahead and set back', 30_000, 0],
	['set half a minute ahead', 0, 30_000],
])('a clock that was %s changes no wait', (_how, beforeMs, afterMs) => {
	const expectWaits = (waits: readonly number[], maxS: number): void => {
		for (const wait of waits) {
			expect(wait).toBeLessThanOrEqual(maxS);
			// A busy machine may need some seconds.
			expect(wait).toBeGreaterThan(maxS - 15);
		}
	};

	test('of a rate limit', async () => {
		setMs = beforeMs;
		const first = await waitAfter('/api/ping', 429);
		setMs = afterMs;
		const { status, headers } = await call('/api/ping');
		expect(status).toBe(429);
		expectWaits([first, Number(headers['retry-after']), Number(headers['ratelimit-reset'])], 60);
	});

	test('for an open breaker', async () => {
		const path = '/api/masterdata/venues';
		setMs = beforeMs;
		const first = await waitAfter(path, 503);
		setMs = afterMs;
		const { status, headers } = await call(path);
		expect(status).toBe(503);
		expectWaits([first, Number(headers['retry-after'])], openMs / 1_000);
		const [upstream] = gateway.opened.deps.table.upstreams('masterdata-service');
		const nextTryAt = upstream?.breaker.view().nextTryAt?.getTime() ?? 0;
		expectWaits([(nextTryAt - Date.now()) / 1_000], openMs / 1_000);
	});

	test('for a breaker that is forced open', async () => {
		setMs = beforeMs;
		const at = new Date(Date.now());
		const until = new Date(Date.now() + 600_000);
		const { overrides } = gateway.opened.deps.operations;
		await overrides.set(
			{ context: 'ping' },
			{ state: 'OPEN', reason: 'maintenance', by: 'me', byName: 'Anna Huber', at, until },
		);
		const first = await waitAfter('/api/ping', 503);
		setMs = afterMs;
		const { status, headers } = await call('/api/ping');
		expect(status).toBe(503);
		expectWaits([first, Number(headers['retry-after'])], 600);
	});
});
