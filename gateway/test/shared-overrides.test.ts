import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openConsulRegistry, type Registry } from '@paddock/discovery';
import { silentLogger } from '@paddock/telemetry';
import {
	type ConsulAgent,
	describeWithConsul,
	describeWithRedis,
	eventually,
	type RedisServer,
	startConsulAgent,
	startRedisServer,
	type TestUpstream,
} from '@paddock/testing';
import { expectRefusal, override, administratorId as userId } from './override-breakers.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();
const path = '/api/horses';
const reason = 'its database is being moved';
let upstream: TestUpstream;

beforeEach(async () => {
	upstream = await bench.upstream();
});

function start(more: Parameters<typeof bench.start>[0]): Promise<BenchGateway> {
	const services = { 'horses-service': [upstream.url], 'members-service': [upstream.url] };
	return bench.start({ services, ...more });
}

const isForced = async (gateway: BenchGateway) => (await gateway.send({ path })).status === 503;
const list = async (gateway: BenchGateway) => {
	const { data } = (await gateway.send({ path: '/actuator/breakers' })).json();
	return data as { stale: boolean; orders: object[] };
};

describeWithConsul('overrides of breakers in Consul', () => {
	let consul: ConsulAgent;

	beforeEach(async () => {
		consul = await startConsulAgent();
		bench.closing(consul.kill);
	});

	function sharedValues(): NonNullable<Registry['sharedValues']> {
		const registry = openConsulRegistry({
			address: consul.address,
			logger: silentLogger(),
			now: () => new Date(),
			settings: { backoffMinMs: 50, backoffMaxMs: 300, callTimeoutMs: 1_000, waitMs: 5_000 },
		});
		bench.closing(registry.close);
		return registry.sharedValues as NonNullable<Registry['sharedValues']>;
	}

	const startOne = () => start({ sharedValues: sharedValues() });

	test('apply at every gateway, also at one that starts later, until they are removed', async () => {
		const [one, other] = [await startOne(), await startOne()];
		const response = await override(one, 'horses/open', { reason, expiresInSeconds: 600 });
		expect(response.json()).toMatchObject({ data: { storedIn: 'consul', stale: false } });
		await eventually('the other gateway forces it', () => isForced(other), 3_000);
		expect(await list(other)).toMatchObject({
			storedIn: 'consul',
			breakers: expect.arrayContaining([
				expect.objectContaining({
					context: 'horses',
					forced: expect.objectContaining({ reason, by: userId, byName: 'Anna Huber' }),
				}),
			]),
			orders: [{ target: { context: 'horses' }, state: 'OPEN', reason, by: userId }],
		});
		const restarted = await startOne();
		expect(await isForced(restarted)).toBe(true);
		expect((await override(restarted, 'horses/auto', { reason: 'moved' })).status).toBe(200);
		for (const gateway of [one, other])
			await eventually('it is removed', async () => !(await isForced(gateway)), 3_000);
		const history = await other.send({ path: '/actuator/health/history' });
		expect(history.json().data).toMatchObject({
			items: [
				{ from: 'FORCED_OPEN', to: 'AUTO', cause: 'moved (by Anna Huber)' },
				{ from: 'AUTO', to: 'FORCED_OPEN' },
			],
		});
	});

	test('expire at every gateway, also while Consul is lost; they stay until then, and none can be changed', async () => {
		const [one, other] = [await startOne(), await startOne()];
		await override(one, 'horses/open', { reason, expiresInSeconds: 3 });
		await eventually('the other gateway forces it', () => isForced(other), 3_000);
		await consul.kill();
		await eventually('the loss is noticed', async () => (await list(other)).stale);
		expect([await isForced(one), await isForced(other)]).toEqual([true, true]);
		for (const action of ['horses/auto', 'members/open']) {
			const refused = await override(one, action, { reason });
			expect(refused.status).toBe(503);
			expectRefusal(refused, 'SERVICE_UNAVAILABLE');
		}
		expect((await one.send({ path: '/api/members' })).status).toBe(200);
		for (const gateway of [one, other])
			await eventually('it expires', async () => !(await isForced(gateway)), 4_000);
	});

	test('survive a restart of Consul without its data at the gateways that run and at one that starts then', async () => {
		const [one, other] = [await startOne(), await startOne()];
		await override(one, 'horses/open', { reason });
		await eventually('the other gateway forces it', () => isForced(other), 3_000);
		await consul.restart();
		const third = await startOne();
		await eventually('the new gateway forces it', () => isForced(third), 10_000);
		await eventually('both follow again', async () =>
			(await Promise.all([list(one), list(other)])).every(({ stale }) => !stale),
		);
		expect([await isForced(one), await isForced(other)]).toEqual([true, true]);
		expect((await override(other, 'horses/auto', { reason })).status).toBe(200);
		for (const gateway of [one, third])
			await eventually('it is removed', async () => !(await isForced(gateway)), 10_000);
	});

	test('of different contexts, set at the same time at two gateways, are all stored', async () => {
		const [one, other] = [await startOne(), await startOne()];
		const responses = await Promise.all([
			override(one, 'horses/open', { reason }),
			override(other, 'members/open', { reason }),
			override(one, 'auth/close', { reason }),
		]);
		expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
		for (const gateway of [one, other])
			await eventually('all are known', async () => (await list(gateway)).orders.length === 3, 3_000);
	});

	test('are not replaced by an administrator who could not see them yet: 409, and then they are listed', async () => {
		const one = await startOne();
		const read = sharedValues();
		const uninformed = await start({ sharedValues: (key) => ({ ...read(key), follow: async () => {} }) });
		await override(one, 'horses/open', { reason });
		const refused = await override(uninformed, 'horses/close', { reason: 'a test' });
		expect(refused.status).toBe(409);
		expectRefusal(refused, 'CONFLICT');
		expect((await list(uninformed)).orders).toMatchObject([{ state: 'OPEN', reason }]);
		expect((await override(uninformed, 'horses/close', { reason: 'a test' })).status).toBe(200);
		await eventually('the first gateway follows', async () => !(await isForced(one)), 3_000);
	});

	test('stay if the stored value is not readable, and replace it', async () => {
		const one = await startOne();
		await override(one, 'horses/open', { reason });
		const key = `http://${consul.address}/v1/kv/paddock/breaker-overrides/horses`;
		await fetch(key, { method: 'PUT', body: '{"state":"OPEN"}' });
		const restarted = await startOne();
		expect([await isForced(one), await isForced(restarted)]).toEqual([true, false]);
		expect((await override(one, 'horses/open', { reason })).status).toBe(200);
		await eventually('the override is readable', () => isForced(restarted), 3_000);
	});
});

describeWithRedis('overrides of breakers in Redis', () => {
	let redis: RedisServer;

	beforeEach(async () => {
		redis = await startRedisServer();
		bench.closing(redis.kill);
	});

	const startOne = () => start({ settings: { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '1000' } });

	test('apply at every gateway, survive restarts of a gateway and of Redis, and are removed everywhere', async () => {
		const [one, other] = [await startOne(), await startOne()];
		const response = await override(one, 'horses/open', { reason });
		expect(response.json()).toMatchObject({ data: { storedIn: 'redis', stale: false } });
		await eventually('the other gateway forces it', () => isForced(other), 1_500);
		await redis.kill();
		await eventually('the loss is noticed', async () => (await list(other)).stale);
		const refused = await override(one, 'horses/auto', { reason });
		expect(refused.status).toBe(503);
		await redis.restart();
		await eventually('both follow again', async () =>
			(await Promise.all([list(one), list(other)])).every(({ stale }) => !stale),
		);
		const restarted = await startOne();
		expect(await isForced(restarted)).toBe(true);
		expect((await override(other, 'horses/auto', { reason })).status).toBe(200);
		for (const gateway of [one, restarted])
			await eventually('it is removed', async () => !(await isForced(gateway)), 1_500);
	});
});

test('without a store an override says that it is kept in memory', async () => {
	const gateway = await start({});
	const response = await override(gateway, 'horses/open', { reason });
	expect(response.json()).toMatchObject({ data: { storedIn: 'memory', stale: false } });
	const health = await gateway.send({ path: '/actuator/health/gateway' });
	expect(health.json()).toMatchObject({ data: { breakerOverrides: { storedIn: 'memory', stale: false } } });
});

afterEach(() => expect(upstream.requests.every(({ method }) => method === 'GET')).toBe(true));
