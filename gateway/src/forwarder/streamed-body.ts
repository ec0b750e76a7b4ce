import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { BodyIdleTimer } from './body-idle-timer.ts';
import { resetConnection } from './connect-instance.ts';
import type { BodyEnd, ResponseBody } from './forwarder.ts';

interface StreamedBodyOptions {
	/** `endsWithConnection` */
	readonly untilClosed: boolean;
	/** How long the instance may pause within the body. */
	readonly idleTimeoutMs: number;
}

/** A body as a stream of Node. Not `pipeline`: that destroys `res` before `onCutOff` is called, and takes a reset for the end. */
export class StreamedBody implements ResponseBody {
	readonly whole = false;
	readonly #stream: IncomingMessage;
	/** Kept, because Node removes it from the stream at the end of the message. */
	readonly #socket: Socket;
	readonly #untilClosed: boolean;
	readonly #idle: BodyIdleTimer;
	/** The first reason why it ended early; its consequences must not replace it. */
	#endedBy: BodyEnd | undefined;

	constructor(stream: IncomingMessage, { untilClosed, idleTimeoutMs }: StreamedBodyOptions) {
		this.#stream = stream;
		this.#socket = stream.socket;
		this.#untilClosed = untilClosed;
		this.#idle = new BodyIdleTimer(idleTimeoutMs, () => {
			stream.destroy(new Error('The response body paused for too long.'));
		});
	}

	get hasBegun(): boolean {
		return this.#stream.readableDidRead || this.#stream.readableLength > 0;
	}

	sendTo(res: Writable, onCutOff: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			let reason: Error | undefined;
			const broken = (error: Error): void => {
				if (reason !== undefined || res.writableEnded) return;
				reason = error;
				this.#endedBy ??= this.#brokenBy();
				onCutOff();
				res.destroy();
			};
			// By the gateway: when a client leaves, the signal is aborted first.
			const closed = (): void => {
				this.#endedBy ??= 'discarded';
				this.abort();
				reject(reason ?? new Error('The receiver of the body was closed.'));
			};
			res.on('finish', resolve);
			res.on('close', () => {
				if (!res.writableFinished) closed();
			});
			if (res.closed) closed();
			else this.#send(res, broken);
		});
	}

	destroy(): void {
		this.#endedBy ??= 'discarded';
		this.#stream.destroy();
	}

	abort(): void {
		this.#endedBy ??= 'clientAborted';
		if (!this.#stream.complete) resetConnection(this.#socket);
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

	/** Node's client treats a reset as the end of a body that only the end of the connection ends. */
	#endIsKnown(): boolean {
		return !this.#untilClosed || this.#socket.readableEnded;
	}

	/** Sends it as it arrives, paused while the client is slow. */
	#send(res: Writable, broken: (error: Error) => void): void {
		const stream = this.#stream;
		const idle = this.#idle;
		idle.start();
		stream.on('error', broken);
		stream.on('close', () => {
			idle.stop();
			if (!res.writableEnded)
				broken(new Error('The instance closed the connection in the middle of the body.'));
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
