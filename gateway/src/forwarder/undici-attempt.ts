import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { endsWithConnection, endWith, hasUnknownCoding } from '@paddock/service';
import type { Dispatcher } from 'undici';
import { UpstreamFailure } from '../exchange/failures.ts';
import { joinRepeatedHeaders } from '../exchange/headers.ts';
import { BodyIdleTimer } from './body-idle-timer.ts';
import { resetConnection } from './connect-instance.ts';
import type { BodyEnd, ForwardRequest, ResponseBody, UpstreamResponse } from './forwarder.ts';
import { classifyUndiciError } from './undici-errors.ts';
import type { PooledConnection } from './undici-forwarder.ts';

interface UndiciAttemptDeps {
	readonly request: ForwardRequest;
	readonly responded: (response: UpstreamResponse) => void;
	readonly failed: (failure: unknown) => void;
	/** Called when the connection is idle again, or closed. */
	readonly released: () => void;
}

/** The client's response, once the body is to be sent there. */
interface Sink {
	readonly res: Writable;
	readonly onCutOff: () => void;
	readonly resolve: () => void;
	readonly reject: (error: unknown) => void;
}

// Buffered before the body is sent anywhere; one read of a socket is no more than that.
const waitingBytesMax = 65_536;

/** One request through the pool and the body of its response, without a stream in between, which would cost most of the time. */
export class UndiciAttempt implements Dispatcher.DispatchHandler, ResponseBody {
	connection: PooledConnection | undefined;
	hasBegun = false;
	readonly #deps: UndiciAttemptDeps;
	#controller: Dispatcher.DispatchController | undefined;
	/** To the response headers. */
	readonly #timer: NodeJS.Timeout;
	/** Made when the body doesn't come in one piece. */
	#idle: BodyIdleTimer | undefined;
	#reused = false;
	/** The response headers have arrived, or the attempt has failed. */
	#settled = false;
	/** Nothing more will arrive from the instance. */
	#closed = false;
	#brokenBy: unknown;
	#untilClosed = false;
	/** Why the gateway ended it, if it did. */
	#endedBy: 'discarded' | 'clientAborted' | undefined;
	readonly #waiting: Buffer[] = [];
	#waitingBytes = 0;
	#sink: Sink | undefined;
	#closedListener: ((end: BodyEnd) => void) | undefined;

	constructor(deps: UndiciAttemptDeps) {
		this.#deps = deps;
		const { responseTimeoutMs, signal } = deps.request;
		this.#timer = setTimeout(() => this.#abort(new UpstreamFailure('responseTimeout')), responseTimeoutMs);
		signal.addEventListener('abort', this.#onAbort);
	}

	get whole(): boolean {
		return this.#closed && this.#brokenBy === undefined;
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#settled) {
			// Aborted while the connection was being made.
			controller.abort(new Error('aborted'));
			return;
		}
		const { connection } = this;
		if (connection === undefined) return;
		this.#reused = connection.requests > 0;
		connection.requests += 1;
	}

	onResponseStart(
		controller: Dispatcher.DispatchController,
		status: number,
		headers: IncomingHttpHeaders,
	): void {
		// Interim responses (102, 103).
		if (status >= 100 && status < 200) return;
		if (status < 200 || status > 599 || hasUnknownCoding(headers)) {
			controller.abort(new UpstreamFailure('invalidResponse'));
			return;
		}
		clearTimeout(this.#timer);
		this.#settled = true;
		this.#untilClosed = endsWithConnection(this.#deps.request.method, status, headers);
		this.#deps.responded({ status, headers: joinRepeatedHeaders(headers), body: this });
	}

	onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
		this.hasBegun = true;
		if (this.#sink !== undefined) {
			this.#idle?.received();
			if (this.#sink.res.write(chunk)) return;
			this.#idle?.pause();
			controller.pause();
			return;
		}
		this.#waiting.push(chunk);
		this.#waitingBytes += chunk.length;
		if (this.#waitingBytes >= waitingBytesMax) controller.pause();
	}

	onResponseEnd(): void {
		if (this.#untilClosed && this.connection?.socket?.readableEnded !== true) {
			this.#break(new Error('The connection was reset in the middle of the body.'));
			return;
		}
		// The instance did not wait for the whole body, and may never read the remainder.
		const { socket } = this.connection ?? {};
		if (socket !== undefined && socket.writableLength > 0) resetConnection(socket);
		this.#close();
		this.#sink?.res.end();
	}

	onResponseError(_controller: unknown, error: Error): void {
		if (this.#settled) this.#break(error);
		else this.#fail(classifyUndiciError(error, this.#reused));
	}

	sendTo(res: Writable, onCutOff: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#sink = { res, onCutOff, resolve, reject };
			if (this.#brokenBy !== undefined) {
				this.#breakSink();
				return;
			}
			res.once('finish', this.#onFinish);
			res.once('close', this.#onSinkClosed);
			if (res.closed) this.#onSinkClosed();
			else if (this.#closed) this.#sendBuffered(res);
			else this.#sendStreaming(res);
		});
	}

	destroy(): void {
		this.#deps.request.signal.removeEventListener('abort', this.#onAbort);
		this.#endedBy ??= 'discarded';
		this.#abort(new Error('The response was discarded.'));
	}

	onClosed(listener: (end: BodyEnd) => void): void {
		if (this.#closed) listener(this.#end());
		else this.#closedListener = listener;
	}

	#end(): BodyEnd {
		if (this.#brokenBy === undefined) return 'complete';
		if (this.#endedBy !== undefined) return this.#endedBy;
		return this.#idle?.clientStalled === true ? 'clientAborted' : 'cutOff';
	}

	/** The usual case: all of it has arrived, and is sent at once. */
	#sendBuffered(res: Writable): void {
		const last = this.#waiting.length - 1;
		for (let index = 0; index < last; index += 1) res.write(this.#waiting[index]);
		endWith(res, this.#waiting[last]);
	}

	#sendStreaming(res: Writable): void {
		const idle = new BodyIdleTimer(this.#deps.request.idleTimeoutMs, () => {
			this.#abort(new Error('The response body paused for too long.'));
		});
		this.#idle = idle;
		idle.start();
		res.on('drain', () => {
			if (this.#closed) return;
			idle.resume();
			this.#controller?.resume();
		});
		let hasRoom = true;
		for (const chunk of this.#waiting) hasRoom = res.write(chunk);
		if (hasRoom) {
			this.#controller?.resume();
			return;
		}
		idle.pause();
		this.#controller?.pause();
	}

	readonly #onFinish = (): void => {
		this.#deps.request.signal.removeEventListener('abort', this.#onAbort);
		this.#sink?.resolve();
	};

	/** The gateway closed it: when a client leaves, the signal is aborted first. No 'drain' would resume the body. */
	readonly #onSinkClosed = (): void => {
		if (this.#sink?.res.writableFinished === true) return;
		this.#endedBy ??= 'discarded';
		const reason = new Error('The receiver of the body was closed.');
		if (this.#closed) this.#break(reason);
		else this.#abort(reason);
	};

	readonly #onAbort = (): void => {
		const { reason } = this.#deps.request.signal;
		this.#endedBy ??= 'clientAborted';
		// The instance has sent all of it, but the client left before it had received it.
		if (this.#closed) this.#break(reason);
		else this.#abort(reason);
	};

	/** Aborts the request; undici then passes the reason to `onResponseError`. */
	#abort(cause: unknown): void {
		const reason = cause instanceof Error ? cause : new Error('aborted', { cause });
		if (this.#closed) return;
		if (this.#controller === undefined) {
			this.#fail(reason);
			return;
		}
		const socket = this.connection?.socket;
		// If a connection ends without one, undici takes that for the end of a body without a length, and throws.
		socket?.emit('error', new Error('aborted'));
		resetConnection(socket);
		this.#controller.abort(reason);
	}

	#fail(failure: unknown): void {
		if (this.#settled) return;
		this.#settled = true;
		this.#deps.request.signal.removeEventListener('abort', this.#onAbort);
		this.#close();
		this.#deps.failed(failure);
	}

	#break(error: unknown): void {
		if (this.#brokenBy !== undefined) return;
		this.#brokenBy = error;
		this.#close();
		this.#breakSink();
	}

	#breakSink(): void {
		this.#deps.request.signal.removeEventListener('abort', this.#onAbort);
		if (this.#sink === undefined) return;
		const { res, onCutOff, reject } = this.#sink;
		res.off('finish', this.#onFinish);
		res.off('close', this.#onSinkClosed);
		onCutOff();
		const report = (): void => reject(this.#brokenBy);
		if (res.closed) report();
		else res.destroy().once('close', report);
	}

	#close(): void {
		if (this.#closed) return;
		this.#closed = true;
		clearTimeout(this.#timer);
		this.#idle?.stop();
		this.#deps.released();
		this.#closedListener?.(this.#end());
	}
}
