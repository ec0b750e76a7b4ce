import type { IncomingMessage } from 'node:http';
import { apiError, commonErrors } from '@paddock/contract';
import type { NextFunction, Request, Response } from 'express';
import { hasBody } from './http-messages.ts';

const depthMax = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const jsonType = /^application\/json\s*(?:;|$)/i;
const patchType = /^application\/(?:merge-patch\+)?json\s*(?:;|$)/i;
/** The media types of a PATCH, the one of RFC 7396 first. */
export const patchTypes = ['application/merge-patch+json', 'application/json'] as const;
const patchRefusal = {
	message: `Send the body as ${patchTypes.join(' or ')} in UTF-8, not compressed.`,
	// RFC 5789 §2.2
	headers: { 'Accept-Patch': patchTypes.join(', ') },
};
// RFC 8259 §11: `charset` has no effect on JSON, whatever its value. These encodings can't be UTF-8 all the same.
const otherEncoding = /;\s*charset\s*=\s*"?\s*(?:utf-?(?:7|16|32)|ucs-?[24]|iso-10646-ucs)/i;

/**
 * Reads a JSON body of at most `bytesMax` bytes into `req.body`. 415: another content type or a compressed body. 400:
 * whatever would be stored altered or not at all (RFC 7493 §2), e.g. a duplicate name or an inexact integer.
 */
export function jsonBody(options: { bytesMax: number; isPatch?: boolean; isOptional?: boolean }) {
	const accepted = options.isPatch ? patchType : jsonType;
	return async function jsonBody(req: Request, _res: Response, next: NextFunction): Promise<void> {
		if (options.isOptional === true && !hasBody(req)) return next();
		// Without a body there is no content whose type could be refused (RFC 9110 §15.5.16).
		if (req.headers['content-type'] === undefined && !hasBody(req))
			throw apiError('MALFORMED_JSON', { message: 'The body is missing; a JSON object is required.' });
		const type = req.headers['content-type'] ?? '';
		if (!accepted.test(type) || otherEncoding.test(type))
			throw apiError('UNSUPPORTED_MEDIA_TYPE', options.isPatch ? patchRefusal : {});
		req.body = parseJson(await readBody(req, options.bytesMax));
		next();
	};
}

export interface TextBody {
	/** Media type without parameters: `message/rfc822`. */
	readonly type: string;
	readonly bytesMax: number;
}

/** Reads a body of that type into `req.body`; bytes that are not UTF-8 become U+FFFD. 415: another type or a compressed body. */
export function textBody({ type, bytesMax }: TextBody) {
	return async function textBody(req: Request, _res: Response, next: NextFunction): Promise<void> {
		const [given = ''] = (req.headers['content-type'] ?? '').split(';');
		if (given.trim().toLowerCase() !== type)
			throw apiError('UNSUPPORTED_MEDIA_TYPE', { message: `Send the body as ${type}, not compressed.` });
		req.body = (await readBody(req, bytesMax)).toString('utf8');
		next();
	};
}

/** @throws ApiError MALFORMED_JSON with a message that states the error. */
function parseJson(bytes: Uint8Array): unknown {
	let text: string;
	try {
		text = utf8.decode(bytes);
	} catch (cause) {
		throw apiError('MALFORMED_JSON', { message: 'The body is not valid UTF-8.', cause });
	}
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (cause) {
		throw apiError('MALFORMED_JSON', {
			message:
				text.trim() === ''
					? 'The body is empty; a JSON object is required.'
					: commonErrors.MALFORMED_JSON.message,
			cause,
		});
	}
	refuseUnstorable(value);
	const twice = duplicateName(text);
	if (twice !== undefined)
		throw apiError('MALFORMED_JSON', {
			message: `The name "${twice.slice(0, 100).toWellFormed()}" is given twice.`,
		});
	return value;
}

// Iterative: recursion would overflow on the nesting that this check refuses.
function refuseUnstorable(root: unknown): void {
	const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }];
	for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
		const { value, depth } = next;
		if (typeof value === 'string') refuseText(value);
		if (typeof value === 'number') refuseNumber(value);
		if (typeof value !== 'object' || value === null) continue;
		if (depth >= depthMax)
			throw apiError('MALFORMED_JSON', { message: `The body is nested deeper than ${depthMax} levels.` });
		for (const [key, entry] of Object.entries(value)) {
			if (key === '__proto__')
				throw apiError('MALFORMED_JSON', { message: 'The name __proto__ is refused.' });
			refuseText(key);
			pending.push({ value: entry, depth: depth + 1 });
		}
	}
}

function refuseText(text: string): void {
	if (text.includes('\0')) throw apiError('MALFORMED_JSON', { message: 'The character U+0000 is refused.' });
	if (!text.isWellFormed())
		throw apiError('MALFORMED_JSON', { message: 'A lone surrogate is not valid Unicode.' });
}

function refuseNumber(number: number): void {
	if (Number.isInteger(number) && !Number.isSafeInteger(number)) {
		throw apiError('MALFORMED_JSON', { message: 'A number is too large to be kept exactly.' });
	}
	if (!Number.isFinite(number)) throw apiError('MALFORMED_JSON', { message: 'A number is out of range.' });
}

// Strings and the punctuation that opens, closes and separates; the remaining JSON text is irrelevant here.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gs;

/** The first duplicate name in an object of a valid JSON text (RFC 7493 §2.3): JSON.parse would keep its last value. */
function duplicateName(json: string): string | undefined {
	// One entry for each open object (its names) and array (undefined).
	const open: (Set<string> | undefined)[] = [];
	let previous = '';
	for (const [token] of json.matchAll(tokens)) {
		if (token === '{') open.push(new Set());
		else if (token === '[') open.push(undefined);
		else if (token === '}' || token === ']') open.pop();
		else if (token !== ',' && (previous === '{' || previous === ',')) {
			const names = open.at(-1);
			const name = nameOf(token);
			if (names?.has(name)) return name;
			names?.add(name);
		}
		previous = token;
	}
	return undefined;
}

// "a" and "\u0061" are the same name.
function nameOf(token: string): string {
	return token.includes('\\') ? String(JSON.parse(token)) : token.slice(1, -1);
}

/**
 * Reads a request's uncompressed body of at most `bytesMax` bytes; empty if there is none. Rejects as soon as the body
 * is known to be too large and leaves the remainder unread: Express's own parsers read it to its end first.
 * @throws ApiError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for a compressed one, MALFORMED_REQUEST for a cut-off one.
 */
export async function readBody(req: IncomingMessage, bytesMax: number): Promise<Buffer> {
	const { 'content-length': length = '0', 'content-encoding': encoding = 'identity' } = req.headers;
	if (encoding.toLowerCase() !== 'identity') throw apiError('UNSUPPORTED_MEDIA_TYPE');
	if (Number(length) > bytesMax) throw apiError('PAYLOAD_TOO_LARGE');
	// A stream without a body has ended before any listener is added (http-server.ts) and emits no events.
	if (!hasBody(req)) return Buffer.alloc(0);
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		// The refusal of a large body is sent over the connection, which the end of an ordinary loop would destroy.
		for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			if (bytes > bytesMax) break;
			chunks.push(chunk);
		}
	} catch (cause) {
		throw apiError('MALFORMED_REQUEST', { message: 'The body ended early.', cause });
	}
	if (bytes > bytesMax) throw apiError('PAYLOAD_TOO_LARGE');
	return Buffer.concat(chunks);
}
