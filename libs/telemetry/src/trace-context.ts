import { randomFillSync } from 'node:crypto';

/**
 * The trace context of one request, as in `traceparent`.
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
export interface TraceContext {
	/** 32 lower-case hexadecimal digits, shared by all spans of the trace. */
	traceId: string;
	/** 16 lower-case hexadecimal digits of our own span. */
	spanId: string;
	sampled: boolean;
}

const traceparentFormat = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

// A system call for a few random bytes costs as much as for many, so they are fetched in advance. Every byte is used
// once.
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** Returns this many random bytes in lower-case hexadecimal. */
function randomHex(bytes: number): string {
	if (used + bytes > pool.length) {
		randomFillSync(pool);
		used = 0;
	}
	used += bytes;
	return pool.toString('hex', used - bytes, used);
}

/** Continues the caller's trace with a span of our own; starts a trace if the header is absent or malformed. */
export function continueTrace(traceparent: string | undefined): TraceContext {
	const spanId = randomHex(8);
	const match = traceparent === undefined ? null : traceparentFormat.exec(traceparent);
	const [, version, traceId, parentId, flags, rest] = match ?? [];
	const usable =
		version !== undefined &&
		version !== 'ff' &&
		!(version === '00' && rest !== undefined) &&
		traceId !== undefined &&
		!zeros.test(traceId) &&
		parentId !== undefined &&
		!zeros.test(parentId);
	if (!usable) return { traceId: randomHex(16), spanId, sampled: false };
	return { traceId, spanId, sampled: (Number.parseInt(flags ?? '00', 16) & 1) === 1 };
}

/** The `traceparent` header for a call within this span. */
export function traceparentOf(trace: TraceContext): string {
	return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;
}
