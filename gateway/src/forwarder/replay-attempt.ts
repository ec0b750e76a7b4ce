import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { UpstreamFailure } from '../failures.ts';
import { type AnswerBody, type BodyEnd, endsWithConnection, endWith } from './answer-body.ts';
import { BodyIdleTimer } from './body-idle-timer.ts';
import type { ForwardAnswer, ForwardRequest } from './forwarder.ts';
import type { PooledConnection, PooledHandler } from './instance-pool.ts';
import { classifyPoolError } from './pool-errors.ts';
import { likeNodeHeaders } from './pool-headers.ts';

export interface ReplayAttemptDeps {
	readonly request: ForwardRequest;
	readonly answered: (answer: ForwardAnswer) => void;
	readonly failed: (failure: unknown) => void;
	/** The connection is free again, or gone. */
	readonly released: () => void;
}

/** Where the body goes, from when somebody wants it. */
interface Sink {
	readonly res: ServerResponse;
	readonly onBroken: () => void;
	readonly resolve: () => void;
	readonly reject: (error: unknown) => void;
}

// What may come before somebody wants it; one read of a socket is no more than that.
const waitingBytesMax = 65_536;

/**
 * One request through the pool, and its answer's body. There is one object for all of it, and no stream between the
 * two sockets: each would cost more than the rest of the way.
 */
export class ReplayAttempt implements PooledHandler, AnswerBody {
	connection: PooledConnection | undefined;
	hasBegun = false;
	readonly #deps: ReplayAttemptDeps;
	#controller: Dispatcher.DispatchController | undefined;
	/** To the response headers. */
	readonly #timer: NodeJS.Timeout;
	/** Made when the body doesn't come in one piece. */
	#idle: BodyIdleTimer | undefined;
	#reused = false;
	/** The promise of the answer is kept or broken. */
	#settled = false;
	/** Nothing more comes from the instance. */
	#closed = false;
	#brokenBy: unknown;
	#untilClosed = false;
	/** Why our side ended it, if it did. */
	#endedBy: 'discarded' | 'clientAborted' | undefined;
	readonly #waiting: Buffer[] = [];
	#waitingBytes = 0;
	#sink: Sink | undefined;
	#closedListener: ((end: BodyEnd) => void) | undefined;

	constructor(deps: ReplayAttemptDeps) {
		this.#deps = deps;
		const { responseTimeoutMs, signal } = deps.request;
		this.#timer = setTimeout(() => this.#giveUp(new UpstreamFailure('responseTimeout')), responseTimeoutMs);
		signal.addEventListener('abort', this.#onAbort);
	}

	get whole(): boolean {
		return this.#closed && this.#brokenBy === undefined;
	}

	onRequestStart(controller: Dispatcher.DispatchController): void {
		this.#controller = controller;
		if (this.#settled) {
			// Given up while the connection was being made.
			controller.abort(new Error('given up'));
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
		// 102 and 103 come before the answer, and are no answer.
		if (status >= 100 && status < 200) return;
		if (status < 200 || status > 599) {
			controller.abort(new UpstreamFailure('invalidResponse'));
			return;
		}
		clearTimeout(this.#timer);
		this.#settled = true;
		this.#untilClosed = endsWithConnection(this.#deps.request.method, status, headers);
		this.#deps.answered({ status, headers: likeNodeHeaders(headers), body: this });
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
		this.#close();
		this.#sink?.res.end();
	}

	onResponseError(_controller: unknown, error: Error): void {
		if (this.#settled) this.#break(error);
		else this.#fail(classifyPoolError(error, this.#reused));
	}

	sendTo(res: ServerResponse, onBroken: () => void): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#sink = { res, onBroken, resolve, reject };
			if (this.#brokenBy !== undefined) {
				this.#breakSink();
				return;
			}
			res.once('finish', this.#onFinish);
			if (this.#closed) this.#sendRest(res);
			else this.#sendOn(res);
		});
	}

	destroy(): void {
		this.#deps.request.signal.removeEventListener('abort', this.#onAbort);
		this.#endedBy ??= 'discarded';
		this.#giveUp(new Error('The answer is not wanted.'));
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

	/** The usual case: everything is here, and goes out in one piece. */
	#sendRest(res: ServerResponse): void {
		const last = this.#waiting.length - 1;
		for (let index = 0; index < last; index += 1) res.write(this.#waiting[index]);
		endWith(res, this.#waiting[last]);
	}

	#sendOn(res: ServerResponse): void {
		const idle = new BodyIdleTimer(this.#deps.request.idleTimeoutMs, () => {
			this.#giveUp(new Error('The service stopped in the middle of its answer.'));
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

	readonly #onAbort = (): void => {
		const { reason } = this.#deps.request.signal;
		this.#endedBy ??= 'clientAborted';
		// The instance has done its part, but the client left before it had all of it.
		if (this.#closed) this.#break(reason);
		else this.#giveUp(reason);
	};

	/** Ends it from our side; undici then reports the reason back through `onResponseError`. */
	#giveUp(cause: unknown): void {
		const reason = cause instanceof Error ? cause : new Error('given up', { cause });
		if (this.#closed) return;
		if (this.#controller !== undefined) this.#controller.abort(reason);
		else this.#fail(reason);
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
		const { res, onBroken, reject } = this.#sink;
		res.off('finish', this.#onFinish);
		onBroken();
		const told = (): void => reject(this.#brokenBy);
		if (res.closed) told();
		else res.destroy().once('close', told);
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
