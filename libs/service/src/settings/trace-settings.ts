import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { otlpProtocols, samplers, type TracingOptions } from '@paddock/telemetry/tracing';
import { z } from 'zod';
import { integerSetting } from './integer-setting.ts';

const collectorUrl = z
	.string()
	.refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), 'must be an http:// or https:// address')
	.refine(
		(text) => !/^https?:\/\/[^/?#\\]*@/.test(text),
		'must not contain a user name or password; OTEL_EXPORTER_OTLP_HEADERS is for credentials',
	)
	.optional();

/** `name=value,…` with percent-encoded values, as in W3C Baggage. */
function pairsSetting(allowed: string) {
	const message = `must be a list such as ${allowed}, with percent-encoded values`;
	return z
		.string()
		.transform((text, context) => {
			const pairs = pairsOf(text);
			if (pairs !== undefined) return pairs;
			context.addIssue({ code: 'custom', message });
			return z.NEVER;
		})
		.optional()
		.meta({ allowed: `\`${allowed}\`, values percent-encoded` });
}

function pairsOf(text: string): ReadonlyMap<string, string> | undefined {
	const pairs = new Map<string, string>();
	for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
		const [, name, value] = /^\s*([\w.-]+)\s*=\s*([!-+\--~]*)\s*$/.exec(entry) ?? [];
		if (name === undefined || value === undefined || !isPercentEncoded(value)) return undefined;
		pairs.set(name, decodeURIComponent(value));
	}
	return pairs;
}

function isPercentEncoded(text: string): boolean {
	try {
		return !/[\r\n]/.test(decodeURIComponent(text));
	} catch {
		return false; // URIError: an invalid escape.
	}
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export const traceSettings = {
	OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl.describe(
		'Address of an OpenTelemetry collector, e.g. `http://127.0.0.1:4318`; spans are sent to `/v1/traces` below it. Without it, tracing is off.',
	),
	OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectorUrl.describe(
		'Full address that spans are sent to, instead of one below OTEL_EXPORTER_OTLP_ENDPOINT.',
	),
	OTEL_EXPORTER_OTLP_HEADERS: pairsSetting('api-key=…').describe(
		'Headers of the requests to the collector, e.g. its API key.',
	),
	OTEL_EXPORTER_OTLP_PROTOCOL: z
		.enum(otlpProtocols, `must be one of ${otlpProtocols.join(', ')}`)
		.default('http/protobuf')
		.describe('Encoding of the spans.'),
	OTEL_EXPORTER_OTLP_TIMEOUT: integerSetting(1, 600_000, 10_000).describe(
		'Timeout in milliseconds of one export with its retries; then its spans are dropped.',
	),
	OTEL_TRACES_SAMPLER: z
		.enum(samplers, `must be one of ${samplers.join(', ')}`)
		.default('parentbased_traceidratio')
		.describe(
			'Which traces are recorded. `parentbased_` samplers follow the decision in the `traceparent` of the caller, if there is one.',
		),
	OTEL_TRACES_SAMPLER_ARG: z
		.string()
		.regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?|\.\d{1,9})$/, 'must be a number from 0 to 1')
		.transform(Number)
		.default(1)
		.describe('Ratio of traces that a `traceidratio` sampler records; 0.01 = 1 %.'),
	OTEL_BSP_SCHEDULE_DELAY: integerSetting(1, 600_000, 5_000).describe(
		'Time in milliseconds between two exports; a full batch is exported at once.',
	),
	OTEL_BSP_MAX_QUEUE_SIZE: integerSetting(1, 1_000_000, 2_048).describe(
		'Maximum number of finished spans in memory; further ones are dropped.',
	),
	OTEL_SERVICE_NAME: z
		.string()
		.optional()
		.describe(
			'Name of the process in traces; by default its registered name, e.g. `horses-service`. `npm start` does not pass it on, as all processes would have the same name.',
		),
	OTEL_RESOURCE_ATTRIBUTES: pairsSetting('deployment.environment.name=staging').describe(
		'Further attributes of the process in traces.',
	),
	OTEL_SDK_DISABLED: z
		.enum(['true', 'false'], 'must be true or false')
		.optional()
		.describe('`true` turns tracing off although a collector is set.'),
};

export type TraceSettings = z.output<z.ZodObject<typeof traceSettings>>;

/** The options of tracing for the process with this registered name; undefined = off. */
export function tracingOptions(settings: TraceSettings, name: string): TracingOptions | undefined {
	const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below(settings.OTEL_EXPORTER_OTLP_ENDPOINT);
	if (url === undefined || settings.OTEL_SDK_DISABLED === 'true') return undefined;
	return {
		resource: {
			'service.name': name,
			'service.instance.id': randomUUID(),
			'host.name': hostname(),
			'process.pid': String(process.pid),
			...Object.fromEntries(settings.OTEL_RESOURCE_ATTRIBUTES ?? []),
			...(settings.OTEL_SERVICE_NAME === undefined ? {} : { 'service.name': settings.OTEL_SERVICE_NAME }),
		},
		sampler: settings.OTEL_TRACES_SAMPLER,
		samplerRatio: settings.OTEL_TRACES_SAMPLER_ARG,
		exporter: {
			url,
			headers: Object.fromEntries(settings.OTEL_EXPORTER_OTLP_HEADERS ?? []),
			protocol: settings.OTEL_EXPORTER_OTLP_PROTOCOL,
			timeoutMs: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
		},
		delayMs: settings.OTEL_BSP_SCHEDULE_DELAY,
		queueMax: settings.OTEL_BSP_MAX_QUEUE_SIZE,
	};
}

function below(endpoint: string | undefined): string | undefined {
	return endpoint === undefined ? undefined : `${endpoint.replace(/\/+$/, '')}/v1/traces`;
}
