import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { smallBytes } from './answer-body.ts';
import type { ForwardRequest } from './forwarder.ts';

/** The ways in which one attempt through the engine can end. */
export interface EngineAttempt {
	answered(answer: IncomingMessage): void;
	failed(cause: unknown): void;
}

/**
 * What the engine takes for the client's request: a head of our making and a body that has arrived. The real one would
 * carry headers past every filter (`Expect` skips the engine's events) and could not be sent a second time. It is no
 * stream and emits nothing: the engine only pipes it.
 */
export class EngineRequest {
	readonly method: string;
	/** Empty until the engine begins. */
	url = '';
	readonly headers: ForwardRequest['headers'];
	readonly httpVersion = '1.1';
	readonly httpVersionMajor = 1;
	/** The receiver of the engine's events about this request: each event carries the request, and nothing else. */
	attempt: EngineAttempt | undefined;
	/** The engine's own request, once it has a socket. */
	outgoing: ClientRequest | undefined;
	readonly #url: string;
	#body: Buffer | undefined;

	constructor(request: ForwardRequest) {
		this.method = request.method;
		this.#url = request.url;
		this.headers = { ...request.headers };
		this.#body = request.body;
	}

	/** To be called when the engine has asked whether it shall do anything, and before it sends anything. */
	begin(): void {
		this.url = this.#url;
	}

	/** The engine listens for errors of the client's; they end the call elsewhere. */
	on(): this {
		return this;
	}

	/** The engine pipes when it has a socket. The engine keeps this object until the response ends; the body it needn't. */
	pipe<T extends NodeJS.WritableStream>(destination: T): T {
		const body = this.#body;
		this.#body = undefined;
		if (body === undefined || body.length === 0) destination.end();
		// As text a small body goes out in one piece with the head, as bytes in two.
		else if (body.length <= smallBytes) destination.end(body.toString('latin1'), 'latin1');
		else destination.end(body);
		return destination;
	}

	/** For the engine's signature; it reads nothing that isn't above. */
	asIncomingMessage(): IncomingMessage {
		return this as unknown as IncomingMessage;
	}
}

/**
 * What the engine takes for the client's response. It never writes (`selfHandleResponse`); it listens for `close`
 * to abort, and destroys it when the instance breaks off, which must not reach a client that can still be answered
 * by another instance.
 */
export class EngineResponse {
	readonly headersSent = false;
	readonly finished = false;
	readonly writableFinished = false;
	destroyed = false;
	readonly #onClose: (() => void)[] = [];

	on(event: string, listener: () => void): this {
		if (event === 'close') this.#onClose.push(listener);
		return this;
	}

	/** Makes the engine abort its request. */
	destroy(): this {
		if (this.destroyed) return this;
		this.destroyed = true;
		for (const listener of this.#onClose) listener();
		return this;
	}

	asServerResponse(): ServerResponse {
		return this as unknown as ServerResponse;
	}
}
