import { describe, expect, test } from '@jest/globals';
import { createTestIdentity, eventually, respondWithStatus } from '@paddock/testing';
import { collectingLogger } from './collecting-logger.ts';
import { expectFailure } from './expect-failure.ts';
import { startGatewayProcess } from './gateway-process.ts';
import { type SentRequest, sendRequest } from './send-request.ts';
import { standInAuth } from './stand-in-auth.ts';
import { type BenchGateway, testBench } from './test-bench.ts';

const bench = testBench();

async function request(gateway: BenchGateway, path: string, sent: Partial<SentRequest> = {}) {
	const token = gateway.identity.sign({ roles: ['ADMIN'] });
	const response = await gateway.send({ path: `/actuator${path}`, token, ...sent });
	return { ...response, headers: response.headers as Record<string, string> };
}

const dataOf = async (gateway: BenchGateway, path: string) => {
	const response = await request(gateway, path);
	expect(response.status).toBe(200);
	return response.json().data;
};

test('the prefix links to every operations page that a GET reads', async () => {
	const gateway = await bench.gateway([]);
	const { links } = (await dataOf(gateway, '')) as { links: { href: string; templated: boolean }[] };
	const paths = links.map(({ href }) => href);
	expect(paths).toEqual(
		expect.arrayContaining([
			'/actuator/health',
			'/actuator/metrics/{name}',
			'/actuator/env',
			'/actuator/mappings',
			'/actuator/heapdump',
		]),
	);
	expect(paths).not.toContain('/actuator/breakers/{context}/open');
	for (const { href, templated } of links) {
		expect([href, templated]).toEqual([href, href.includes('{')]);
		// Streams and profiles don't end at once.
		if (templated || /stream|heapdump|cpuprofile/.test(href)) continue;
		expect([href, (await gateway.send({ path: href })).status]).not.toEqual([href, 404]);
	}
});

describe('env', () => {
	test('lists each effective setting with its source, without secrets', async () => {
		const gateway = await bench.gateway([], {
			RATE_LIMIT_USER: '250',
			CONSUL_HTTP_TOKEN: 'a-secret-token',
			TRUSTED_PROXIES: '10.0.0.0/8,10.1.0.1',
			STATUS_PAGE: 'off',
			OTEL_RESOURCE_ATTRIBUTES: 'team=gateway,zone=a',
			OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a-secret-key',
		});
		const response = await request(gateway, '/env');
		const { settings } = response.json().data as { settings: { name: string }[] };
		const of = (name: string) => settings.find((setting) => setting.name === name);
		expect(of('RATE_LIMIT_USER')).toEqual({ name: 'RATE_LIMIT_USER', value: '250', source: 'environment' });
		expect(of('DEADLINE_MS')).toEqual({ name: 'DEADLINE_MS', value: '8000', source: 'default' });
		expect(of('TRUSTED_PROXIES')).toMatchObject({ value: '10.0.0.0/8,10.1.0.1' });
		expect(of('STATUS_PAGE')).toMatchObject({ value: 'off', source: 'environment' });
		expect(of('OTEL_RESOURCE_ATTRIBUTES')).toMatchObject({ value: 'team=gateway,zone=a' });
		expect(of('OTEL_EXPORTER_OTLP_HEADERS')).toMatchObject({ value: '[redacted]' });
		expect(of('OPS_PORT')).toEqual({ name: 'OPS_PORT', value: null, source: 'default' });
		expect(of('CONSUL_HTTP_TOKEN')).toMatchObject({ value: '[redacted]', source: 'environment' });
		expect(response.body).not.toContain('a-secret-token');
	});
});

test('mappings show contexts with their public routes, pages with their roles, and limits', async () => {
	const gateway = await bench.gateway([], { BODY_BYTES_MAX: '2048' });
	const data = await dataOf(gateway, '/mappings');
	expect(data).toMatchObject({
		contexts: expect.arrayContaining([
			expect.objectContaining({ name: 'horses', prefixes: ['/api/horses'], publicRoutes: [] }),
			expect.objectContaining({
				name: 'auth',
				publicRoutes: expect.arrayContaining(['POST /auth/login']),
				responseTimeoutMs: 5_000,
			}),
		]),
		pages: expect.arrayContaining([
			expect.objectContaining({ method: 'GET', path: '/actuator/info', access: [] }),
			expect.objectContaining({ method: 'GET', path: '/actuator/mappings', access: ['ADMIN'] }),
			expect.objectContaining({
				method: 'POST',
				path: '/actuator/breakers/{context}/open',
				access: ['ADMIN'],
			}),
		]),
		limits: { bodyBytesMax: 2_048, perMinute: { user: 0 } },
	});
});

describe('httpexchanges', () => {
	test('have the last 200 requests, the newest first, without queries', async () => {
		const upstream = await bench.upstream(respondWithStatus(200));
		const gateway = await bench.gateway([upstream.url]);
		for (let sent = 1; sent <= 201; sent += 1)
			await gateway.send({ path: `/api/horses/${sent}?secret=s3cr3t` });
		const response = await request(gateway, '/httpexchanges');
		const { exchanges } = response.json().data as { exchanges: { path: string }[] };
		expect(exchanges).toHaveLength(200);
		expect(exchanges[0]).toMatchObject({
			path: '/api/horses/201',
			method: 'GET',
			route: '/api/horses/{id}',
			status: 200,
			attempts: 1,
			requestId: expect.any(String),
			at: expect.any(String),
		});
		expect(exchanges.at(-1)).toMatchObject({ path: '/api/horses/2' });
		expect(response.body).not.toContain('s3cr3t');
	});
});

describe('loggers', () => {
	const ownLoggers = async (gateway: BenchGateway) => await dataOf(gateway, '/loggers');
	const post = (gateway: BenchGateway, body: unknown, name = 'gateway') =>
		request(gateway, `/loggers/${name}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(body),
		});

	test('the level changes at once, with an audit line, and expires', async () => {
		const lines: string[] = [];
		const logger = collectingLogger('warn', (line) => lines.push(line));
		const accessLines: string[] = [];
		const gateway = await bench.start({
			settings: { LOG_LEVEL: 'warn' },
			logger,
			accessSink: { write: (line) => accessLines.push(line) },
		});
		const before = { name: 'gateway', configuredLevel: 'warn', effectiveLevel: 'warn' };
		expect(await ownLoggers(gateway)).toEqual([before]);
		expect(accessLines).toEqual([]);

		const changed = await post(gateway, { level: 'debug', expiresInSeconds: 3 });
		expect(changed.json().data).toMatchObject([{ effectiveLevel: 'debug', until: expect.any(String) }]);
		expect(lines.join('\n')).toContain('"message":"log level changed"');
		await gateway.send({ path: '/nothing' });
		expect(accessLines.join('\n')).toContain('"path":"/nothing"');

		await eventually('the level has expired', async () => logger.level === 'warn');
		expect(await ownLoggers(gateway)).toEqual([before]);
	});

	test('the line about the level `error` names the administrator, although that level hides it', async () => {
		const lines: string[] = [];
		const logger = collectingLogger('info', (line) => lines.push(line));
		const gateway = await bench.start({ logger });
		await post(gateway, { level: 'error' });
		expect(lines.filter((line) => line.includes('log level changed'))).toEqual([
			expect.stringMatching(/"from":"info","to":"error".*"userId":"/),
		]);
	});

	test('null restores the configured level', async () => {
		const gateway = await bench.gateway([]);
		await post(gateway, { level: 'error' });
		const restored = await post(gateway, { level: null });
		expect(restored.json().data).toEqual([
			{ name: 'gateway', configuredLevel: 'info', effectiveLevel: 'info' },
		]);
	});

	test.each([
		[{ level: 'loud' }, 'gateway', 400, 'VALIDATION_ERROR'],
		[{ level: 'debug', expiresInSeconds: 0 }, 'gateway', 400, 'VALIDATION_ERROR'],
		[{ level: 'debug' }, '__proto__', 404, 'NOT_FOUND'],
		[{ level: 'debug' }, 'horses', 404, 'NOT_FOUND'],
		[{ level: 'debug' }, 'gateway?instance=one', 400, 'INVALID_QUERY_PARAMETER'],
	])('%j of %s: %i %s', async (body, name, status, code) => {
		const gateway = await bench.gateway([]);
		expectFailure(await post(gateway, body, name), status, code);
	});

	test('a closed session changes nothing', async () => {
		const gateway = await bench.gateway([]);
		gateway.auth.session = 'over';
		expectFailure(await post(gateway, { level: 'debug' }), 401, 'TOKEN_REVOKED');
		gateway.auth.session = 'live';
		expect(await ownLoggers(gateway)).toMatchObject([{ effectiveLevel: 'info' }]);
	});
});

describe('profiles', () => {
	test('a CPU profile has samples of this process; a second one at the same time is refused', async () => {
		const gateway = await bench.gateway([], { SESSION_CHECK_TIMEOUT_MS: '10000' });
		const [first, second] = await Promise.all([
			request(gateway, '/cpuprofile?seconds=1'),
			request(gateway, '/cpuprofile?seconds=1'),
		]);
		const [profile, refused] = first.status === 200 ? [first, second] : [second, first];
		expect(profile.headers['content-disposition']).toContain('gateway.cpuprofile');
		expect((JSON.parse(profile.body) as { samples: unknown[] }).samples.length).toBeGreaterThan(0);
		expectFailure(refused, 409, 'CONFLICT');
		expectFailure(await request(gateway, '/cpuprofile?seconds=31'), 400, 'INVALID_QUERY_PARAMETER');
	});

	test('a heap snapshot is complete JSON', async () => {
		const identity = await createTestIdentity();
		const auth = await standInAuth(identity.jwks);
		bench.closing(() => auth.close());
		// A process of its own: the snapshot of a test worker is very large.
		const gateway = await startGatewayProcess({ SERVICE_INSTANCES: `auth-service=${auth.url}` });
		bench.closing(async () => void (await gateway.stop()));
		const response = await fetch(`http://127.0.0.1:${gateway.port}/actuator/heapdump`, {
			headers: { Authorization: `Bearer ${identity.sign({ roles: ['ADMIN'] })}` },
		});
		expect(response.status).toBe(200);
		expect(response.headers.get('content-disposition')).toContain('gateway.heapsnapshot');
		expect(Object.keys((await response.json()) as object)).toContain('nodes');
		expect(gateway.stdout()).toContain('"message":"heap snapshot requested"');
	}, 60_000);
});

test.each(['/env', '/mappings', '/httpexchanges', '/loggers', '/heapdump', '/cpuprofile'])(
	'%s is for administrators only',
	async (path) => {
		const gateway = await bench.gateway([]);
		const officer = gateway.identity.sign({ roles: ['FEDERATION_OFFICER'] });
		expectFailure(await request(gateway, path, { token: officer }), 403, 'FORBIDDEN');
		const anonymous = await sendRequest(gateway.port, { path: `/actuator${path}` });
		expectFailure(
			{ ...anonymous, headers: anonymous.headers as Record<string, string> },
			401,
			'UNAUTHENTICATED',
		);
	},
);
