import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as received, with the attributes of its process. */
export interface ReceivedSpan {
	readonly traceId: string;
	readonly spanId: string;
	/** Undefined for the first span of a trace. */
	readonly parentSpanId: string | undefined;
	readonly name: string;
	readonly kind: 'internal' | 'server' | 'client';
	/** The system's time in milliseconds. */
	readonly startedAt: number;
	readonly endedAt: number;
	readonly failed: boolean;
	readonly attributes: Readonly<Record<string, unknown>>;
	/** `service.name` of the resource. */
	readonly service: string;
	readonly resource: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver {
	/** For OTEL_EXPORTER_OTLP_ENDPOINT. */
	readonly url: string;
	/** All spans of OTLP/JSON requests, in order of arrival. */
	readonly spans: readonly ReceivedSpan[];
	/** All requests, e.g. to check their headers. */
	readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
	/** The spans of one trace. */
	trace(traceId: string): readonly ReceivedSpan[];
	close(): Promise<void>;
}

interface KeyValue {
	key: string;
	value: {
		stringValue?: string;
		intValue?: number | string;
		doubleValue?: number;
		boolValue?: boolean;
		arrayValue?: { values: KeyValue['value'][] };
	};
}

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
interface ExportRequest {
	resourceSpans: {
		resource: { attributes: KeyValue[] };
		scopeSpans: {
			spans: {
				traceId: string;
				spanId: string;
				parentSpanId?: string;
				name: string;
				kind: number;
				startTimeUnixNano: string;
				endTimeUnixNano: string;
				attributes: KeyValue[];
				status: { code?: number };
			}[];
		}[];
	}[];
}

const kinds = ['internal', 'internal', 'server', 'client'] as const;
const failedCode = 2;

/** An OTLP/HTTP collector on a free port that keeps what it receives. @param respond `never`: requests stay open */
export async function startOtlpReceiver(respond: 'ok' | 'never' | 503 = 'ok'): Promise<OtlpReceiver> {
	const spans: ReceivedSpan[] = [];
	const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
	const server = createServer((req, res) => {
		const chunks: Buffer[] = [];
		req.on('data', (chunk: Buffer) => chunks.push(chunk));
		// A process under test may be killed while it exports.
		req.on('error', () => undefined);
		req.on('end', () => {
			requests.push({ path: req.url ?? '', headers: req.headers });
			if (req.headers['content-type'] === 'application/json')
				spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString())));
			if (respond === 'never') return;
			res.writeHead(respond === 'ok' ? 200 : respond, { 'Content-Type': 'application/json' }).end('{}');
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans,
		requests,
		trace: (traceId) => spans.filter((span) => span.traceId === traceId),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function spansOf({ resourceSpans }: ExportRequest): ReceivedSpan[] {
	return resourceSpans.flatMap(({ resource, scopeSpans }) => {
		const ofProcess = attributesOf(resource.attributes);
		return scopeSpans
			.flatMap(({ spans }) => spans)
			.map((span) => ({
				traceId: span.traceId,
				spanId: span.spanId,
				parentSpanId: span.parentSpanId === '' ? undefined : span.parentSpanId,
				name: span.name,
				kind: kinds[span.kind] ?? 'internal',
				startedAt: Number(span.startTimeUnixNano) / 1e6,
				endedAt: Number(span.endTimeUnixNano) / 1e6,
				failed: span.status.code === failedCode,
				attributes: attributesOf(span.attributes),
				service: String(ofProcess['service.name']),
				resource: ofProcess,
			}));
	});
}

function attributesOf(list: readonly KeyValue[]): Record<string, unknown> {
	return Object.fromEntries(list.map(({ key, value }) => [key, plainValueOf(value)]));
}

function plainValueOf(value: KeyValue['value']): unknown {
	if (value.arrayValue !== undefined) return value.arrayValue.values.map(plainValueOf);
	if (value.intValue !== undefined) return Number(value.intValue);
	return value.stringValue ?? value.doubleValue ?? value.boolValue;
}
