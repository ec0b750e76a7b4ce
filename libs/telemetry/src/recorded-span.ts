import {
	type AttributeValue,
	type HrTime,
	type SpanContext,
	SpanKind,
	type SpanStatus,
	SpanStatusCode,
	TraceFlags,
} from '@opentelemetry/api';
import { type InstrumentationScope, millisToHrTime } from '@opentelemetry/core';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Span, SpanAttributes, SpanOptions } from './span.ts';
import { randomHex, type TraceContext, type Traceparent } from './trace-context.ts';

// A statement may be long; 2,048 spans with it must not fill the memory.
const valueLengthMax = 4_096;

interface SpanSource {
	readonly resource: Resource;
	readonly instrumentationScope: InstrumentationScope;
	onEnd(span: ReadableSpan): void;
}

/** Begins the server span of a request. @param parent the caller's span */
export function beginSpan(
	source: SpanSource,
	traceId: string,
	parent: Traceparent | undefined,
): TraceContext {
	const traceFlags = parent?.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
	const remote = parent && { traceId, spanId: parent.spanId, traceFlags, isRemote: true };
	// The monotonic clock measures within a trace, the system's clock may be set.
	const epochMs = Date.now() - performance.now();
	return new RecordedSpan({ source, epochMs, traceId }, 'request', SpanKind.SERVER, remote).trace;
}

/** The same for all spans of a trace in this process. */
interface LocalTrace {
	readonly source: SpanSource;
	/** The system's time at which performance.now() was 0. */
	readonly epochMs: number;
	readonly traceId: string;
}

const unset: SpanStatus = { code: SpanStatusCode.UNSET };
const failed: SpanStatus = { code: SpanStatusCode.ERROR };
const none: [] = [];

/** A span as the SDK's exporters read it; the SDK's own takes several times the CPU and memory (docs/decisions/0026). */
class RecordedSpan implements Span, ReadableSpan {
	readonly trace: TraceContext;
	readonly kind: SpanKind;
	readonly parentSpanContext?: SpanContext;
	readonly attributes: Record<string, AttributeValue> = {};
	readonly #local: LocalTrace;
	readonly #startedAt = performance.now();
	#endedAt = Number.NaN;
	name: string;
	status = unset;

	constructor(local: LocalTrace, name: string, kind: SpanKind, parent: SpanContext | undefined) {
		this.#local = local;
		this.name = name;
		this.kind = kind;
		if (parent !== undefined) this.parentSpanContext = parent;
		this.trace = { traceId: local.traceId, spanId: randomHex(8), sampled: true, span: this };
	}

	set(attributes: SpanAttributes): void {
		for (const name in attributes) {
			const value = attributes[name];
			if (value !== undefined) this.attributes[name] = limited(value);
		}
	}

	rename(name: string): void {
		this.name = name;
	}

	fail(errorType: string): void {
		this.attributes['error.type'] = errorType;
		this.status = failed;
	}

	startChild(name: string, { kind, attributes }: SpanOptions): Span {
		const otelKind = kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
		const child = new RecordedSpan(this.#local, name, otelKind, this.spanContext());
		if (attributes !== undefined) child.set(attributes);
		return child;
	}

	end(): void {
		if (this.ended) return;
		this.#endedAt = performance.now();
		this.#local.source.onEnd(this);
	}

	spanContext(): SpanContext {
		const { traceId, spanId } = this.trace;
		return { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
	}

	get startTime(): HrTime {
		return millisToHrTime(this.#local.epochMs + this.#startedAt);
	}

	get endTime(): HrTime {
		return millisToHrTime(this.#local.epochMs + this.#endedAt);
	}

	get duration(): HrTime {
		return millisToHrTime(this.#endedAt - this.#startedAt);
	}

	get ended(): boolean {
		return !Number.isNaN(this.#endedAt);
	}

	get resource(): Resource {
		return this.#local.source.resource;
	}

	get instrumentationScope(): InstrumentationScope {
		return this.#local.source.instrumentationScope;
	}

	readonly droppedAttributesCount = 0;
	readonly droppedEventsCount = 0;
	readonly droppedLinksCount = 0;
	readonly events = none;
	readonly links = none;
}

function limited(value: string | number | readonly string[]): AttributeValue {
	if (typeof value === 'number') return value;
	return typeof value === 'string' ? cut(value) : value.map(cut);
}

function cut(value: string): string {
	return value.length > valueLengthMax ? value.slice(0, valueLengthMax) : value;
}
