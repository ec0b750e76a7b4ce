export { type AccessLines, createAccessLines, type LineSink } from './access-lines.ts';
export type { BatchedLines } from './batched-lines.ts';
export { exposition, openMetricsType } from './exposition.ts';
export { standardOutput } from './line-output.ts';
export { type LogLevel, logLevels } from './log-levels.ts';
export { createLogger, formatLine, type Logger, silentLogger } from './logger.ts';
export {
	createCounter,
	createHistogram,
	createMetrics,
	durationBucketsSeconds,
	type Metrics,
	seriesBy,
} from './metrics.ts';
export { observeTls } from './process-metrics.ts';
export {
	activeSpan,
	failWith,
	inChildSpan,
	inSharedSpan,
	type Span,
	type SpanAttributes,
	withSpan,
} from './span.ts';
export { stdoutLines } from './stdout-lines.ts';
export { continueTrace, requestIdOf, type TraceContext, traceparentOf } from './trace-context.ts';
export {
	noTracing,
	openTracing,
	type Tracing,
	type TracingOptions,
} from './tracing.ts';
