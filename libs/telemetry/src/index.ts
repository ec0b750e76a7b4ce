export { type AccessLines, createAccessLines, type LineSink } from './access-lines.ts';
export type { BatchedLines } from './batched-lines.ts';
export { type BoundHistogram, createHistogram, createTally } from './bound-metrics.ts';
export { createLogger, formatLine, type Logger, type LogLevel, logLevels, silentLogger } from './logger.ts';
export { createMetrics, durationBucketsSeconds, type Metrics, type RequestLabels } from './metrics.ts';
export { stdoutLines } from './stdout-lines.ts';
export { continueTrace, type TraceContext, traceparentOf } from './trace-context.ts';
