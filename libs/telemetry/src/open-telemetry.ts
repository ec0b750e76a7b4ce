import { DiagLogLevel, diag } from '@opentelemetry/api';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import { beginSpan } from './recorded-span.ts';
import { parseTraceparent, randomHex, type Traceparent } from './trace-context.ts';
import type { SamplerName, Tracing, TracingOptions } from './tracing.ts';

const batchMax = 512;

/** Tracing with OpenTelemetry's SDK; export failures are logged and never reach a request. */
export function createTracing(options: TracingOptions, logger: Logger): Tracing {
	reportProblems(logger);
	const { exporter, queueMax } = options;
	const Exporter = exporter.protocol === 'http/json' ? JsonExporter : ProtobufExporter;
	const isRecorded = decisionOf(options.sampler, options.samplerRatio);
	const processor = new BatchSpanProcessor({
		exporter: new Exporter({
			url: exporter.url,
			headers: { ...exporter.headers },
			timeoutMillis: exporter.timeoutMs,
		}),
		maxQueueSize: queueMax,
		maxExportBatchSize: Math.min(batchMax, queueMax),
		scheduledDelayMillis: options.delayMs,
		exportTimeoutMillis: exporter.timeoutMs,
	});
	const source = {
		resource: defaultResource().merge(resourceFromAttributes({ ...options.resource })),
		instrumentationScope: { name: 'paddock' },
		onEnd: processor.onEnd.bind(processor),
	};
	return {
		isOn: true,
		begin: (traceparent) => {
			const parent = parseTraceparent(traceparent);
			const traceId = parent?.traceId ?? randomHex(16);
			if (!isRecorded(parent, traceId))
				return { traceId, spanId: randomHex(8), sampled: false, span: undefined };
			return beginSpan(source, traceId, parent);
		},
		close: (withinMs) => closeWithin(processor, withinMs, logger),
	};
}

/** Whether a request is recorded. A `parentbased_` sampler follows the caller, if it sent a trace. */
function decisionOf(
	name: SamplerName,
	ratio: number,
): (parent: Traceparent | undefined, traceId: string) => boolean {
	const isParentBased = name.startsWith('parentbased_');
	const bound = boundOf(name, ratio);
	return (parent, traceId) =>
		isParentBased && parent !== undefined ? parent.sampled : isBelow(traceId, bound);
}

const beyondAll = 2 ** 32;

function boundOf(name: SamplerName, ratio: number): number {
	if (name.endsWith('always_off')) return 0;
	return name.endsWith('always_on') || ratio === 1 ? beyondAll : Math.floor(ratio * (beyondAll - 1));
}

/**
 * Whether the exclusive or of the trace id's four numbers of 32 bits is below the bound, as the SDK's ratio sampler decides.
 * The highest digit decides for most ids, at a tenth of the SDK's time.
 */
function isBelow(traceId: string, bound: number): boolean {
	if (bound === beyondAll) return true;
	for (let at = 0; at < 8; at += 1) {
		const digit =
			digitAt(traceId, at) ^ digitAt(traceId, at + 8) ^ digitAt(traceId, at + 16) ^ digitAt(traceId, at + 24);
		const limit = (bound >>> (28 - 4 * at)) & 15;
		if (digit !== limit) return digit < limit;
	}
	return false;
}

/** The value of a lower-case hexadecimal digit. */
function digitAt(text: string, at: number): number {
	const code = text.charCodeAt(at);
	return code < 58 ? code - 48 : code - 87;
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
async function closeWithin(processor: BatchSpanProcessor, withinMs: number, logger: Logger): Promise<void> {
	const { promise: expired, resolve } = Promise.withResolvers<unknown>();
	const timer = setTimeout(() => resolve(new Error(`no response within ${withinMs} ms`)), withinMs);
	const closed = processor.shutdown().then(
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
