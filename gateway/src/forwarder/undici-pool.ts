import type { Socket } from 'node:net';
import { Client, type Dispatcher, Pool } from 'undici';
import { type ConnectionSettings, connectInstance } from './connect-instance.ts';

/** The handler of one request, which learns over which connection the request is sent. */
export interface PooledHandler extends Dispatcher.DispatchHandler {
	connection: PooledConnection | undefined;
}

/** One kept-alive connection; a new socket is opened for a request after the last one has closed. */
export class PooledConnection extends Client {
	socket: Socket | undefined;
	/** Requests written to this socket so far. */
	requests = 0;

	constructor(origin: URL, options: object, connectTimeoutMs: number) {
		super(origin, {
			...options,
			connect: ({ hostname, port }, connected) => {
				connectInstance({ host: hostname, port: Number(port) }, connectTimeoutMs, (failure, socket) => {
					this.socket = socket;
					this.requests = 0;
					if (socket === undefined) connected(failure ?? new Error('no socket'), null);
					else connected(null, socket);
				});
			},
		});
	}

	override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
		(handler as PooledHandler).connection = this;
		return super.dispatch(options, handler);
	}

	closeIfIdle(): void {
		if (this.stats.size === 0) this.socket?.destroy();
	}
}

/** The kept-alive connections to one instance, one request at a time on each. */
export class UndiciPool {
	readonly #pool: Pool;
	readonly #connections = new Set<Dispatcher>();
	#retired = false;

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
			factory: (origin, options) => this.#open(origin, options, settings.connectTimeoutMs),
		});
		// Such a connection is replaced, never used again.
		this.#pool.on('connectionError', (_origin, targets) => {
			for (const target of targets) this.#connections.delete(target);
		});
	}

	dispatch(options: Dispatcher.DispatchOptions, handler: PooledHandler): void {
		this.#pool.dispatch(options, handler);
	}

	/** To be called when a request has left its connection. */
	released(): void {
		if (this.#retired) setImmediate(() => this.closeIdle());
	}

	closeIdle(): void {
		for (const connection of this.#connections)
			if (connection instanceof PooledConnection) connection.closeIfIdle();
	}

	/** Closes idle connections and keeps none from now on; requests in flight are completed. */
	retire(): void {
		this.#retired = true;
		this.closeIdle();
	}

	#open(origin: URL, options: object, connectTimeoutMs: number): PooledConnection {
		const connection = new PooledConnection(origin, options, connectTimeoutMs);
		this.#connections.add(connection);
		return connection;
	}
}
