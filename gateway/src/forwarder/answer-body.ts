import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BodyIdleTimer } from './body-idle-timer.ts';

/** More than this isn't worth being turned into text. */
export const smallBytes = 16_384;

/**
 * How the body of a response ended: `complete`; `discarded` by the gateway, which had no use for it; `cutOff` by the
 * instance; `clientAborted`, because the client left or read nothing for too long.
 */
export type BodyEnd = 'complete' | 'discarded' | 'cutOff' | 'clientAborted';

/** The body of an answer on its way from an instance. It is passed on as it comes, at the speed of its reader. */
export interface AnswerBody {
	/** All of it is here already: it came in one piece with its head. */
	readonly whole: boolean;
	/** At least one byte of it has arrived. */
	readonly hasBegun: boolean;
	/**
	 * Sends it as the body of `res` and ends that. Resolves when the client has all of it. When the instance breaks off
	 * `onBroken` is called first, then `res` is destroyed: half a body must not look whole.
	 * @throws whatever broke it off, on either side
	 */
	sendTo(res: ServerResponse, onBroken: () => void): Promise<void>;
	/** Discards it and closes the connection to the instance. */
	destroy(): void;
	/** Calls back once, when nothing more will arrive from the instance. */
	onClosed(listener: (end: BodyEnd) => void): void;
}

/**
 * Whether only the end of the connection ends the body (RFC 9112 §6.3). Both engines take a reset for that end; half
 * a body would look whole, so each lane must ask the socket how it ended.
 */
export function endsWithConnection(method: string, status: number, headers: IncomingHttpHeaders): boolean {
	return (
		headers['content-length'] === undefined &&
		headers['transfer-encoding'] === undefined &&
		status !== 204 &&
		status !== 304 &&
		method !== 'HEAD'
	);
}

export interface StreamedBodyOptions {
	/** `endsWithConnection` */
	readonly untilClosed: boolean;
	/** How long the instance may pause within the body. */
	readonly idleTimeoutMs: number;
}

/** A body that comes as a stream of Node's. Connected by hand: `pipeline` makes an AbortController and an error for each. */
export class StreamedBody implements AnswerBody {
	readonly whole = false;
	readonly #stream: IncomingMessage;
	/** Kept, because Node takes it from the stream with the end of the message. */
	readonly #socket: Socket;
	readonly #untilClosed: boolean;
	readonly #idle: BodyIdleTimer;
	/** The first reason why it ended early; what follows from that must not replace it. */
	#endedBy: BodyEnd | undefined;

	constructor(stream: IncomingMessage, { untilClosed, idleTimeoutMs }: StreamedBodyOptions) {
		this.#stream = stream;
		this.#socket = stream.socket;
		this.#untilClosed = untilClosed;
		this.#idle = new BodyIdleTimer(idleTimeoutMs, () => {
			stream.destroy(new Error('The service stopped in the middle of its answer.'));
		});
	}

	get hasBegun(): boolean {
		return this.#stream.readableDidRead || this.#stream.readableLength > 0;
	}

	sendTo(res: ServerResponse, onBroken: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			let reason: Error | undefined;
			const broken = (error: Error): void => {
				if (reason !== undefined || res.writableEnded) return;
				reason = error;
				this.#endedBy ??= this.#brokenBy();
				onBroken();
				res.destroy();
			};
			res.on('finish', resolve);
			res.on('close', () => {
				if (res.writableFinished) return;
				this.abort();
				reject(reason ?? new Error('The client left.'));
			});
			if (res.closed) {
				this.abort();
				reject(new Error('The client left.'));
			} else if (this.#isHere()) this.#sendAtOnce(res);
			else this.#sendOn(res, broken);
		});
	}

	destroy(): void {
		this.#endedBy ??= 'discarded';
		this.#stream.destroy();
	}

	/** The client has left. */
	abort(): void {
		this.#endedBy ??= 'clientAborted';
		this.#stream.destroy();
	}

	onClosed(listener: (end: BodyEnd) => void): void {
		this.#stream.once('close', () => listener(this.#end()));
	}

	#end(): BodyEnd {
		if (this.#stream.complete && this.#endIsKnown()) return 'complete';
		return this.#endedBy ?? this.#brokenBy();
	}

	#brokenBy(): BodyEnd {
		return this.#idle.clientStalled ? 'clientAborted' : 'cutOff';
	}

	/** Node's client takes a reset for the end of a body that only the end of the connection ends. */
	#endIsKnown(): boolean {
		return !this.#untilClosed || this.#socket.readableEnded;
	}

	/** The usual case of a small answer: it came with its head. */
	#isHere(): boolean {
		const stream = this.#stream;
		const { complete, destroyed, readableLength } = stream;
		return complete && !this.#untilClosed && !destroyed && readableLength <= smallBytes;
	}

	#sendAtOnce(res: ServerResponse): void {
		endWith(res, this.#stream.read());
		// The connection is free when its end has been read, too.
		this.#stream.resume();
	}

	/** Passes it on as it comes, paused while the client is slow. */
	#sendOn(res: ServerResponse, broken: (error: Error) => void): void {
		const stream = this.#stream;
		const idle = this.#idle;
		idle.start();
		stream.on('error', broken);
		stream.on('close', () => {
			idle.stop();
			if (!res.writableEnded) broken(new Error('The service broke off in the middle of its answer.'));
		});
		stream.on('end', () => {
			idle.stop();
			if (this.#endIsKnown()) res.end();
			else broken(new Error('The connection was reset in the middle of the body.'));
		});
		res.on('drain', () => {
			if (stream.destroyed || stream.readableEnded) return;
			idle.resume();
			stream.resume();
		});
		stream.on('data', (chunk: Buffer) => {
			idle.received();
			if (res.write(chunk)) return;
			idle.pause();
			stream.pause();
		});
	}
}

/** Ends an answer with the rest of its body, a small one in one piece with the head: as bytes they would be two. */
export function endWith(res: ServerResponse, rest: Buffer | null | undefined): void {
	if (rest === null || rest === undefined) res.end();
	else if (rest.length > smallBytes) res.end(rest);
	else res.end(rest.toString('latin1'), 'latin1');
}
