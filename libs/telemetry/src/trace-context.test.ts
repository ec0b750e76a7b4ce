import { expect, test } from '@jest/globals';
import { continueTrace, traceparentOf } from './trace-context.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

test.each([
	[`00-${traceId}-${parentId}-01`, true],
	[`00-${traceId}-${parentId}-00`, false],
	[`00-${traceId}-${parentId}-03`, true],
	[`cc-${traceId}-${parentId}-01-what-the-future-will-be-like`, true],
])('%s continues with a new span', (traceparent, sampled) => {
	const trace = continueTrace(traceparent);
	expect(trace).toMatchObject({ traceId, sampled });
	expect(trace.spanId).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
	expect(trace.spanId).not.toBe(parentId);
	expect(traceparentOf(trace)).toBe(`00-${traceId}-${trace.spanId}-0${sampled ? 1 : 0}`);
});

// https://www.w3.org/TR/trace-context/#versioning-of-traceparent
test.each([
	undefined,
	'',
	'x',
	`00-${'0'.repeat(32)}-${parentId}-01`,
	`00-${traceId}-${'0'.repeat(16)}-01`,
	`ff-${traceId}-${parentId}-01`,
	`00-${traceId}-${parentId}-01-more`,
	`00-${traceId.toUpperCase()}-${parentId}-01`,
	`00-${traceId}-${parentId}`,
	`00-${traceId}-${parentId}-1`,
	`cc-${traceId}-${parentId}-01.more`,
	`00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
	` 00-${traceId}-${parentId}-01`,
	`00-${traceId}-${parentId}-01\n`,
])('%j starts a trace of its own', (traceparent) => {
	const [one, two] = [continueTrace(traceparent), continueTrace(traceparent)];
	expect(one.traceId).toMatch(/^[0-9a-f]{32}$/);
	expect(one.traceId).not.toBe(traceId);
	expect([one.sampled, one.traceId === two.traceId]).toEqual([false, false]);
});
