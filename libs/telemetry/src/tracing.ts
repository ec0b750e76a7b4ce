import type { Logger } from './logger.ts';
import { continueTrace, type TraceContext } from './trace-context.ts';

/** Begins the spans of requests. */
export interface Tracing {
	/** False: ids are made, and nothing is recorded. */
	readonly isOn: boolean;
	/** Begins the server span of a request: continues the caller's trace or starts one. */
	begin(traceparent: string | undefined): TraceContext;
	/** Exports the remaining spans; further spans are dropped. Settles within this time and never rejects. */
	close(withinMs: number): Promise<void>;
}

/** Values of OTEL_TRACES_SAMPLER. */
export const samplers = [
	'always_on',
	'always_off',
	'traceidratio',
	'parentbased_always_on',
	'parentbased_always_off',
	'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof samplers)[number];

/** Values of OTEL_EXPORTER_OTLP_PROTOCOL. */
export const otlpProtocols = ['http/protobuf', 'http/json'] as const;

export interface TracingOptions {
	/** Attributes of the resource; they have `service.name`. */
	readonly resource: Readonly<Record<string, string>>;
	readonly sampler: SamplerName;
	readonly samplerRatio: number;
	readonly exporter: {
		/** Receives the spans: `http://127.0.0.1:4318/v1/traces` */
		readonly url: string;
		readonly headers: Readonly<Record<string, string>>;
		readonly protocol: (typeof otlpProtocols)[number];
		/** Timeout of one export, with its retries. */
		readonly timeoutMs: number;
	};
	/** Time between two exports. */
	readonly delayMs: number;
	/** Maximum number of finished spans in memory; further ones are dropped. */
	readonly queueMax: number;
}

/** Records nothing. */
export const noTracing: Tracing = {
	isOn: false,
	begin: continueTrace,
	close: async () => undefined,
};

/** Tracing with OpenTelemetry, whose SDK is loaded only if there are options. */
export async function openTracing(options: TracingOptions | undefined, logger: Logger): Promise<Tracing> {
	if (options === undefined) return noTracing;
	const { createTracing } = await import('./open-telemetry.ts');
	return createTracing(options, logger);
}
