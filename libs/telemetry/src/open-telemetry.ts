import {
	type Context,
	DiagLogLevel,
	diag,
	type Span as OtelSpan,
	ROOT_CONTEXT,
	SpanKind,
	SpanStatusCode,
	TraceFlags,
	type Tracer,
	trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
	AlwaysOffSampler,
	AlwaysOnSampler,
	BatchSpanProcessor,
	type Sampler,
	SamplingDecision,
	TraceIdRatioBasedSampler,
	TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import type { Span, SpanAttributes, SpanOptions } from './span.ts';
import { parseTraceparent, randomHex, type TraceContext, type Traceparent } from './trace-context.ts';
import type { SamplerName, Tracing, TracingOptions } from './tracing.ts';

const batchMax = 512;
// A statement may be long; 2,048 spans with it must not fill the memory.
const valueLengthMax = 4_096;

const serverSpan = { kind: SpanKind.SERVER };

/** Tracing with OpenTelemetry's SDK; export failures are logged and never reach a request. */
export function createTracing(options: TracingOptions, logger: Logger): Tracing {
	reportProblems(logger);
	const { exporter, queueMax } = options;
	const Exporter = exporter.protocol === 'http/json' ? JsonExporter : ProtobufExporter;
	const isRecorded = decisionOf(options.sampler, options.samplerRatio);
	// Of the trace that is being started.
	let traceId = '';
	const provider = new TracerProvider({
		resource: defaultResource().merge(resourceFromAttributes({ ...options.resource })),
		// `begin` has decided; the SDK's path to a span that is not recorded is several times as long.
		sampler: new AlwaysOnSampler(),
		spanLimits: { attributeValueLengthLimit: valueLengthMax },
		idGenerator: { generateTraceId: () => traceId, generateSpanId: () => randomHex(8) },
		spanProcessors: [
			new BatchSpanProcessor({
				exporter: new Exporter({
					url: exporter.url,
					headers: { ...exporter.headers },
					timeoutMillis: exporter.timeoutMs,
				}),
				maxQueueSize: queueMax,
				maxExportBatchSize: Math.min(batchMax, queueMax),
				scheduledDelayMillis: options.delayMs,
				exportTimeoutMillis: exporter.timeoutMs,
			}),
		],
	});
	const tracer = provider.getTracer('paddock');
	return {
		isOn: true,
		begin: (traceparent) => {
			const parent = parseTraceparent(traceparent);
			traceId = parent?.traceId ?? randomHex(16);
			if (!isRecorded(parent, traceId))
				return { traceId, spanId: randomHex(8), sampled: false, span: undefined };
			return new RecordedSpan(tracer, tracer.startSpan('request', serverSpan, contextOf(parent))).trace;
		},
		close: (withinMs) => closeWithin(provider, withinMs, logger),
	};
}

function contextOf(parent: Traceparent | undefined): Context {
	if (parent === undefined) return ROOT_CONTEXT;
	const { traceId, spanId, sampled } = parent;
	const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
	return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

class RecordedSpan implements Span {
	readonly trace: TraceContext;
	readonly #tracer: Tracer;
	readonly #span: OtelSpan;

	constructor(tracer: Tracer, span: OtelSpan) {
		const { traceId, spanId } = span.spanContext();
		this.#tracer = tracer;
		this.#span = span;
		this.trace = { traceId, spanId, sampled: true, span: this };
	}

	set(attributes: SpanAttributes): void {
		for (const name in attributes) {
			const value = attributes[name];
			if (value !== undefined) this.#span.setAttribute(name, typeof value === 'object' ? [...value] : value);
		}
	}

	rename(name: string): void {
		this.#span.updateName(name);
	}

	fail(errorType: string): void {
		this.#span.setAttribute('error.type', errorType);
		this.#span.setStatus({ code: SpanStatusCode.ERROR });
	}

	startChild(name: string, { kind, attributes }: SpanOptions): Span {
		const otelKind = kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL;
		const parent = trace.setSpan(ROOT_CONTEXT, this.#span);
		const child = new RecordedSpan(this.#tracer, this.#tracer.startSpan(name, { kind: otelKind }, parent));
		if (attributes !== undefined) child.set(attributes);
		return child;
	}

	end(): void {
		this.#span.end();
	}
}

/**
 * Whether a request is recorded. A `parentbased_` sampler follows the caller, if it sent a trace; the SDK's class for that
 * costs each request that is not recorded four times as much as the decision.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration
 */
function decisionOf(
	name: SamplerName,
	ratio: number,
): (parent: Traceparent | undefined, traceId: string) => boolean {
	const prefix = 'parentbased_';
	const isParentBased = name.startsWith(prefix);
	const root = rootSamplerOf(isParentBased ? name.slice(prefix.length) : name, ratio);
	return (parent, traceId) =>
		isParentBased && parent !== undefined
			? parent.sampled
			: root.shouldSample(ROOT_CONTEXT, traceId, 'request', SpanKind.SERVER, {}, []).decision ===
				SamplingDecision.RECORD_AND_SAMPLED;
}

function rootSamplerOf(name: string, ratio: number): Sampler {
	if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
	return name === 'always_on' ? new AlwaysOnSampler() : new AlwaysOffSampler();
}

// While the collector is down, each batch fails.
const reportIntervalMs = 60_000;

/** Logs the SDK's problems, one line a minute at most. The SDK has one logger and one error handler per process. */
function reportProblems(logger: Logger): void {
	let reportedAt = Number.NEGATIVE_INFINITY;
	let unreported = 0;
	const report = (...parts: unknown[]): void => {
		if (performance.now() - reportedAt < reportIntervalMs) {
			unreported += 1;
			return;
		}
		reportedAt = performance.now();
		logger.warn('traces are incomplete', { problem: parts.map(textOf).join(' '), unreported });
		unreported = 0;
	};
	setGlobalErrorHandler(report);
	const ignore = (): void => undefined;
	diag.setLogger(
		{ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
		{ logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
	);
}

/** An export to a collector that does not respond would delay the exit by its whole timeout. */
async function closeWithin(provider: TracerProvider, withinMs: number, logger: Logger): Promise<void> {
	const { promise: expired, resolve } = Promise.withResolvers<unknown>();
	const timer = setTimeout(() => resolve(new Error(`no response within ${withinMs} ms`)), withinMs);
	const closed = provider.shutdown().then(
		() => undefined,
		(error: unknown) => error,
	);
	const problem = await Promise.race([closed, expired]);
	clearTimeout(timer);
	if (problem !== undefined) logger.warn('spans were lost at the exit', { problem: textOf(problem) });
}

/** The stack of an SDK's error does not help an operator. */
function textOf(problem: unknown): string {
	return problem instanceof Error ? problem.message : String(problem);
}
