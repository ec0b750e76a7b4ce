import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import { PassThrough, pipeline, type Readable, type Transform, type Writable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { errorEnvelope } from '@paddock/contract';
import type { Exchange } from '../exchange/exchange.ts';
import { UpstreamFailure } from '../exchange/failures.ts';
import type { BodyEnd, ResponseBody, UpstreamResponse } from '../forwarder/forwarder.ts';
import { WholeBody } from '../forwarder/whole-body.ts';
import { codeOfStatus, unpresentable } from './upstream-errors.ts';

// Up to here a body is read and checked; a longer one is put into the envelope as it arrives.
const checkedBytesMax = 1024 * 1024;
const byteOrderMark = Buffer.from('\uFEFF');
// Other types that end in +json are formats of their own; a client that asked for GeoJSON could not read an envelope.
const plainJson = /^(?:application|text)\/json\s*(?:;|$)/i;
const anyJson = /^(?:application|text)\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;
const looksLikeEnvelope = /^\s*\{\s*"success"\s*:\s*(?:true|false)\b/;

interface Wrapping {
	readonly method: string;
	readonly exchange: Exchange;
	readonly now: () => Date;
	/** Aborted when the client has left. */
	readonly signal: AbortSignal;
}

/**
 * The response of an attached service in the envelope of this system, if it is JSON. Failures get code, status and request id. Responses that
 * have an envelope, parts of a body, other media types and streams stay as they are.
 * @throws UpstreamFailure if it is not the JSON that it says it is, or is cut off; ApiError for a failure that is too long. The caller must
 * destroy the body then, which may still be arriving
 */
export async function withEnvelope(
	response: UpstreamResponse,
	wrapping: Wrapping,
): Promise<UpstreamResponse> {
	const { status, headers, body } = response;
	const type = headers['content-type'] ?? '';
	if (status === 206 || !(status < 400 ? plainJson : anyJson).test(type)) {
		// A length that the response to GET would not have.
		return status === 304 ? { ...response, headers: envelopeHeaders(headers) } : response;
	}
	const own = envelopeHeaders(headers);
	if (wrapping.method === 'HEAD' || status === 204 || status === 205 || status === 304)
		return { ...response, headers: own };
	own['content-type'] = 'application/json; charset=utf-8';
	const { chunks, remainder } = await beginning(response, wrapping.signal);
	if (remainder === undefined) {
		const bytes = Buffer.from(enveloped(jsonOf(chunks, type), status, wrapping));
		own['content-length'] = String(bytes.length);
		return { status, headers: own, body: new WholeBody(bytes) };
	}
	// The mark may be in two chunks.
	if ((chunks[0]?.length ?? 0) < byteOrderMark.length) chunks.splice(0, chunks.length, Buffer.concat(chunks));
	const [first] = chunks;
	if (first?.subarray(0, byteOrderMark.length).equals(byteOrderMark))
		chunks[0] = first.subarray(byteOrderMark.length);
	const start = first?.subarray(0, 200).toString() ?? '';
	if (status >= 400) throw unpresentable(response, wrapping.exchange);
	const [before, after] = looksLikeEnvelope.test(start) ? ['', ''] : successParts(status, wrapping.now());
	return { status, headers: own, body: new EnvelopedBody({ body, before, chunks, remainder, after }) };
}

// They describe the bytes that the service sent. The entity tag stays: as with this system's own records it stands for the state of the
// resource, and preconditions are compared by the service.
const ofBytes = [
	'accept-ranges',
	'content-digest',
	'content-encoding',
	'content-length',
	'content-md5',
	'digest',
	'repr-digest',
	'signature',
	'signature-input',
];

function envelopeHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
	const own = { ...headers };
	for (const name of ofBytes) delete own[name];
	return own;
}

const decoders = new Map<string, () => Transform>([
	['gzip', createGunzip],
	['x-gzip', createGunzip],
	['deflate', createInflate],
	['br', createBrotliDecompress],
	['zstd', createZstdDecompress],
]);

interface Remainder {
	readonly source: AsyncIterator<Buffer>;
	/** Ends the response of the instance, if it has not ended. */
	discard(): void;
}

/** Reads the body, decoded, up to its end or the limit. `remainder`: there is more. */
async function beginning(
	{ headers, body }: UpstreamResponse,
	signal: AbortSignal,
): Promise<{ chunks: Buffer[]; remainder: Remainder | undefined }> {
	const received = new PassThrough();
	const stream = decoded(received, headers['content-encoding']);
	// The signal aborts the body too: as aborted by the client, not as discarded.
	const leave = () => void received.destroy();
	signal.addEventListener('abort', leave, { once: true });
	if (signal.aborted) leave();
	const discard = (): void => {
		body.destroy();
		received.destroy();
	};
	body.sendTo(received, () => undefined).catch(() => received.destroy());
	const source: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
	const chunks: Buffer[] = [];
	let size = 0;
	try {
		for (;;) {
			const { done, value } = await source.next();
			if (done === true) {
				// Bytes after the end of the coding may still be arriving.
				discard();
				return { chunks, remainder: undefined };
			}
			chunks.push(value);
			size += value.length;
			if (size > checkedBytesMax) return { chunks, remainder: { source, discard } };
		}
	} catch (error) {
		received.destroy();
		if (signal.aborted) throw new UpstreamFailure('clientAborted', error);
		const isCoding = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
		throw new UpstreamFailure(isCoding ? 'invalidResponse' : 'cutOff', error);
	}
}

/** @throws UpstreamFailure for a coding that this gateway can't read: the request asked for none */
function decoded(received: PassThrough, coding = 'identity'): Readable {
	if (coding.toLowerCase() === 'identity') return received;
	const decoder = decoders.get(coding.toLowerCase())?.();
	if (decoder === undefined)
		throw new UpstreamFailure('invalidResponse', new Error('unknown content coding'));
	// Whoever reads the decoder gets the error.
	pipeline(received, decoder, () => undefined);
	return decoder;
}

/** The text of a JSON body and its value. @throws UpstreamFailure if it is none */
function jsonOf(chunks: readonly Buffer[], type: string): { text: string; value: unknown } {
	const charset = /;\s*charset="?([\w-]+)/i.exec(type)?.[1] ?? 'utf-8';
	try {
		const text = new TextDecoder(charset, { fatal: true }).decode(Buffer.concat(chunks));
		return text.trim() === '' ? { text: 'null', value: null } : { text, value: JSON.parse(text) };
	} catch (error) {
		throw new UpstreamFailure('invalidResponse', error);
	}
}

/** The original text is kept: numbers may have more digits than JavaScript's. */
function enveloped(
	{ text, value }: { readonly text: string; readonly value: unknown },
	status: number,
	{ exchange, now }: Wrapping,
): string {
	if (status >= 400) return failure(value, status, exchange.requestId, now());
	if (isEnvelope(value)) return text;
	const [before, after] = successParts(status, now());
	return before + text + after;
}

function successParts(status: number, now: Date): [before: string, after: string] {
	const message = JSON.stringify(STATUS_CODES[status] ?? 'OK');
	return ['{"success":true,"data":', `,"message":${message},"timestamp":"${now.toISOString()}"}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function isEnvelope(value: unknown): value is { data: unknown; message: string } {
	if (!isObject(value)) return false;
	const { success, message, timestamp } = value;
	return (
		typeof success === 'boolean' &&
		'data' in value &&
		typeof message === 'string' &&
		typeof timestamp === 'string'
	);
}

const codePattern = /^[A-Z][A-Z0-9_]{1,63}$/;

/** From problem+json (RFC 9457), an envelope, or any other JSON. Other members are kept for programs: `type` identifies a problem. */
function failure(value: unknown, status: number, requestId: string, now: Date): string {
	const isOwn = isEnvelope(value);
	const body = isOwn ? value.data : value;
	const details = isObject(body) ? body : body === null ? {} : { details: body };
	const texts = [
		isOwn ? value.message : undefined,
		details['detail'],
		details['message'],
		details['title'],
		details['error'],
	];
	const [fallbackCode, fallbackMessage] = codeOfStatus(status);
	const message = texts.find((text) => typeof text === 'string' && text !== '') ?? fallbackMessage;
	const code = [details['code'], details['error']].find(
		(each) => typeof each === 'string' && codePattern.test(each),
	);
	const { detail: _, message: __, ...others } = details;
	const data = { ...others, code: String(code ?? fallbackCode), status, requestId };
	return JSON.stringify(errorEnvelope(data, String(message), now));
}

interface EnvelopedBodyParts {
	readonly body: ResponseBody;
	readonly before: string;
	readonly chunks: readonly Buffer[];
	readonly remainder: Remainder;
	readonly after: string;
}

/** A long body, put into the envelope while it arrives. */
class EnvelopedBody implements ResponseBody {
	readonly whole = false;
	readonly hasBegun = true;
	readonly #parts: EnvelopedBodyParts;

	constructor(parts: EnvelopedBodyParts) {
		this.#parts = parts;
	}

	async sendTo(res: Writable, onCutOff: () => void): Promise<void> {
		const { before, chunks, remainder, after } = this.#parts;
		res.once('close', remainder.discard);
		try {
			if (before !== '') await written(res, before);
			for (const chunk of chunks) await written(res, chunk);
			for (;;) {
				const { done, value } = await remainder.source.next();
				if (done === true) break;
				await written(res, value);
			}
		} catch (error) {
			if (!res.destroyed) onCutOff();
			res.destroy();
			throw error;
		}
		await ended(res, after);
	}

	destroy(): void {
		this.#parts.remainder.discard();
	}

	onClosed(listener: (end: BodyEnd) => void): void {
		this.#parts.body.onClosed(listener);
	}
}

function written(res: Writable, chunk: Buffer | string): Promise<void> {
	if (res.destroyed) return Promise.reject(new Error('The client disconnected.'));
	if (res.write(chunk)) return Promise.resolve();
	return new Promise((resolve, reject) => {
		const end = (finish: () => void) => () => {
			res.off('drain', drained);
			res.off('close', closed);
			finish();
		};
		const drained = end(resolve);
		const closed = end(() => reject(new Error('The client disconnected.')));
		res.on('drain', drained);
		res.on('close', closed);
	});
}

function ended(res: Writable, text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		res.once('finish', resolve);
		res.once('close', () => reject(new Error('The client disconnected.')));
		res.end(text);
	});
}
