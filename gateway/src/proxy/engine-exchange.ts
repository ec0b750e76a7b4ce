import { type ClientRequest, IncomingMessage, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { smallBytes } from './answer-body.ts';
import type { ForwardRequest } from './forwarder.ts';

/** The ways in which one attempt through the engine can end. */
export interface EngineAttempt {
	answered(answer: IncomingMessage): void;
	failed(cause: unknown): void;
}

/**
 * What the engine takes for the client's request: a head of our making and the body behind our limit. The real one
 * would carry headers past every filter (`Expect` skips the engine's events), could not be sent a second time, and
 * would be read before the connection stands. It is no stream and emits nothing: the engine asks for no more than to be
 * piped to, and another buffer between body and socket would cost as much as the engine itself.
 */
export class EngineRequest {
	readonly method: string;
	/** Empty until the engine begins. */
	url = '';
	readonly headers: ForwardRequest['headers'];
	readonly httpVersion = '1.1';
	readonly httpVersionMajor = 1;
	/** Whom the engine's events about this request are for: it hands them out with the request, and nothing else. */
	attempt: EngineAttempt | undefined;
	/** The engine's own request, once it has a socket. */
	outgoing: ClientRequest | undefined;
	readonly #url: string;
	readonly #source: Readable | undefined;
	#destination: NodeJS.WritableStream | undefined;

	constructor(request: ForwardRequest) {
		this.method = request.method;
		this.#url = request.url;
		this.headers = { ...request.headers };
		this.#source = request.body;
	}

	/** To be called when the engine has asked whether it shall do anything, and before it sends anything. */
	begin(): void {
		this.url = this.#url;
	}

	/** The engine listens for errors of the client's; they end the call elsewhere. */
	on(): this {
		return this;
	}

	/** The engine pipes when it has a socket; only then does the client's body begin to flow. */
	pipe<T extends NodeJS.WritableStream>(destination: T): T {
		const source = this.#source;
		if (source === undefined) destination.end();
		else if (isHere(source)) this.#sendAtOnce(source, destination);
		else {
			this.#destination = destination;
			source.pipe(destination);
		}
		return destination;
	}

	/** As text a small body goes out in one piece with the head, as bytes in two; and pipes cost more than either. */
	#sendAtOnce(source: Readable, destination: NodeJS.WritableStream): void {
		const body: Buffer | null = source.read();
		destination.end(body === null ? '' : body.toString('latin1'), 'latin1');
		// Its end is heard of when it has been read, too.
		source.resume();
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

/** The usual case of a small body: it came with its head, to its announced end. */
function isHere(source: Readable): boolean {
	const { readableLength } = source;
	return (
		source instanceof IncomingMessage &&
		readableLength <= smallBytes &&
		String(readableLength) === source.headers['content-length']
	);
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
