import { setTimeout as wait } from 'node:timers/promises';
import { diag } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import {
	type IExportTraceServiceResponse,
	JsonTraceSerializer,
	ProtobufTraceSerializer,
} from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { backoffMs } from '@paddock/resilience';
import type { TracingOptions } from './tracing.ts';

const encodings = {
	'http/json': { serializer: JsonTraceSerializer, type: 'application/json' },
	'http/protobuf': { serializer: ProtobufTraceSerializer, type: 'application/x-protobuf' },
};

// https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes
const retryable: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const backoff = { backoffMinMs: 1_000, backoffMaxMs: 5_000, random: Math.random };

/**
 * Sends spans by OTLP over HTTP. It uses fetch: the SDK's exporters pipe streams of node:http, and the request path, which uses
 * the same functions, then runs slower for good (docs/decisions/0026).
 */
export class OtlpSpanExporter implements SpanExporter {
	readonly #options: TracingOptions['exporter'];
	readonly #closed = new AbortController();

	constructor(options: TracingOptions['exporter']) {
		this.#options = options;
	}

	export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
		this.#send(spans).then(
			() => done({ code: ExportResultCode.SUCCESS }),
			(error: Error) => done({ code: ExportResultCode.FAILED, error }),
		);
	}

	/** Ends the export that is running. */
	async shutdown(): Promise<void> {
		this.#closed.abort(new Error('the process ends'));
	}

	/** Repeats a request that did not succeed, until the timeout. @throws the last problem */
	async #send(spans: ReadableSpan[]): Promise<void> {
		const { protocol, timeoutMs } = this.#options;
		const { serializer, type } = encodings[protocol];
		const body = new Uint8Array(serializer.serializeRequest(spans) ?? []);
		const deadline = performance.now() + timeoutMs;
		const signal = AbortSignal.any([this.#closed.signal, AbortSignal.timeout(timeoutMs)]);
		for (let failures = 1; ; failures += 1) {
			const outcome = await this.#post(body, signal);
			if (outcome instanceof Response && outcome.ok) {
				const bytes = await outcome.bytes();
				if (outcome.headers.get('Content-Type') === type)
					warnOfRejected(serializer.deserializeResponse(bytes));
				return;
			}
			const pauseMs = Math.max(backoffMs(failures, backoff), retryAfterMs(outcome));
			if (signal.aborted || !mayRepeat(outcome) || performance.now() + pauseMs >= deadline)
				throw problemOf(outcome);
			await wait(pauseMs, undefined, { signal, ref: false });
		}
	}

	/** @returns the error if there was no response */
	#post(body: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Response | Error> {
		const { url, headers, protocol } = this.#options;
		const request = { method: 'POST', headers: { ...headers, 'Content-Type': encodings[protocol].type } };
		return fetch(url, { ...request, body, signal }).catch((error: Error) => error);
	}
}

/** https://opentelemetry.io/docs/specs/otlp/#partial-success-1 */
function warnOfRejected({ partialSuccess }: IExportTraceServiceResponse): void {
	const { rejectedSpans = 0, errorMessage = '' } = partialSuccess ?? {};
	if (rejectedSpans > 0 || errorMessage !== '')
		diag.warn(`the collector rejected ${rejectedSpans} spans: ${errorMessage}`);
}

function mayRepeat(outcome: Response | Error): boolean {
	return outcome instanceof Error || retryable.has(outcome.status);
}

/** Of the `Retry-After` header in seconds; 0 without one. */
function retryAfterMs(outcome: Response | Error): number {
	if (outcome instanceof Error) return 0;
	return 1_000 * Number.parseInt(outcome.headers.get('Retry-After') ?? '0', 10) || 0;
}

function problemOf(outcome: Response | Error): Error {
	if (outcome instanceof Response) return new Error(`the collector responded ${outcome.status}`);
	// fetch only says that it failed.
	return outcome.cause instanceof Error ? outcome.cause : outcome;
}
