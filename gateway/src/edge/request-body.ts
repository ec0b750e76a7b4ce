import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiError } from '@paddock/contract';
import { hasBody } from '@paddock/service';
import { type Exchange, exchangeOf } from '../exchange.ts';
import type { Step } from '../pipeline.ts';
import { BodyBuffer, type BodyShares, clientShare, createBodyBudget } from './body-buffer.ts';
import { clientNetwork } from './client-network.ts';

export interface RequestBodySettings {
	/** Of one body. */
	readonly bytesMax: number;
	/** Of all bodies together, from their first byte until they have been forwarded. */
	readonly bufferBytesMax: number;
	/** Bytes a second in each interval of the grace time; 0 = no minimum. */
	readonly rateMin: number;
	readonly graceMs: number;
	/** Called with the bytes buffered whenever that changes. */
	readonly onBuffered: (bytes: number) => void;
}

const retryAfterMs = 1_000;
/** The share of `bufferBytesMax` that the bodies of one client may occupy; one body of `bytesMax` fits in any case. */
const clientShareMax = 1 / 8;

/**
 * Reads the body before the request takes a bulkhead slot: a client that sends headers and no body then costs a socket,
 * and not the slot of another client's request. A body that arrives slower than the minimum rate ends with 408.
 * https://learn.microsoft.com/aspnet/core/fundamentals/servers/kestrel/options (MinRequestBodyDataRate)
 */
export function requestBody(settings: RequestBodySettings): Step {
	const budget = createBodyBudget(settings.bufferBytesMax, settings.onBuffered);
	const shares: BodyShares = new Map();
	const bytesMax = Math.max(settings.bytesMax, Math.floor(settings.bufferBytesMax * clientShareMax));
	return function requestBody(req, res) {
		if (!hasBody(req)) return undefined;
		const share = clientShare({ budget, shares, bytesMax }, clientOf(exchangeOf(req)));
		const buffer = new BodyBuffer(settings.bytesMax, share);
		if (!hasArrived(req)) return receive(req, res, { settings, buffer });
		const chunk: Buffer = req.read();
		// A stream emits 'end' only if it has been read.
		req.resume();
		add(buffer, chunk, exchangeOf(req), settings);
		keep(buffer, exchangeOf(req));
		return undefined;
	};
}

function clientOf({ principal, clientAddress }: Exchange): string {
	return principal?.userId ?? clientNetwork(clientAddress);
}

/** The common case of a small body: it arrived completely with its headers. */
function hasArrived({ readableLength, headers }: IncomingMessage): boolean {
	return readableLength > 0 && String(readableLength) === headers['content-length'];
}

/** @throws ApiError if it is too large or no memory is available */
function add(buffer: BodyBuffer, chunk: Buffer, exchange: Exchange, { bytesMax }: RequestBodySettings): void {
	const refusal = buffer.add(chunk);
	if (refusal === undefined) return;
	buffer.release();
	if (refusal === 'tooLarge') throw apiError('PAYLOAD_TOO_LARGE', { context: { bytesMax } });
	exchange.failure = 'overloaded';
	throw apiError('OVERLOADED', { retryAfterMs });
}

function keep(buffer: BodyBuffer, exchange: Exchange): void {
	exchange.body = {
		bytes: buffer.bytes(),
		release: () => {
			exchange.body = undefined;
			buffer.release();
		},
	};
}

/** Awaits a check that follows the body. Releases the body if the check fails or the client disconnects; no later step would. */
export async function releaseUnlessPassed(
	req: IncomingMessage,
	res: ServerResponse,
	check: Promise<void>,
): Promise<undefined> {
	try {
		await check;
	} catch (error) {
		exchangeOf(req).body?.release();
		throw error;
	}
	if (res.closed) exchangeOf(req).body?.release();
}

/** Resolves with 'handled' if the client has disconnected. @throws ApiError */
function receive(
	req: IncomingMessage,
	res: ServerResponse,
	{ settings, buffer }: { settings: RequestBodySettings; buffer: BodyBuffer },
): Promise<undefined | 'handled'> {
	const exchange = exchangeOf(req);
	return new Promise((resolve, reject) => {
		let isOver = false;
		const timer = rateTimer(settings, buffer, () => refuse(apiError('REQUEST_TIMEOUT')));
		const end = (): void => {
			isOver = true;
			timer.stop();
		};
		const refuse = (error: unknown): void => {
			end();
			buffer.release();
			reject(error);
		};
		req.on('data', (chunk: Buffer) => {
			// After a refusal the error responder reads and drops the remainder.
			if (isOver) return;
			try {
				add(buffer, chunk, exchange, settings);
			} catch (error) {
				refuse(error);
			}
		});
		req.on('end', () => {
			if (isOver) return;
			end();
			exchange.receivedAt = performance.now();
			keep(buffer, exchange);
			resolve(undefined);
		});
		const onClose = (): void => {
			end();
			buffer.release();
			resolve('handled');
		};
		// 'close' fires once, and may have fired during an earlier step.
		if (res.closed) onClose();
		else res.on('close', onClose);
	});
}

/** Expires when an interval of the grace time brings fewer bytes than the minimum rate, whatever arrived before it. */
function rateTimer(
	{ rateMin, graceMs }: RequestBodySettings,
	buffer: BodyBuffer,
	expired: () => void,
): { stop: () => void } {
	if (rateMin === 0) return { stop: () => undefined };
	const bytesMin = (rateMin * graceMs) / 1_000;
	let sizeBefore = 0;
	const timer = setInterval(() => {
		if (buffer.size - sizeBefore < bytesMin) expired();
		sizeBefore = buffer.size;
	}, graceMs);
	return { stop: () => clearInterval(timer) };
}
