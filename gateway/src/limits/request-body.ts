import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiError } from '@paddock/contract';
import { clientNetwork, hasBody } from '@paddock/service';
import type { GatewayConfig } from '../config/config.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Step } from '../exchange/pipeline.ts';
import { BodyBuffer, createBodyMemory } from './body-buffer.ts';

const retryAfterMs = 1_000;
/** The share of BODY_BUFFER_BYTES_MAX that the bodies of one client may occupy; one body of BODY_BYTES_MAX fits in any case. */
const clientShareMax = 1 / 8;

/**
 * Reads the body before the request takes a bulkhead slot. One that arrives slower than the minimum rate ends
 * with 408, as MinRequestBodyDataRate of Kestrel: https://learn.microsoft.com/aspnet/core/fundamentals/servers/kestrel/options
 * @param onBuffered called with the bytes of all bodies in memory whenever that changes
 */
export function requestBody(config: GatewayConfig, onBuffered: (bytes: number) => void): Step {
	const { BODY_BUFFER_BYTES_MAX: bytesMax, BODY_BYTES_MAX: bodyBytesMax } = config;
	const clientBytesMax = Math.max(bodyBytesMax, Math.floor(bytesMax * clientShareMax));
	const memory = createBodyMemory({ bytesMax, clientBytesMax, onChange: onBuffered });
	return function requestBody(exchange, req, res) {
		if (!hasBody(req)) return undefined;
		const ownMax = exchange.context?.attached?.bodyBytesMax ?? bodyBytesMax;
		const buffer = new BodyBuffer(ownMax, memory, clientOf(exchange));
		if (!hasArrived(req)) return receive(exchange, req, res, { config, buffer });
		// Whatever happens to the request, its response closes.
		res.once('close', () => release(buffer, exchange));
		const chunk: Buffer = req.read();
		// A stream emits 'end' only if it has been read.
		req.resume();
		add(buffer, chunk, exchange);
		keep(buffer, exchange);
		return undefined;
	};
}

function clientOf({ principal, client }: Exchange): string {
	return principal?.userId ?? clientNetwork(client.address);
}

/** The common case of a small body: it arrived completely with its headers. */
function hasArrived({ readableLength, headers }: IncomingMessage): boolean {
	return readableLength > 0 && String(readableLength) === headers['content-length'];
}

/** @throws ApiError if it is too large or no memory is available */
function add(buffer: BodyBuffer, chunk: Buffer, exchange: Exchange): void {
	const refusal = buffer.add(chunk);
	if (refusal === undefined) return;
	buffer.release();
	if (refusal === 'tooLarge') throw apiError('PAYLOAD_TOO_LARGE', { context: { bytesMax: buffer.bytesMax } });
	exchange.failure = 'overloaded';
	throw apiError('OVERLOADED', { retryAfterMs });
}

function keep(buffer: BodyBuffer, exchange: Exchange): void {
	exchange.body = { bytes: buffer.bytes(), release: () => release(buffer, exchange) };
}

function release(buffer: BodyBuffer, exchange: Exchange): void {
	exchange.body = undefined;
	buffer.release();
}

/** Resolves with 'handled' if the client has disconnected. @throws ApiError */
function receive(
	exchange: Exchange,
	req: IncomingMessage,
	res: ServerResponse,
	{ config, buffer }: { config: GatewayConfig; buffer: BodyBuffer },
): Promise<undefined | 'handled'> {
	return new Promise((resolve, reject) => {
		let isOver = false;
		const stopTimer = rateTimer(config, buffer, () => refuse(apiError('REQUEST_TIMEOUT')));
		const end = (): void => {
			isOver = true;
			stopTimer();
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
				add(buffer, chunk, exchange);
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
		res.once('close', () => {
			end();
			release(buffer, exchange);
			resolve('handled');
		});
	});
}

/** Expires when one grace interval brings fewer bytes than the minimum rate. @returns a function that stops it */
function rateTimer(
	{ BODY_RATE_MIN: rateMin, BODY_GRACE_MS: graceMs }: GatewayConfig,
	buffer: BodyBuffer,
	expired: () => void,
): () => void {
	if (rateMin === 0) return () => undefined;
	const bytesMin = (rateMin * graceMs) / 1_000;
	let sizeBefore = 0;
	const timer = setInterval(() => {
		if (buffer.size - sizeBefore < bytesMin) expired();
		sizeBefore = buffer.size;
	}, graceMs);
	return () => clearInterval(timer);
}
