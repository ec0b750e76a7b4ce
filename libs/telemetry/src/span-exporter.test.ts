import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { diag } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import { OtlpSpanExporter } from './span-exporter.ts';
import type { TracingOptions } from './tracing.ts';

const servers: Server[] = [];
afterEach(() => {
	diag.disable();
	for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** An exporter to a collector that responds in this way. */
async function exporterTo(respond: RequestListener, options: Partial<TracingOptions['exporter']> = {}) {
	const server = createServer(respond).listen(0, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`;
	return new OtlpSpanExporter({ url, headers: {}, protocol: 'http/json', timeoutMs: 10_000, ...options });
}

async function resultOf(exporter: OtlpSpanExporter): Promise<string> {
	const { promise, resolve } = Promise.withResolvers<string>();
	exporter.export([], ({ code, error }) =>
		resolve(code === ExportResultCode.SUCCESS ? 'exported' : (error?.message ?? 'no error')),
	);
	return promise;
}

test.each([429, 502, 503, 504])('a request that got %d is repeated', async (status) => {
	let requests = 0;
	const exporter = await exporterTo((_, res) => {
		requests += 1;
		res.writeHead(requests === 1 ? status : 200).end();
	});
	expect(await resultOf(exporter)).toBe('exported');
	expect(requests).toBe(2);
});

test('a connection that the collector closes is repeated', async () => {
	let requests = 0;
	const exporter = await exporterTo((req, res) => {
		requests += 1;
		if (requests === 1) req.socket.destroy();
		else res.end();
	});
	expect(await resultOf(exporter)).toBe('exported');
});

test('a request that the collector refuses is not repeated', async () => {
	let requests = 0;
	const exporter = await exporterTo((_, res) => {
		requests += 1;
		res.writeHead(401).end();
	});
	expect(await resultOf(exporter)).toBe('the collector responded 401');
	expect(requests).toBe(1);
});

test('a pause beyond the timeout ends the export at once', async () => {
	const exporter = await exporterTo((_, res) => res.writeHead(503, { 'Retry-After': '60' }).end());
	const startedAt = performance.now();
	expect(await resultOf(exporter)).toBe('the collector responded 503');
	expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('a collector that does not respond ends the export at the timeout', async () => {
	const exporter = await exporterTo(() => undefined, { timeoutMs: 100 });
	expect(await resultOf(exporter)).toMatch(/timeout/);
});

test('the shutdown ends a running export', async () => {
	const { promise: received, resolve } = Promise.withResolvers<void>();
	const exporter = await exporterTo(() => resolve());
	const result = resultOf(exporter);
	await received;
	await exporter.shutdown();
	expect(await result).toBe('the process ends');
});

test('an unreachable collector is named', async () => {
	const exporter = await exporterTo(() => undefined, { timeoutMs: 100 });
	servers[0]?.close();
	expect(await resultOf(exporter)).toMatch(/^connect ECONNREFUSED 127\.0\.0\.1:\d+$/);
});

test('spans that the collector rejects are reported', async () => {
	const warnings: string[] = [];
	const ignore = () => undefined;
	const logger = { verbose: ignore, debug: ignore, info: ignore, error: ignore };
	diag.setLogger({ ...logger, warn: (message) => warnings.push(message) });
	const exporter = await exporterTo((_, res) => {
		res.setHeader('Content-Type', 'application/json');
		res.end('{"partialSuccess":{"rejectedSpans":3,"errorMessage":"too old"}}');
	});
	expect(await resultOf(exporter)).toBe('exported');
	expect(warnings).toEqual(['the collector rejected 3 spans: too old']);
});
