import type { Socket } from 'node:net';
import { isSafe } from '@paddock/upstream';
import { Client, type Dispatcher, Pool } from 'undici';
import { UpstreamFailure } from '../exchange/failures.ts';
import { type ConnectionSettings, connectInstance } from './connect-instance.ts';
import {
	type Forwarder,
	type ForwardRequest,
	type OpenForwarder,
	renewed,
	type UpstreamResponse,
} from './forwarder.ts';
import { openHttpProxyForwarder } from './http-proxy-forwarder.ts';
import { UndiciAttempt } from './undici-attempt.ts';
import { InterimContinue } from './undici-errors.ts';

/** One kept-alive connection; a new socket is opened for a request after the last one has closed. */
export class PooledConnection extends Client {
	socket: Socket | undefined;
	requests = 0;

	constructor(origin: URL, options: object, settings: ConnectionSettings) {
		super(origin, {
			...options,
			connect: ({ hostname, port }, connected) => {
				connectInstance({ host: hostname, port: Number(port) }, settings, (failure, socket) => {
					this.socket = socket;
					this.requests = 0;
					if (socket === undefined) connected(failure ?? new Error('no socket'), null);
					else connected(null, socket);
				});
			},
		});
	}

	/** Reports to an attempt over which connection it is sent. */
	override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
		(handler as UndiciAttempt).connection = this;
		return super.dispatch(options, handler);
	}

	closeIfIdle(): void {
		if (this.stats.size === 0) this.socket?.destroy();
	}
}

/** Forwards through undici, over kept-alive connections to one instance, with one request at a time on each. */
class UndiciForwarder implements Forwarder {
	readonly #pool: Pool;
	readonly #connections = new Set<Dispatcher>();
	#closed = false;

	/** @param url of the instance, without a path */
	constructor(url: string, settings: ConnectionSettings) {
		this.#pool = new Pool(url, {
			connections: settings.socketsMax,
			pipelining: 1,
			allowH2: false,
			keepAliveTimeout: settings.idleMs,
			keepAliveMaxTimeout: settings.idleMs,
			// UndiciAttempt has its own: undici's are late by up to a second.
			headersTimeout: 0,
			bodyTimeout: 0,
			factory: (origin, options) => {
				const connection = new PooledConnection(origin, options, settings);
				this.#connections.add(connection);
				return connection;
			},
		});
		// Such a connection is replaced, never used again.
		this.#pool.on('connectionError', (_origin, targets) => {
			for (const target of targets) this.#connections.delete(target);
		});
	}

	/** @throws UpstreamFailure, InterimContinue */
	forward(request: ForwardRequest): Promise<UpstreamResponse> {
		if (request.signal.aborted) return Promise.reject(request.signal.reason);
		return new Promise<UpstreamResponse>((responded, reject) => {
			const failed = (failure: unknown): void => {
				// Connections that have been idle for longer are no fresher than this one.
				if (failure instanceof UpstreamFailure && failure.kind === 'staleConnection') this.#closeIdle();
				reject(failure);
			};
			const { method, url: path, headers, body = null } = request;
			this.#pool.dispatch(
				{ method, path, headers, body },
				new UndiciAttempt({ request, responded, failed, released: this.#released }),
			);
		});
	}

	close(): void {
		this.#closed = true;
		this.#closeIdle();
	}

	readonly #released = (): void => {
		if (this.#closed) setImmediate(() => this.#closeIdle());
	};

	#closeIdle(): void {
		for (const connection of this.#connections)
			if (connection instanceof PooledConnection) connection.closeIfIdle();
	}
}

const openUndiciForwarder = renewed((url, settings) => new UndiciForwarder(url, settings));

/** undici, until the instance sends a `100 Continue`, which undici can't read; then http-proxy-middleware (docs/decisions/0009). */
export const openForwarder: OpenForwarder = (url, settings) => {
	let current = openUndiciForwarder(url, settings);
	let sendsContinue = false;
	const switchForwarder = (): void => {
		if (sendsContinue) return;
		sendsContinue = true;
		current.close();
		current = openHttpProxyForwarder(url, settings);
	};
	return {
		forward: async (request) => {
			const startedAt = performance.now();
			try {
				return await current.forward(request);
			} catch (error) {
				if (!(error instanceof InterimContinue)) throw error;
				switchForwarder();
				// The service may have carried it out.
				if (!isSafe(request.method)) throw new UpstreamFailure('invalidResponse', error);
				const elapsedMs = Math.floor(performance.now() - startedAt);
				const responseTimeoutMs = Math.max(1, request.responseTimeoutMs - elapsedMs);
				return current.forward({ ...request, responseTimeoutMs });
			}
		},
		close: () => current.close(),
	};
};
