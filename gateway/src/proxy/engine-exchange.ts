import { EventEmitter } from 'node:events';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ForwardRequest } from './forwarder.ts';

/**
 * What the engine takes for the client's request: a head of our making and the body behind our limit. The real one
 * would carry headers past every filter (`Expect` skips the engine's events), could not be sent a second time, and
 * would be read before the connection stands. It is no stream: the engine asks for nothing but to be piped to, and
 * another buffer between body and socket would cost as much as the engine itself.
 */
export class EngineRequest extends EventEmitter {
	readonly method: string;
	url: string;
	readonly headers: ForwardRequest['headers'];
	readonly httpVersion = '1.1';
	readonly httpVersionMajor = 1;
	/** The engine's own request, once it has a socket. */
	outgoing: ClientRequest | undefined;
	readonly #source: Readable | undefined;
	#destination: NodeJS.WritableStream | undefined;

	constructor(request: ForwardRequest) {
		super();
		this.method = request.method;
		this.url = request.url;
		this.headers = { ...request.headers };
		this.#source = request.body;
	}

	/** The engine pipes when it has a socket; only then does the client's body begin to flow. */
	pipe<T extends NodeJS.WritableStream>(destination: T): T {
		this.#destination = destination;
		if (this.#source === undefined) destination.end();
		else this.#source.pipe(destination);
		return destination;
	}

	/** Lets go of the client's body, so that it can be drained or refused. */
	release(): void {
		if (this.#destination !== undefined) this.#source?.unpipe(this.#destination);
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
export class EngineResponse extends EventEmitter {
	readonly headersSent = false;
	readonly finished = false;
	readonly writableFinished = false;
	destroyed = false;

	/** Makes the engine abort its request. */
	destroy(): this {
		if (this.destroyed) return this;
		this.destroyed = true;
		this.emit('close');
		return this;
	}

	asServerResponse(): ServerResponse {
		return this as unknown as ServerResponse;
	}
}
