import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { ApiError, apiError, type BaseDto, errorEnvelope, successEnvelope } from '@paddock/contract';
import type { Logger } from '@paddock/telemetry';
import { causeText } from '@paddock/telemetry/loggable';
import type { Response } from 'express';
import { endResponse } from '../http/http-messages.ts';
import { contentTag, noneMatch, shownVersionTag, versionTag } from './conditions.ts';
import type { ResponseWriter, Route } from './route.ts';
import { cacheControlText } from './shared-freshness.ts';

/** Writes the response of a route: status, headers, envelope; 304 for the current version. @param data or a `ResponseWriter` */
export function sendResponse<Deps>(
	res: Response,
	route: Route<Deps>,
	data: unknown,
	now: Date,
): void | Promise<void> {
	if (route.cacheControl !== undefined) res.setHeader('Cache-Control', cacheControlText(route.cacheControl));
	if (typeof data === 'function') return (data as ResponseWriter)(res);
	if (isStream(data)) return sendStream(res, route, data);
	const isUnavailable = route.unavailableIf?.(data as never) === true;
	const text = bodyText(route, data, { isUnavailable, now });
	const readable = route.method === 'get';
	// The tokens and codes that the API issues are in responses to POST, so their length reveals nothing (BREACH).
	const isCompressed = readable && isCompressible(res, text);
	const ownTag = entityTag(route, data);
	const tag = isCompressed && ownTag !== undefined ? compressedTag(ownTag) : ownTag;
	if (tag !== undefined) res.setHeader('ETag', tag);
	if (readable && tag !== undefined && !noneMatch(res.req.headers['if-none-match'], tag)) {
		res.status(304).end();
		return;
	}
	if (route.location !== undefined) res.setHeader('Location', route.location(data as never));
	setFileName(res, route);
	res.status(isUnavailable ? 503 : (route.status ?? 200));
	send(res, contentTypeOf(route, data), isCompressed ? compress(res, text) : text);
}

/** Whether a handler returned a document in parts. */
export function isStream(data: unknown): data is AsyncIterable<string> {
	return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

// The deadline of the request is for the headers: a client may read a long document for longer.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** Writes the parts as the client reads them. An error before the first part has its envelope; a later one closes the connection. */
async function sendStream<Deps>(
	res: Response,
	route: Route<Deps>,
	data: AsyncIterable<string>,
): Promise<void> {
	const parts = data[Symbol.asyncIterator]();
	const first = await parts.next();
	setFileName(res, route);
	res.setHeader('Content-Type', contentTypeOf(route, ''));
	res.vary('Accept-Encoding');
	const isCompressed = res.req.acceptsEncodings('gzip', 'identity') === 'gzip';
	if (isCompressed) res.setHeader('Content-Encoding', 'gzip');
	if (res.req.method === 'HEAD') {
		await parts.return?.();
		res.end();
		return;
	}
	const all = async function* () {
		if (first.done !== true) yield first.value;
		yield* { [Symbol.asyncIterator]: () => parts };
	};
	try {
		await outsideOfRequests(() => (isCompressed ? pipeline(all, createGzip(), res) : pipeline(all, res)));
	} catch (error) {
		// The client has left.
		if (Reflect.get(Object(error), 'code') !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
	}
}

function setFileName<Deps>(res: Response, { fileName }: Route<Deps>): void {
	if (fileName !== undefined) res.setHeader('Content-Disposition', `attachment; filename="${fileName}"`);
}

/** Writes an error response. Closes the connection if a response has begun. */
export function sendError(res: ServerResponse, error: ApiError, requestId: string, now: Date): void {
	if (res.headersSent) {
		res.destroy();
		return;
	}
	for (const name of ['ETag', 'Cache-Control', 'Location']) res.removeHeader(name);
	res.setHeader('Cache-Control', 'no-store');
	for (const [name, value] of Object.entries(error.headers)) res.setHeader(name, value);
	res.statusCode = error.status;
	const envelope: BaseDto<unknown> = errorEnvelope(error.toData(requestId), error.message, now);
	send(res, 'application/json; charset=utf-8', JSON.stringify(envelope));
}

/** Runs `write`, which writes a failure. If that throws, closes the connection: it would stay pending, or crash the process. */
export function guardErrorResponse(res: ServerResponse, log: Logger, write: () => void): void {
	try {
		write();
	} catch (bug) {
		res.destroy();
		log.error('failure response not written', { error: asError(bug) });
	}
}

function messageOf<Deps>({ message }: Route<Deps>, data: unknown): string {
	return typeof message === 'string' ? message : message(data as never);
}

function entityTag<Deps>(route: Route<Deps>, data: unknown): string | undefined {
	if (route.etag === undefined) return undefined;
	if (route.etag === 'content') return contentTag(typeof data === 'string' ? data : JSON.stringify(data));
	const version = typeof data === 'object' && data !== null ? Reflect.get(data, 'version') : undefined;
	if (typeof version !== 'number')
		throw new TypeError(`${route.operationId} declares a version tag but its data has no version.`);
	return route.etag === 'version' ? versionTag(version) : shownVersionTag(version, JSON.stringify(data));
}

function bodyText<Deps>(
	route: Route<Deps>,
	data: unknown,
	{ isUnavailable, now }: { readonly isUnavailable: boolean; readonly now: Date },
): string {
	if (route.document !== undefined) return typeof data === 'string' ? data : JSON.stringify(data);
	const envelope = successEnvelope(data, messageOf(route, data), now);
	return JSON.stringify(isUnavailable ? { ...envelope, success: false } : envelope);
}

function contentTypeOf<Deps>({ document }: Route<Deps>, data: unknown): string {
	if (document !== undefined && typeof data !== 'string') return document;
	return `${document ?? 'application/json'}; charset=utf-8`;
}

function send(res: ServerResponse, type: string, body: string | Buffer): void {
	res.setHeader('Content-Type', type);
	res.setHeader('Content-Length', Buffer.byteLength(body));
	endResponse(res, res.req.method === 'HEAD' ? undefined : body);
}

/** Converts a thrown value to an Error. The value may be anything, even an object that can't be converted to text. */
export function asError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error('What was thrown is no Error.', { cause: thrown });
}

/** Converts a thrown value to a public error; logs its internal cause. */
export function toApiError(error: unknown, log: Logger): ApiError {
	if (error instanceof ApiError) {
		// Without a cause the log entry would only repeat the access log, at a cost under overload.
		if (error.status >= 500 && error.cause !== undefined)
			log.warn(error.message, {
				code: error.code,
				context: error.context['context'],
				cause: causeText(error.cause),
			});
		return error;
	}
	log.error('unexpected error', { error: asError(error) });
	return apiError('INTERNAL_ERROR', { cause: error });
}

// Compressing a shorter body costs more time than sending it: it fits into one packet either way.
const compressedFromBytes = 1_024;

/** Whether the response is sent with gzip. To be called before the tags are compared: all vary by `Accept-Encoding`. */
function isCompressible(res: Response, text: string): boolean {
	res.vary('Accept-Encoding');
	if (Buffer.byteLength(text) < compressedFromBytes) return false;
	return res.req.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/** The strong tag of the compressed form differs from that of the plain form, since their bytes differ; a weak one doesn't. */
function compressedTag(tag: string): string {
	return tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}-gzip"`;
}

/** Compresses a body. Synchronous: threads cost more, and may be busy with password hashes (docs/decisions/0036). */
function compress(res: Response, text: string): Buffer {
	res.setHeader('Content-Encoding', 'gzip');
	return gzipSync(text);
}
