import { expect, test } from '@jest/globals';
import { exposition } from './exposition.ts';
import { createMetrics } from './metrics.ts';

// As Prometheus 3 and 2 send it.
const prometheus3 =
	'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=1.0.0;q=0.4,*/*;q=0.2';
const prometheus2 = 'application/openmetrics-text; version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const trace = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true };
const labels = { route: '/toys', method: 'GET', status: 200 };

function observed() {
	const metrics = createMetrics({ prefix: 'toys', service: 'toy-service' });
	metrics.observeRequest(labels, 30, trace);
	metrics.observeRequest(labels, 2_000);
	return metrics;
}

test.each([
	[prometheus3, 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
	[prometheus2, 'application/openmetrics-text; version=1.0.0; charset=utf-8'],
	['text/plain, application/openmetrics-text;q=0.9', 'text/plain; version=0.0.4; charset=utf-8'],
	['application/openmetrics-text;q=0', 'text/plain; version=0.0.4; charset=utf-8'],
	['application/openmetrics-text;q=a', 'text/plain; version=0.0.4; charset=utf-8'],
	['*/*', 'text/plain; version=0.0.4; charset=utf-8'],
	[undefined, 'text/plain; version=0.0.4; charset=utf-8'],
])('%s gets %s', async (accept, type) => {
	expect((await exposition(observed().registry, accept)).type).toBe(type);
});

test('OpenMetrics has the trace of the latest recorded request in the bucket of its duration', async () => {
	const { text } = await exposition(observed().registry, prometheus3);
	const buckets = text.split('\n').filter((line) => line.startsWith('toys_request_duration_seconds_bucket'));
	const withExemplar = buckets.filter((line) => line.includes(' # '));
	expect(withExemplar).toHaveLength(1);
	expect(withExemplar[0]).toMatch(/le="0.05".* 1 # \{trace_id="4bf9\w+",span_id="00f0\w+"\} 0.03 \d{10}\./);
	expect(text.endsWith('# EOF\n')).toBe(true);
});

test('counters and default labels are the same in both formats, in any order of requests', async () => {
	const { registry } = observed();
	const line = /^toys_requests_total\{.*service="toy-service".*\} 2$/m;
	for (const accept of [undefined, prometheus3, undefined, prometheus3])
		expect((await exposition(registry, accept)).text).toMatch(line);
	expect((await exposition(registry, prometheus3)).text).toContain('# TYPE toys_requests counter');
	expect((await exposition(registry, undefined)).text).not.toContain(' # {');
});
