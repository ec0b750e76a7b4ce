import { randomBytes } from 'node:crypto';

/**
 * The place of one request in a distributed trace, as `traceparent` carries it.
 * https://www.w3.org/TR/trace-context/#traceparent-header
 */
export interface TraceContext {
	/** 32 lower-case hexadecimal digits, shared by all spans of the trace. */
	traceId: string;
	/** 16 lower-case hexadecimal digits, ours. */
	spanId: string;
	sampled: boolean;
}

const traceparentFormat = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

/** Continues the caller's trace with a span of our own; starts one where the header is absent or malformed. */
export function continueTrace(traceparent: string | undefined): TraceContext {
	const spanId = randomBytes(8).toString('hex');
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
	if (!usable) return { traceId: randomBytes(16).toString('hex'), spanId, sampled: false };
	return { traceId, spanId, sampled: (Number.parseInt(flags ?? '00', 16) & 1) === 1 };
}

/** The header for a call that belongs to this span. */
export function traceparentOf(trace: TraceContext): string {
	return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;
}
