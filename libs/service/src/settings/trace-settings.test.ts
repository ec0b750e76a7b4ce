import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { readSettings, SettingsError } from './read-settings.ts';
import { traceSettings, tracingOptions } from './trace-settings.ts';

const schema = z.object(traceSettings);
const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };
const options = (env: Record<string, string>) => tracingOptions(readSettings(schema, env), 'horses-service');

test('tracing is off without a collector, and if the SDK is disabled', () => {
	expect(options({ OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
	expect(options({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
});

test('a collector alone records all traces, except those that the caller did not sample', () => {
	expect(options(endpoint)).toMatchObject({
		resource: { 'service.name': 'horses-service' },
		sampler: 'parentbased_traceidratio',
		samplerRatio: 1,
		exporter: { url: 'http://127.0.0.1:4318/v1/traces', headers: {}, protocol: 'http/protobuf' },
		queueMax: 2_048,
	});
});

test('the address for traces is used as it is', () => {
	const url = 'https://collector.example.org/spans';
	expect(options({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url })).toMatchObject({
		exporter: { url },
	});
});

test.each([
	['0', 0],
	['1', 1],
	['1.0', 1],
	['.5', 0.5],
	['0.01', 0.01],
])('the ratio %s is %d', (text, samplerRatio) => {
	expect(options({ ...endpoint, OTEL_TRACES_SAMPLER_ARG: text })).toMatchObject({ samplerRatio });
});

test('lists have percent-encoded values; the service name has its own setting', () => {
	const read = options({
		...endpoint,
		OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-tenant=7',
		OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging,service.name=a,service.version=1%2C2',
		OTEL_SERVICE_NAME: 'stables',
	});
	expect(read?.exporter.headers).toEqual({ Authorization: 'Basic YTpi', 'x-tenant': '7' });
	expect(read?.resource).toMatchObject({
		'deployment.environment.name': 'staging',
		'service.name': 'stables',
		'service.version': '1,2',
	});
});

test.each([
	['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
	['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
	['OTEL_TRACES_SAMPLER', 'sometimes'],
	['OTEL_TRACES_SAMPLER_ARG', '2'],
	['OTEL_TRACES_SAMPLER_ARG', '10%'],
	['OTEL_RESOURCE_ATTRIBUTES', 'staging'],
	['OTEL_RESOURCE_ATTRIBUTES', 'a=%zz'],
	['OTEL_EXPORTER_OTLP_HEADERS', 'a=b%0d%0ac'],
])('%s=%s is refused', (name, value) => {
	expect(() => options({ ...endpoint, [name]: value })).toThrow(SettingsError);
});

test('a refused header is not shown', () => {
	expect(() => options({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key: hunter2' })).toThrow(/^(?!.*hunter2)/s);
});
