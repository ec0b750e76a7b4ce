import { afterEach, describe, expect, test } from '@jest/globals';
import { openTracing, silentLogger, type Tracing, type TracingOptions } from '@paddock/telemetry';
import {
	eventually,
	freePort,
	type OtlpReceiver,
	patient,
	type ReceivedSpan,
	recordingUpstream,
	respondWithStatus,
	startOtlpReceiver,
	type TestUpstream,
} from '@paddock/testing';
import { startTestGateway, type TestGateway } from './start-test-gateway.ts';

interface Setup {
	readonly gateway: TestGateway;
	readonly tracing: Tracing;
	readonly upstreams: readonly TestUpstream[];
	readonly lines: readonly string[];
	get(path: string, headers?: Record<string, string>): Promise<Response>;
}

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of opened.splice(0).toReversed()) await close();
});

async function receiver(respond?: Parameters<typeof startOtlpReceiver>[0]): Promise<OtlpReceiver> {
	const started = await startOtlpReceiver(respond);
	opened.push(started.close);
	return started;
}

function optionsFor(url: string, options: Partial<TracingOptions> = {}): TracingOptions {
	return {
		resource: { 'service.name': 'gateway' },
		sampler: 'parentbased_traceidratio',
		samplerRatio: 1,
		exporter: { url: `${url}/v1/traces`, headers: {}, protocol: 'http/json', timeoutMs: 1_000 },
		delayMs: 20,
		queueMax: 64,
		...options,
	};
}

/** The gateway in front of two instances; the first one responds with `firstStatus`. */
async function setUp(options: TracingOptions, firstStatus = 200): Promise<Setup> {
	const upstreams = [
		await recordingUpstream(respondWithStatus(firstStatus)),
		await recordingUpstream(respondWithStatus(200)),
	];
	const lines: string[] = [];
	const tracing = await openTracing(options, silentLogger());
	const gateway = await startTestGateway({
		services: { 'horses-service': upstreams.map(({ url }) => url) },
		settings: { CONTEXTS: 'auth,horses', RATE_LIMIT_USER: '1000' },
		accessSink: { write: (line) => lines.push(line) },
		tracing,
	});
	opened.push(
		...upstreams.map(({ close }) => close),
		() => tracing.close(100),
		() => gateway.close(),
	);
	const token = gateway.identity.sign();
	const get = (path: string, headers: Record<string, string> = {}) =>
		fetch(gateway.url + path, { headers: { Authorization: `Bearer ${token}`, ...headers } });
	return { gateway, tracing, upstreams, lines, get };
}

function traceOf(response: Response): { traceId: string; spanId: string; flags: string } {
	const [, traceId = '', spanId = '', flags = ''] = (response.headers.get('traceparent') ?? '').split('-');
	return { traceId, spanId, flags };
}

/** The spans of a trace, once that many have arrived; the first and the last one may be in different batches. */
async function spansOf(
	collector: OtlpReceiver,
	{ traceId }: { traceId: string },
	count: number,
): Promise<readonly ReceivedSpan[]> {
	await eventually(`${count} spans of ${traceId}`, () => collector.trace(traceId).length >= count);
	return collector.trace(traceId);
}

function only(spans: readonly ReceivedSpan[], kind: ReceivedSpan['kind']): ReceivedSpan {
	const [span, ...others] = spans.filter((each) => each.kind === kind);
	if (span === undefined || others.length > 0) throw new Error(`${1 + others.length} ${kind} spans`);
	return span;
}

describe('a recorded request', () => {
	test('is an exemplar of its duration, one that is not recorded is none', async () => {
		const collector = await receiver();
		const { get, gateway } = await setUp(optionsFor(collector.url));
		const { traceId } = traceOf(await get('/api/horses/7'));
		const unsampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';
		await get('/api/horses', { traceparent: unsampled });
		const scrape = () =>
			fetch(`${gateway.url}/actuator/prometheus`, { headers: { Accept: 'application/openmetrics-text' } });
		const exemplars = async () => [...(await (await scrape()).text()).matchAll(/^(.*) # \{(.*)\}/gm)];
		await eventually('the exemplar', async () => (await exemplars()).length > 0);
		const found = await exemplars();
		expect(found.map(([, , labels]) => labels)).toEqual([expect.stringContaining(`trace_id="${traceId}"`)]);
		expect(found[0]?.[1]).toContain('route="/api/horses/{id}"');
		expect(found[0]?.[1]).toContain('context="horses"');
		expect((await scrape()).headers.get('vary')).toBe('Accept');
	});

	test('has a server span and, within it, spans of authentication, rate limit and the attempt', async () => {
		const collector = await receiver();
		const { get, upstreams, lines } = await setUp(optionsFor(collector.url));
		const response = await get('/api/horses/7?name=secret', { 'X-Request-Id': 'r-1' });
		const { traceId, spanId, flags } = traceOf(response);
		expect(flags).toBe('01');
		const spans = await spansOf(collector, { traceId }, 4);
		const server = only(spans, 'server');
		expect(server).toMatchObject({ spanId, name: 'GET /api/horses/{id}', failed: false, service: 'gateway' });
		expect(server.parentSpanId).toBeUndefined();
		expect(server.attributes).toMatchObject({
			'http.request.method': 'GET',
			'http.route': '/api/horses/{id}',
			'http.response.status_code': 200,
			'http.request.header.x-request-id': ['r-1'],
			'url.path': '/api/horses/7',
			'client.address': '127.0.0.1',
		});
		const attempt = only(spans, 'client');
		const sent = upstreams.flatMap(({ requests }) => requests);
		expect(sent).toHaveLength(1);
		expect(sent[0]?.headers['traceparent']).toBe(`00-${traceId}-${attempt.spanId}-01`);
		expect(attempt.attributes).toMatchObject({
			'http.response.status_code': 200,
			'peer.service': 'horses-service',
			'server.address': '127.0.0.1',
		});
		expect(spans.filter(({ kind }) => kind === 'internal').map(({ name }) => name)).toEqual([
			'authenticate',
			'rate limit',
		]);
		for (const span of spans) if (span !== server) expect(span.parentSpanId).toBe(spanId);
		expect(JSON.stringify(spans)).not.toContain('secret');
		await eventually('the access log entry', () => lines.length > 0);
		expect(JSON.parse(lines[0] ?? '')).toMatchObject({ traceId, requestId: 'r-1' });
	});

	test('has a span for each attempt, with the failure and the number of the retry', async () => {
		const collector = await receiver();
		const { get, upstreams } = await setUp(optionsFor(collector.url), 503);
		// The balancer chooses at random; only one choice meets the failing instance first.
		const isRetried = () => (upstreams[0]?.requests.length ?? 0) > 0;
		let response = await get('/api/horses');
		while (!isRetried()) response = await get('/api/horses');
		expect(response.status).toBe(200);
		const spans = await spansOf(collector, traceOf(response), 5);
		const attempts = spans.filter(({ kind }) => kind === 'client');
		expect(attempts.map(({ failed, attributes }) => [failed, attributes['error.type']])).toEqual([
			[true, '503'],
			[false, undefined],
		]);
		expect(attempts.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([undefined, 1]);
		expect(new Set(attempts.map(({ attributes }) => attributes['gateway.instance.id'])).size).toBe(2);
		expect(only(spans, 'server').failed).toBe(false);
		const [failing] = upstreams;
		expect(failing?.requests.at(-1)?.headers['traceparent']).toContain(attempts[0]?.spanId);
	});

	test('names the failure if no instance responds', async () => {
		const collector = await receiver();
		const { get, gateway } = await setUp(optionsFor(collector.url));
		gateway.registry.set('horses-service', [`http://127.0.0.1:${await freePort()}`]);
		const response = await get('/api/horses');
		expect(response.status).toBe(502);
		const spans = await spansOf(collector, traceOf(response), 4);
		const failed = { failed: true, attributes: { 'error.type': 'unreachable' } };
		expect(only(spans, 'server')).toMatchObject(failed);
		expect(only(spans, 'client')).toMatchObject(failed);
	});

	test('that is refused is not a failure of the gateway', async () => {
		const collector = await receiver();
		const { get } = await setUp(optionsFor(collector.url));
		const response = await get('/api/horses', { Authorization: 'Bearer x.y.z' });
		expect(response.status).toBe(401);
		const spans = await spansOf(collector, traceOf(response), 2);
		expect(only(spans, 'server')).toMatchObject({ failed: false });
		expect(only(spans, 'internal')).toMatchObject({ name: 'authenticate', failed: false });
		expect(only(spans, 'internal').attributes['error.type']).toMatch(/TOKEN|UNAUTHENTICATED/);
	});
});

describe('the sampling decision', () => {
	const traceId = '0af7651916cd43dd8448eb211c80319c';
	const parentId = 'b7ad6b7169203331';

	test('of the caller is followed, and passed on', async () => {
		const collector = await receiver();
		const { get, upstreams, tracing } = await setUp(optionsFor(collector.url, { samplerRatio: 0 }));
		await get('/api/horses', { traceparent: `00-${traceId}-${parentId}-01` });
		expect(only(await spansOf(collector, { traceId }, 4), 'server').parentSpanId).toBe(parentId);
		const notSampled = '1af7651916cd43dd8448eb211c80319c';
		const response = await get('/api/horses', { traceparent: `00-${notSampled}-${parentId}-00` });
		expect(traceOf(response)).toMatchObject({ traceId: notSampled, flags: '00' });
		await tracing.close(1_000);
		expect(collector.trace(notSampled)).toEqual([]);
		const flags = upstreams.flatMap(({ requests }) => requests.map(({ headers }) => headers['traceparent']));
		expect(flags.map((header) => String(header).slice(-2)).sort()).toEqual(['00', '01']);
	});

	test('is made by the ratio for a new trace', async () => {
		const collector = await receiver();
		const { get, tracing } = await setUp(optionsFor(collector.url, { samplerRatio: 0 }));
		expect(traceOf(await get('/api/horses')).flags).toBe('00');
		await tracing.close(1_000);
		expect(collector.requests).toEqual([]);
	});

	test('excludes probes and scrapes', async () => {
		const collector = await receiver();
		const { get, tracing } = await setUp(optionsFor(collector.url));
		expect(traceOf(await get('/actuator/health/liveness')).flags).toBe('00');
		await tracing.close(1_000);
		expect(collector.requests).toEqual([]);
	});
});

describe('a collector that', () => {
	const load = async ({ get }: Setup): Promise<number[]> => {
		const statuses: number[] = [];
		for (let round = 0; round < 20; round += 1) {
			const responses = await Promise.all(Array.from({ length: 10 }, () => get('/api/horses')));
			statuses.push(...responses.map(({ status }) => status));
		}
		return statuses;
	};

	test.each(['is absent', 'never responds', 'refuses'])('%s loses no request', async (kind) => {
		const absent = `http://127.0.0.1:${await freePort()}`;
		const respond = kind === 'refuses' ? 503 : 'never';
		const url = kind === 'is absent' ? absent : (await receiver(respond)).url;
		const setup = await setUp(optionsFor(url));
		expect(new Set(await load(setup))).toEqual(new Set([200]));
		const startedAt = performance.now();
		await setup.tracing.close(200);
		expect(performance.now() - startedAt).toBeLessThan(patient(1_000));
	});
});
