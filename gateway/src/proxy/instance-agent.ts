import { Agent, type AgentOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { connectInstance } from './connect-instance.ts';

export interface InstanceAgentSettings {
	readonly connectTimeoutMs: number;
	readonly socketsMax: number;
	/** How long an unused connection is kept; shorter than the services' keepAliveTimeout. */
	readonly idleMs: number;
}

type Created = (error: Error | null, socket?: Duplex) => void;

interface ConnectOptions {
	host?: string;
	port?: number | string;
}

/**
 * The kept-alive connections to one instance for requests with a body. A request gets its socket only once the
 * connection stands, so that until then nothing of its body has been read and any method can still go elsewhere.
 */
export class InstanceAgent extends Agent {
	readonly #connectTimeoutMs: number;

	constructor(settings: InstanceAgentSettings) {
		const options: AgentOptions = {
			keepAlive: true,
			maxSockets: settings.socketsMax,
			maxFreeSockets: settings.socketsMax,
			timeout: settings.idleMs,
			scheduling: 'lifo',
		};
		super(options);
		this.#connectTimeoutMs = settings.connectTimeoutMs;
	}

	/** Closes what is kept but not in use. */
	closeIdle(): void {
		for (const sockets of Object.values(this.freeSockets)) {
			for (const socket of sockets ?? []) socket.destroy();
		}
	}

	/** Closes what is idle and keeps nothing from now on; destroy() would cut answers that still stream. */
	retire(): void {
		this.maxFreeSockets = 0;
		this.closeIdle();
	}

	override createConnection({ host = 'localhost', port }: ConnectOptions, created: Created): undefined {
		connectInstance({ host, port: Number(port) }, this.#connectTimeoutMs, created);
		return undefined;
	}
}
