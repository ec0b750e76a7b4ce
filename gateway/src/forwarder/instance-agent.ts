import { Agent, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { connectInstance } from './connect-instance.ts';

export interface InstanceAgentSettings {
	readonly connectTimeoutMs: number;
	readonly socketsMax: number;
	/** How long an unused connection is kept; shorter than the services' keepAliveTimeout. */
	readonly idleMs: number;
}

// What undici, the other lane's client, leaves between the idle time that an instance announces and its own.
const announcedMarginMs = 2_000;

/** Node's client leaves the request on the socket, and the answer on the request. */
interface UsedSocket extends Socket {
	readonly _httpMessage?: { readonly res?: IncomingMessage | null } | null;
}

/** What Node's client wants of its agent: a socket, or the reason why there is none. */
interface SocketTaker {
	reusedSocket: boolean;
	onSocket(socket: Socket | null, error?: Error): void;
}

interface Idle {
	readonly socket: Socket;
	/** performance.now() when it was let go of. */
	readonly since: number;
	/** Not to be used from then on: the instance may be about to close it. */
	readonly until: number;
}

/**
 * The kept-alive connections to one instance for requests with a body. A request gets its socket only once the
 * connection stands, so that nothing has been sent until then and any method can still go elsewhere.
 *
 * It takes the place of all that Node's agent does, which for each request looks for names of hosts, copies options and
 * sets time-outs on the socket, and whose limit and queue the bulkhead has made superfluous: it never admits more than
 * `socketsMax` at once.
 */
export class InstanceAgent extends Agent {
	readonly #settings: InstanceAgentSettings;
	/** The last one let go of is the first to be used again, so that those too many grow old. */
	readonly #idle: Idle[] = [];
	#expiry: NodeJS.Timeout | undefined;
	#retired = false;

	constructor(settings: InstanceAgentSettings) {
		super({ keepAlive: true });
		this.#settings = settings;
	}

	/** Node's client asks this of its agent, once for each request. */
	addRequest(request: SocketTaker, { host, port }: { host: string; port: number | string }): void {
		const kept = this.#takeIdle();
		if (kept !== undefined) {
			request.reusedSocket = true;
			request.onSocket(kept);
			return;
		}
		connectInstance({ host, port: Number(port) }, this.#settings.connectTimeoutMs, (failure, socket) => {
			if (socket === undefined) {
				request.onSocket(null, failure ?? new Error('no socket'));
				return;
			}
			// The client's word for a connection that can take another request.
			socket.on('free', () => this.#keep(socket, announcedIdleMs(socket)));
			socket.on('close', () => this.#forget(socket));
			request.onSocket(socket);
		});
	}

	/** Closes what is kept but not in use. */
	closeIdle(): void {
		for (const { socket } of this.#idle.splice(0)) socket.destroy();
	}

	/** Closes what is idle and keeps nothing from now on; destroy() would cut answers that still stream. */
	retire(): void {
		this.#retired = true;
		clearTimeout(this.#expiry);
		this.closeIdle();
	}

	#takeIdle(): Socket | undefined {
		for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
			// Its end may be known before its 'close' is told.
			if (idle.socket.writable && performance.now() < idle.until) return idle.socket;
			idle.socket.destroy();
		}
		return undefined;
	}

	#keep(socket: Socket, idleMs: number): void {
		const hasRoom = this.#idle.length < this.#settings.socketsMax;
		if (this.#retired || !socket.writable || !hasRoom || idleMs <= 0) {
			socket.destroy();
			return;
		}
		const since = performance.now();
		this.#idle.push({ socket, since, until: since + idleMs });
		this.#expiry ??= this.#expireIn(this.#settings.idleMs);
	}

	#forget(socket: Socket): void {
		const at = this.#idle.findIndex((idle) => idle.socket === socket);
		if (at !== -1) this.#idle.splice(at, 1);
	}

	/** One timer for all of them, for the oldest. */
	#expireIn(ms: number): NodeJS.Timeout {
		return setTimeout(() => {
			const oldestSince = performance.now() - this.#settings.idleMs;
			const fresh = this.#idle.findIndex(({ since }) => since > oldestSince);
			const old = this.#idle.splice(0, fresh === -1 ? this.#idle.length : fresh);
			for (const { socket } of old) socket.destroy();
			const [next] = this.#idle;
			this.#expiry = next && this.#expireIn(Math.ceil(next.since - oldestSince));
		}, ms).unref();
	}
}

/** How long the instance is sure to keep it; for ever where it doesn't say. */
function announcedIdleMs(socket: UsedSocket): number {
	const header = socket._httpMessage?.res?.headers['keep-alive'];
	const seconds = header === undefined ? undefined : /timeout=(\d+)/i.exec(String(header))?.[1];
	return seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * 1_000 - announcedMarginMs;
}
