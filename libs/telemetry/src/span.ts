import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '@paddock/contract';
import type { TraceContext } from './trace-context.ts';

/** Undefined values are omitted. Names: https://opentelemetry.io/docs/specs/semconv/ */
export type SpanAttributes = Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface SpanOptions {
	/** `client` for a call to another process. */
	readonly kind: 'client' | 'internal';
	readonly attributes?: SpanAttributes;
}

/** One recorded operation. Attributes must not contain tokens, values of a query, or personal data except `client.address`. */
export interface Span {
	/** For calls within this span. */
	readonly trace: TraceContext;
	set(attributes: SpanAttributes): void;
	rename(name: string): void;
	/** Marks the operation as failed. @param errorType `error.type`: a code or the name of a class, never a message */
	fail(errorType: string): void;
	startChild(name: string, options: SpanOptions): Span;
	/** To be called once. */
	end(): void;
}

// Only recorded requests enter it. It carries the span through code that has no parameter for it, such as a repository;
// the gateway's pipeline passes spans explicitly.
const active = new AsyncLocalStorage<Span>();

/** The span in which the caller runs; undefined if the request is not recorded. */
export function activeSpan(): Span | undefined {
	return active.getStore();
}

export function withSpan<Result>(span: Span | undefined, work: () => Result): Result {
	return span === undefined ? work() : active.run(span, work);
}

/** Runs `work` within a new child span of `parent`; without a parent it only runs `work`. */
export function inChildSpan<Result>(
	parent: Span | undefined,
	name: string,
	options: SpanOptions,
	work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
	return parent === undefined ? work(undefined) : recorded(parent.startChild(name, options), work);
}

/**
 * Runs what several operations share within a child span of each. Spans within it belong to the trace of the first operation, whose id
 * the others have as `paddock.shared.trace_id`.
 */
export function inSharedSpan<Result>(
	[first, ...others]: readonly Span[],
	name: string,
	options: SpanOptions,
	work: () => Promise<Result>,
): Promise<Result> {
	const elsewhere = { ...options.attributes, 'paddock.shared.trace_id': first?.trace.traceId };
	return others.reduce(
		(run, other) => () => inChildSpan(other, name, { ...options, attributes: elsewhere }, run),
		() => inChildSpan(first, name, options, work),
	)();
}

async function recorded<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
	try {
		return await active.run(span, () => work(span));
	} catch (error) {
		failWith(span, error);
		throw error;
	} finally {
		span.end();
	}
}

/** Records a thrown error; one that is the caller's (4xx) is not a failure of the operation. */
export function failWith(span: Span, error: unknown): void {
	if (error instanceof ApiError && error.status < 500) span.set({ 'error.type': error.code });
	else span.fail(errorTypeOf(error));
}

/** The code of an error (SQLSTATE, `ECONNREFUSED`) or the name of its class. */
function errorTypeOf(error: unknown): string {
	if (!(error instanceof Error)) return '_OTHER';
	return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
