import { randomFillSync, randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Span } from './span.ts';

/** The content of a `traceparent` header. https://www.w3.org/TR/trace-context/#traceparent-header */
export interface Traceparent {
	/** 32 lower-case hexadecimal digits, shared by all spans of the trace. */
	readonly traceId: string;
	/** 16 lower-case hexadecimal digits of one span. */
	readonly spanId: string;
	readonly sampled: boolean;
}

/** The trace context of one request; `spanId` is that of our own span. */
export interface TraceContext extends Traceparent {
	/** Undefined if the request is not recorded. */
	readonly span: Span | undefined;
}

const traceparentFormat = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;

// A system call for a few random bytes costs as much as for many, so they are fetched in advance. Every byte is used
// once.
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** Returns this many random bytes in lower-case hexadecimal. */
export function randomHex(bytes: number): string {
	if (used + bytes > pool.length) {
		randomFillSync(pool);
		used = 0;
	}
	used += bytes;
	return pool.toString('hex', used - bytes, used);
}

/** Undefined if the header is absent or malformed. */
export function parseTraceparent(traceparent: string | undefined): Traceparent | undefined {
	const match = traceparent === undefined ? null : traceparentFormat.exec(traceparent);
	const [, version, traceId, spanId, flags, rest] = match ?? [];
	const usable =
		version !== undefined &&
		version !== 'ff' &&
		!(version === '00' && rest !== undefined) &&
		traceId !== undefined &&
		!zeros.test(traceId) &&
		spanId !== undefined &&
		!zeros.test(spanId);
	if (!usable) return undefined;
	return { traceId, spanId, sampled: (Number.parseInt(flags ?? '00', 16) & 1) === 1 };
}

/** Continues the caller's trace, or starts one that is not sampled, without recording a span (docs/decisions/0026). */
export function continueTrace(traceparent: string | undefined): TraceContext {
	const parent = parseTraceparent(traceparent);
	return {
		traceId: parent?.traceId ?? randomHex(16),
		spanId: randomHex(8),
		sampled: parent?.sampled ?? false,
		span: undefined,
	};
}

/** The `traceparent` header for a call within this span. */
export function traceparentOf(trace: Traceparent): string {
	return `00-${trace.traceId}-${trace.spanId}-${trace.sampled ? '01' : '00'}`;
}

const requestIdFormat = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` or `X-Correlation-ID` if its format is safe to log, otherwise a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
	for (const name of ['x-request-id', 'x-correlation-id']) {
		const value = headers[name];
		if (typeof value === 'string' && requestIdFormat.test(value)) return value;
	}
	return randomUUID();
}
