import { Agent, type ClientRequestArgs } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ConnectionSettings, connectInstance } from './connect-instance.ts';

/** The kept-alive connections to one instance for Node's HTTP client, made as those of undici's are. */
export class InstanceAgent extends Agent {
	readonly #settings: ConnectionSettings;

	constructor(settings: ConnectionSettings) {
		const { socketsMax, idleMs } = settings;
		super({
			keepAlive: true,
			maxFreeSockets: socketsMax,
			scheduling: 'lifo',
			timeout: idleMs,
			// As much as undici leaves between the idle time that an instance announces and its own.
			agentKeepAliveTimeoutBuffer: 2_000,
		});
		this.#settings = settings;
	}

	/** The request is sent when the connection is made: until then it can still go to another instance. */
	override createConnection(
		{ host, port }: ClientRequestArgs,
		callback?: (error: Error | null, stream: Duplex) => void,
	): undefined {
		const address = { host: host ?? '', port: Number(port) };
		connectInstance(address, this.#settings, (failure, socket) => callback?.(failure, socket as Duplex));
	}
}
