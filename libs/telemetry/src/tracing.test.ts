import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import { type OtlpReceiver, patient, startOtlpReceiver } from '@paddock/testing';
import { silentLogger } from './logger.ts';
import { activeSpan, inChildSpan } from './span.ts';
import { randomHex, traceparentOf } from './trace-context.ts';
import { noTracing, openTracing, type Tracing, type TracingOptions } from './tracing.ts';

let collector: OtlpReceiver;
beforeAll(async () => {
	collector = await startOtlpReceiver();
});
afterAll(() => collector.close());

type Options = Partial<Omit<TracingOptions, 'exporter'>> & { exporter?: Partial<TracingOptions['exporter']> };

function open({ exporter, ...options }: Options = {}, logger = silentLogger()): Promise<Tracing> {
	return openTracing(
		{
			resource: { 'service.name': 'toys', 'service.instance.id': '7' },
			sampler: 'always_on',
			samplerRatio: 0,
			delayMs: 60_000,
			queueMax: 100,
			...options,
			exporter: {
				url: `${collector.url}/v1/traces`,
				headers: { 'x-tenant': 'stables' },
				protocol: 'http/json',
				timeoutMs: 1_000,
				...exporter,
			},
		},
		logger,
	);
}

test('without options nothing is recorded', async () => {
	const tracing = await openTracing(undefined, silentLogger());
	expect(tracing).toBe(noTracing);
	expect(tracing.begin(undefined)).toMatchObject({ sampled: false, span: undefined });
});

test('spans are exported at the exit, with their parents, resource and headers', async () => {
	const tracing = await open();
	const trace = tracing.begin(undefined);
	await inChildSpan(trace.span, 'work', { kind: 'internal', attributes: { step: 1 } }, async () => {
		await inChildSpan(activeSpan(), 'GET', { kind: 'client' }, async () => undefined);
	});
	trace.span?.end();
	await tracing.close(1_000);
	const [call, work, request] = collector.trace(trace.traceId);
	expect([request?.kind, work?.name, call?.name]).toEqual(['server', 'work', 'GET']);
	expect([work?.parentSpanId, call?.parentSpanId]).toEqual([request?.spanId, work?.spanId]);
	expect([request?.spanId, work?.attributes]).toEqual([trace.spanId, { step: 1 }]);
	expect(request?.resource).toMatchObject({ 'service.name': 'toys', 'service.instance.id': '7' });
	expect(collector.requests.at(-1)).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'stables' } });
	expect(activeSpan()).toBeUndefined();
});

test('the default encoding is protobuf', async () => {
	const tracing = await open({ exporter: { protocol: 'http/protobuf' } });
	tracing.begin(undefined).span?.end();
	await tracing.close(1_000);
	expect(collector.requests.at(-1)?.headers['content-type']).toBe('application/x-protobuf');
});

test('an error is recorded by its code, never its message', async () => {
	const tracing = await open();
	const trace = tracing.begin(undefined);
	const failure = Object.assign(new Error('Key (email)=(eva@example.org) already exists.'), {
		code: '23505',
	});
	const failing = inChildSpan(trace.span, 'INSERT', { kind: 'client' }, () => Promise.reject(failure));
	await expect(failing).rejects.toBe(failure);
	await tracing.close(1_000);
	const [span] = collector.trace(trace.traceId);
	expect(span).toMatchObject({ failed: true, attributes: { 'error.type': '23505' } });
	expect(JSON.stringify(span)).not.toContain('eva');
});

const sampled = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const unsampled = '00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00';

test.each([
	['always_on', 0, [true, true, true]],
	['always_off', 1, [false, false, false]],
	['traceidratio', 1, [true, true, true]],
	['traceidratio', 0, [false, false, false]],
	['parentbased_always_on', 0, [true, true, false]],
	['parentbased_always_off', 1, [false, true, false]],
	['parentbased_traceidratio', 1, [true, true, false]],
	['parentbased_traceidratio', 0, [false, true, false]],
] as const)(
	'the sampler %s with %d decides on a new, a sampled and an unsampled trace',
	async (sampler, samplerRatio, decisions) => {
		const tracing = await open({ sampler, samplerRatio });
		const traces = [undefined, sampled, unsampled].map((traceparent) => tracing.begin(traceparent));
		expect(traces.map((trace) => trace.sampled)).toEqual(decisions);
		expect(traces.map(({ span }) => span !== undefined)).toEqual(decisions);
		expect(traces.map((trace) => traceparentOf(trace).slice(-2))).toEqual(
			decisions.map((on) => (on ? '01' : '00')),
		);
		await tracing.close(1_000);
	},
);

test('a ratio sampler records the traces that the sampler of OpenTelemetry records', async () => {
	for (const samplerRatio of [0.01, 0.0625, 0.3, 0.999]) {
		const tracing = await open({ sampler: 'traceidratio', samplerRatio });
		const sampler = new TraceIdRatioBasedSampler(samplerRatio);
		const ids = Array.from({ length: 2_000 }, () => randomHex(16));
		const decide = (id: string) => tracing.begin(`00-${id}-b7ad6b7169203331-00`).sampled;
		const expected = ids.map((id) => sampler.shouldSample(undefined, id).decision === 2);
		expect(ids.map(decide)).toEqual(expected);
		await tracing.close(1_000);
	}
});

test('a span has the time of its work, its status and attributes of a limited length', async () => {
	const tracing = await open();
	const before = Date.now();
	const trace = tracing.begin(sampled);
	const child = trace.span?.startChild('work', { kind: 'internal', attributes: { absent: undefined } });
	child?.set({ statement: 'x'.repeat(5_000), list: ['y'.repeat(5_000), 'z'] });
	child?.fail('23505');
	child?.end();
	child?.end();
	trace.span?.end();
	await tracing.close(1_000);
	const [work, request, ...others] = collector.trace(trace.traceId);
	expect(others).toEqual([]);
	expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331', failed: false });
	const cut = { statement: 'x'.repeat(4_096), list: ['y'.repeat(4_096), 'z'], 'error.type': '23505' };
	expect(work).toMatchObject({ failed: true });
	expect(work?.attributes).toEqual(cut);
	const times = [
		before - 1,
		request?.startedAt,
		work?.startedAt,
		work?.endedAt,
		request?.endedAt,
		Date.now() + 1,
	];
	expect(times).toEqual(times.toSorted((a, b) => Number(a) - Number(b)));
});

test('spans beyond the queue are dropped', async () => {
	const tracing = await open({ queueMax: 10 });
	const before = collector.spans.length;
	// No export can end before this loop does: one batch is in flight, and the queue is full.
	for (let made = 0; made < 1_000; made += 1) tracing.begin(undefined).span?.end();
	await tracing.close(5_000);
	expect(collector.spans.length - before).toBe(20);
});

test('spans that the collector rejects are reported with its reason', async () => {
	const server = createServer((_, res) => {
		res.setHeader('Content-Type', 'application/json');
		res.end('{"partialSuccess":{"rejectedSpans":3,"errorMessage":"too old"}}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const problems: unknown[] = [];
	const logger = silentLogger();
	const warn = (_: string, { problem }: { problem: string }) => {
		problems.push(problem);
		return logger;
	};
	const { port } = server.address() as AddressInfo;
	const url = `http://127.0.0.1:${port}/v1/traces`;
	const tracing = await open({ exporter: { url } }, Object.assign(logger, { warn }));
	tracing.begin(undefined).span?.end();
	await tracing.close(5_000);
	server.close().closeAllConnections();
	expect(problems).toEqual([expect.stringMatching(/"rejectedSpans":3,"errorMessage":"too old"/)]);
});

test('a collector that does not respond delays the exit by no more than the given time', async () => {
	const collected = Promise.withResolvers<void>();
	const server = createServer(async (_, res) => {
		await collected.promise;
		res.writeHead(200, { Connection: 'close' }).end('{}');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const exporter = { url: `http://127.0.0.1:${port}/v1/traces`, timeoutMs: 10_000 };
	const tracing = await open({ exporter });
	tracing.begin(undefined).span?.end();
	const startedAt = performance.now();
	await tracing.close(50);
	expect(performance.now() - startedAt).toBeLessThan(patient(5_000));
	// Ends the export. It repeats one whose connection is closed, for its whole timeout.
	collected.resolve();
	server.close();
	await once(server, 'close');
});
