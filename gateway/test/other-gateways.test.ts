import { expect, test } from '@jest/globals';
import {
	eventually,
	neverRespond,
	patient,
	respondWithEnvelope,
	respondWithStatus,
	startStopwatch,
} from '@paddock/testing';
import { override } from './override-breakers.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();

/** A gateway that is registered at its address, beside gateways at `others`. */
async function start(
	others: readonly string[],
	settings: Record<string, string> = {},
): Promise<BenchGateway> {
	const upstream = await bench.upstream();
	let port = 0;
	const gateway = await bench.start({
		services: { 'horses-service': [upstream.url] },
		settings: { HEALTH_TIMEOUT_MS: '10000', ...settings },
		advertised: () => ({ id: `gateway-127.0.0.1-${port}`, address: '127.0.0.1', port }),
	});
	port = gateway.port;
	gateway.registry.set('gateway', [gateway.url, ...others]);
	return gateway;
}

interface GatewayList {
	self: object;
	others: { address: string; responds: boolean; breakers: { state: string; forced: boolean }[] }[];
	omitted: number;
}

async function list(gateway: BenchGateway, token?: string): Promise<GatewayList> {
	const sent = token === undefined ? {} : { token };
	const response = await gateway.send({ path: '/actuator/gateways', ...sent });
	expect(response.status).toBe(200);
	return response.json().data as unknown as GatewayList;
}

const hostOf = ({ url }: BenchGateway) => url.slice('http://'.length);

test('health says which gateway responds and names the others; the list has their views of the breakers', async () => {
	const other = await start([]);
	const gateway = await start([other.url]);
	await override(other, 'horses/open', { reason: 'its database is being moved' });
	const self = { id: `gateway-${hostOf(gateway).replace(':', '-')}`, address: hostOf(gateway) };
	const health = await gateway.send({ path: '/actuator/health/gateway' });
	expect(health.json().data).toMatchObject({ instance: self, otherGateways: [{ address: hostOf(other) }] });
	expect(await list(gateway)).toMatchObject({
		self,
		others: [
			{
				address: hostOf(other),
				responds: true,
				breakers: expect.arrayContaining([
					expect.objectContaining({ context: 'horses', state: 'OPEN', forced: true }),
				]),
			},
		],
		omitted: 0,
	});
});

test('two gateways that list each other do not query each other in a loop', async () => {
	const other = await start([]);
	const gateway = await start([other.url]);
	other.registry.set('gateway', [gateway.url, other.url]);
	const requestsOf = (at: BenchGateway) =>
		at.counted('gateway_requests_total', { route: '/actuator/breakers' });
	await list(gateway);
	await eventually('the request is counted', async () => (await requestsOf(other)) === 1);
	expect(await requestsOf(gateway)).toBe(0);
});

test('a gateway that does not respond delays the list by the timeout and no health', async () => {
	const frozen = await bench.upstream(neverRespond);
	const timeoutMs = 500;
	const gateway = await start([frozen.url, 'http://127.0.0.1:1'], { HEALTH_TIMEOUT_MS: String(timeoutMs) });
	const health = await gateway.send({ path: '/actuator/health' });
	expect(health.json().data['components']).toMatchObject({ gateway: { status: 'UP' } });
	expect(frozen.requests).toEqual([]);
	const elapsedMs = startStopwatch();
	const { others } = await list(gateway);
	expect(elapsedMs()).toBeLessThan(patient(3 * timeoutMs));
	expect(others).toMatchObject([
		{ responds: false, message: 'No response', breakers: [] },
		{ responds: false, message: 'No response', breakers: [] },
	]);
});

test('at most sixteen gateways are queried, once in five seconds for all callers', async () => {
	const other = await bench.upstream();
	const all = Array.from({ length: 20 }, (_, at) => `${other.url.replace('127.0.0.1', `127.0.0.${at + 1}`)}`);
	const gateway = await start(all);
	const lists = await Promise.all([list(gateway), list(gateway)]);
	expect(lists.map(({ others, omitted }) => [others.length, omitted])).toEqual([
		[16, 4],
		[16, 4],
	]);
	expect(other.requests.length).toBeLessThanOrEqual(16);
});

test('with HEALTH_DETAILS=authorized it needs an officer, whose token the other gateway verifies', async () => {
	const settings = { HEALTH_DETAILS: 'authorized' };
	const other = await bench.upstream();
	const gateway = await start([other.url], settings);
	const officer = gateway.identity.sign({ roles: ['FEDERATION_OFFICER'] });
	await list(gateway, officer);
	expect(other.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${officer}`);
	const refused = await gateway.send({ path: '/actuator/gateways', token: gateway.identity.sign() });
	expect(refused.status).toBe(403);
	const open = await start([other.url]);
	await list(open, open.identity.sign({ roles: ['ADMIN'] }));
	expect(other.requests.at(-1)?.headers).not.toHaveProperty('authorization');
});

// The result of the first caller was that of all callers for five seconds.
test.each([401, 403, 429])(
	'a token that another gateway refuses with %s is that of its caller only',
	async (status) => {
		const settings = { HEALTH_DETAILS: 'authorized' };
		let revoked = '';
		const other = await bench.upstream((req, res, body) => {
			if (req.headers.authorization === revoked) respondWithStatus(status)(req, res, body);
			else respondWithEnvelope(res, 200, { breakers: [] });
		});
		const gateway = await start([other.url], settings);
		const [first, second, third] = ['ADMIN', 'ADMIN', 'FEDERATION_OFFICER'].map((role) =>
			gateway.identity.sign({ roles: [role as 'ADMIN'] }),
		);
		revoked = `Bearer ${first}`;
		const seen = async (token: string | undefined) =>
			(await list(gateway, token)).others.map(({ responds }) => responds);
		// At the same time, and one after the other.
		expect(await Promise.all([seen(first), seen(second)])).toEqual([[false], [true]]);
		const before = other.requests.length;
		expect([await seen(third), await seen(second), await seen(first)]).toEqual([[true], [true], [true]]);
		expect(other.requests).toHaveLength(before);
	},
);

test('a token that another gateway refuses is not sent again for five seconds', async () => {
	const other = await bench.upstream(respondWithStatus(401));
	const gateway = await start([other.url], { HEALTH_DETAILS: 'authorized' });
	const tokens = [1, 2].map(() => gateway.identity.sign({ roles: ['ADMIN'] }));
	for (let time = 0; time < 5; time += 1)
		for (const token of tokens)
			expect(await list(gateway, token)).toMatchObject({ others: [{ responds: false }] });
	expect(other.requests).toHaveLength(new Set(tokens).size);
});
