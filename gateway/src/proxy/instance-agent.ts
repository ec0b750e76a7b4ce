import { Agent, type AgentOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { usableLookup } from '../discovery/usable-lookup.ts';
import { UpstreamFailure } from './failures.ts';

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
 * The kept-alive connections to one instance. A request gets its socket only once the connection stands, so that
 * until then nothing of its body has been read and any method can still go elsewhere; what fails before is an
 * UpstreamFailure `unreachable` or `connectTimeout`.
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

	override createConnection(options: ConnectOptions, created: Created): undefined {
		const socket = connect({
			host: options.host ?? 'localhost',
			port: Number(options.port),
			lookup: usableLookup,
			noDelay: true,
		});
		const fail = (kind: 'unreachable' | 'connectTimeout', cause?: unknown): void => {
			done();
			socket.destroy();
			created(new UpstreamFailure(kind, cause));
		};
		const timer = setTimeout(() => fail('connectTimeout'), this.#connectTimeoutMs);
		const onError = (cause: Error): void => fail('unreachable', cause);
		const onConnect = (): void => {
			done();
			created(null, socket);
		};
		const done = (): void => {
			clearTimeout(timer);
			socket.off('connect', onConnect);
			socket.off('error', onError);
			ignoreLateErrors(socket);
		};
		socket.once('error', onError);
		socket.once('connect', onConnect);
		return undefined;
	}
}

function ignoreLateErrors(socket: Socket): void {
	socket.on('error', () => {
		// Between our listener's end and http's own there must be one: an 'error' without a listener ends the process.
	});
}
