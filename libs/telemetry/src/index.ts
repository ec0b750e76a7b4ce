export { type AccessLines, createAccessLines, type LineSink } from './access-lines.ts';
export type { BatchedLines } from './batched-lines.ts';
export { type BoundHistogram, createCounter, createHistogram } from './bound-metrics.ts';
export { type Exposition, exposition, openMetricsType } from './exposition.ts';
export { type LogLevel, logLevels } from './log-levels.ts';
export { createLogger, formatLine, type Logger, silentLogger } from './logger.ts';
export {
	createMetrics,
	durationBucketsSeconds,
	type Metrics,
	type MetricsOptions,
	type RequestLabels,
} from './metrics.ts';
export { observeTls } from './process-metrics.ts';
export {
	activeSpan,
	failWith,
	inChildSpan,
	type Span,
	type SpanAttributes,
	type SpanOptions,
	withSpan,
} from './span.ts';
export { stdoutLines } from './stdout-lines.ts';
export {
	continueTrace,
	requestIdOf,
	type TraceContext,
	type Traceparent,
	traceparentOf,
} from './trace-context.ts';
export {
	noTracing,
	openTracing,
	otlpProtocols,
	type SamplerName,
	samplers,
	type Tracing,
	type TracingOptions,
} from './tracing.ts';
