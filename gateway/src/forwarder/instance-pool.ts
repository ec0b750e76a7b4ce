import type { Socket } from 'node:net';
import { Client, type Dispatcher, Pool } from 'undici';
import { connectInstance } from './connect-instance.ts';
import type { InstanceAgentSettings } from './instance-agent.ts';

/** A request on its way through the pool; it is told which connection it got. */
export interface PooledHandler extends Dispatcher.DispatchHandler {
	connection: PooledConnection | undefined;
}

/** One kept-alive connection, made anew when a request comes and the last one was closed. */
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

/** The kept-alive connections to one instance for requests without a body, one request at a time on each. */
export class InstancePool {
	readonly #pool: Pool;
	readonly #connections = new Set<Dispatcher>();
	#retired = false;

	/** @param url of the instance, without a path */
	constructor(url: string, settings: InstanceAgentSettings) {
		this.#pool = new Pool(url, {
			connections: settings.socketsMax,
			pipelining: 1,
			allowH2: false,
			keepAliveTimeout: settings.idleMs,
			keepAliveMaxTimeout: settings.idleMs,
			// Deadlines are kept by whoever forwards: undici's own are late by up to a second.
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

	/** Closes what is kept but not in use. */
	closeIdle(): void {
		for (const connection of this.#connections)
			if (connection instanceof PooledConnection) connection.closeIfIdle();
	}

	/** Closes what is idle and keeps nothing from now on; what is in flight may end. */
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
