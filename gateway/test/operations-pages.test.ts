import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { respondWithStatus } from '@paddock/testing';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { expectFailure } from './expect-failure.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();

async function read(gateway: BenchGateway, path: string) {
	const response = await gateway.send({ path: `/actuator${path}` });
	return { ...response, headers: response.headers as Record<string, string>, data: response.json().data };
}

describe('metrics', () => {
	test('are listed by name, and each name has a page', async () => {
		const gateway = await bench.gateway([]);
		const { data, status } = await read(gateway, '/metrics');
		expect(status).toBe(200);
		const { names } = data as { names: string[] };
		expect(names).toEqual([...names].sort());
		expect(names).toEqual(expect.arrayContaining(['gateway_requests_total', 'process_cpu_seconds_total']));
		await gateway.send({ path: '/api/horses' });
		for (const name of ['gateway_requests_total', 'gateway_build_info', 'nodejs_heap_size_used_bytes'])
			expect((await read(gateway, `/metrics/${name}`)).data).toMatchObject({ name });
	});

	test('of counters with few series are 0 before the first event', async () => {
		const gateway = await bench.gateway([], { RATE_LIMIT_USER: '5' });
		const text = await (await fetch(`${gateway.url}/actuator/prometheus`)).text();
		for (const series of [
			'rate_limit_total{policy="user",outcome="limited"',
			'session_checks_total{outcome="revoked"',
			'circuit_breaker_transitions_total{upstream="horses-service",from="CLOSED",to="OPEN"',
			'response_cache_requests_total{result="stale"',
		])
			expect(text).toContain(`\ngateway_${series},service="gateway"} 0\n`);
		// A policy without a limit counts nothing.
		expect(text).not.toContain('policy="officer"');
	});

	test('of a histogram show count and total, filtered by tags, with the remaining tags', async () => {
		const upstream = await bench.upstream();
		const failing = await bench.upstream(respondWithStatus(500));
		const gateway = await bench.start({
			services: { 'horses-service': [upstream.url], 'members-service': [failing.url] },
		});
		for (const path of ['/api/horses', '/api/horses/x', '/api/members']) await gateway.send({ path });
		const name = 'gateway_request_duration_seconds';
		const { data } = await read(gateway, `/metrics/${name}?tag=method:GET`);
		expect(data).toMatchObject({
			name,
			baseUnit: 'seconds',
			measurements: [
				{ statistic: 'TOTAL', value: expect.any(Number) },
				{ statistic: 'COUNT', value: 3 },
			],
			availableTags: expect.arrayContaining([
				{ tag: 'route', values: ['/api/horses', '/api/horses/{id}', '/api/members'] },
			]),
		});
		expect((data['availableTags'] as { tag: string }[]).map(({ tag }) => tag)).not.toContain('method');
		expect((data['availableTags'] as { tag: string }[]).map(({ tag }) => tag)).not.toContain('le');
		const narrow = await read(gateway, '/metrics/gateway_requests_total?tag=context:horses&tag=status:200');
		expect(narrow.data).toMatchObject({ measurements: [{ statistic: 'COUNT', value: 2 }] });
		const gauge = await read(gateway, '/metrics/gateway_requests_in_flight_max');
		expect(gauge.data).toMatchObject({
			measurements: [{ statistic: 'VALUE', value: 2_000 }],
			baseUnit: null,
		});
	});

	test.each([
		['/metrics/nothing', 404, 'NOT_FOUND'],
		['/metrics/__proto__', 404, 'NOT_FOUND'],
		['/metrics/gateway_build_info?tag=version:none', 404, 'NOT_FOUND'],
		['/metrics/gateway_build_info?tag=version', 400, 'INVALID_QUERY_PARAMETER'],
		['/metrics/gateway_build_info?name=x', 400, 'INVALID_QUERY_PARAMETER'],
	])('%s: %i %s', async (path, status, code) => {
		const gateway = await bench.gateway([]);
		expectFailure(await read(gateway, path), status, code);
	});
});

test('info shows version, build and contexts', async () => {
	const gateway = await bench.gateway([]);
	expect((await read(gateway, '/info')).data).toEqual({
		application: { name: 'paddock-gateway', version: '0.0.0-test' },
		build: { time: null },
		git: { commit: null, branch: null },
		node: { version: process.version },
		contexts: [
			{ name: 'auth', url: '/auth', critical: true },
			{ name: 'members', url: '/api/members', critical: true },
			{ name: 'horses', url: '/api/horses', critical: true },
			{ name: 'ping', url: '/api/ping', critical: false },
		],
		uptimeSeconds: expect.any(Number),
	});
});

// Telegraf names the version and accepts nothing else; it got 406.
test.each([
	['text/plain;version=0.0.4', 'text/plain; version=0.0.4; charset=utf-8'],
	[
		'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited;q=0.7,text/plain;version=0.0.4;q=0.3',
		'text/plain; version=0.0.4; charset=utf-8',
	],
	[
		'application/openmetrics-text; version=1.0.0',
		'application/openmetrics-text; version=1.0.0; charset=utf-8',
	],
])('metrics are available for Accept: %s', async (accept, type) => {
	const gateway = await bench.gateway([]);
	const response = await fetch(`${gateway.url}/actuator/prometheus`, { headers: { Accept: accept } });
	expect([response.status, response.headers.get('Content-Type')]).toEqual([200, type]);
	await response.body?.cancel();
});

test('scrape targets are the instances that get traffic', async () => {
	const gateway = await bench.gateway(['http://127.0.0.1:7001', 'http://[::1]:7002']);
	const targets = (await (await fetch(`${gateway.url}/actuator/prometheus/targets`)).json()) as {
		targets: string[];
		labels: Record<string, string>;
	}[];
	expect(
		targets.filter(({ labels }) => labels['job'] === 'horses-service').map((one) => one.targets[0]),
	).toEqual(['127.0.0.1:7001', '[::1]:7002']);
	expect(targets.every(({ labels }) => labels['__metrics_path__'] === '/metrics')).toBe(true);
});

describe('scrape targets with HEALTH_DETAILS=authorized', () => {
	const path = '/actuator/prometheus/targets';

	test('are visible to officers and administrators only', async () => {
		const gateway = await bench.gateway(['http://127.0.0.1:7001'], { HEALTH_DETAILS: 'authorized' });
		const anonymous = await fetch(gateway.url + path);
		expect([anonymous.status, await anonymous.text()]).toEqual([401, expect.not.stringContaining('7001')]);
		const member = await gateway.send({ path });
		expect([member.status, member.json().data['code']]).toEqual([403, 'FORBIDDEN']);
		const token = gateway.identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const officer = await gateway.send({ path, token });
		expect([officer.status, officer.body]).toEqual([200, expect.stringContaining('127.0.0.1:7001')]);
	});
});

test('instances are counted by health', async () => {
	const healthy = await bench.upstream();
	const unhealthy = await bench.upstream(respondWithStatus(200), { health: 500 });
	const gateway = await bench.gateway([healthy.url, unhealthy.url]);
	const count = (health: string) =>
		gateway.counted('gateway_instances', { upstream: 'horses-service', health });
	expect(await count('UNKNOWN')).toBe(2);
	await read(gateway, '/health');
	expect([await count('UP'), await count('DOWN'), await count('UNKNOWN')]).toEqual([1, 1, 0]);
	const status = (name: string) =>
		gateway.counted('gateway_context_status', { context: 'horses', status: name });
	expect([await status('DEGRADED'), await status('UP'), await status('DOWN')]).toEqual([1, 0, 0]);
});

describeWithPrograms(['promtool'], 'promtool', () => {
	test('reports no problem in the metrics of the gateway', async () => {
		const upstream = await bench.upstream(respondWithStatus(503));
		const gateway = await bench.gateway([upstream.url], { BREAKER_VOLUME: '2', RATE_LIMIT_USER: '5' });
		for (let round = 0; round < 7; round += 1) await gateway.send({ path: '/api/horses' });
		const body = await (await fetch(`${gateway.url}/actuator/prometheus`)).text();
		for (const name of ['transitions_total', 'rate_limit_total', 'upstream_failures_total'])
			expect(body).toMatch(new RegExp(`_${name}\\{.*\\} [1-9]`));
		expect(execFileSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' })).toBe('');
	});
});
