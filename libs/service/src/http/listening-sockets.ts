import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, createServer, type ListenOptions, Server as NetServer } from 'node:net';

interface ListeningOptions {
	readonly host: string;
	readonly port: number;
	/** Number of listening sockets on the port; more than one is supported on Linux only. */
	readonly listeningSockets: number;
}

export interface ListeningSockets {
	readonly port: number;
	/** Stops accepting connections; resolves when the open ones have ended. */
	close(): Promise<void>;
}

/**
 * Opens a port for a server. libuv accepts one connection per socket and loop iteration, so hundreds of clients that connect
 * at once would wait seconds; several sockets accept several.
 * @throws the listen error, e.g. EADDRINUSE
 */
export async function openListeningSockets(
	server: Server,
	options: ListeningOptions,
): Promise<ListeningSockets> {
	const { host, port, listeningSockets } = options;
	if (listeningSockets === 1 || process.platform !== 'linux') {
		await listening(server, { host, port });
		return { port: portOf(server), close: () => closed(server) };
	}
	// With SO_REUSEPORT, the bind would also succeed if another process of the same user already used the port.
	if (port !== 0 && (await isInUse({ host, port }))) throw addressInUse(host, port);
	// The options of the server that http creates itself.
	const others = Array.from({ length: listeningSockets - 1 }, () =>
		createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
	);
	const all = [server, ...others];
	const close = async () => void (await Promise.all(all.map(closed)));
	try {
		await listening(server, { host, port, reusePort: true });
		for (const each of others) await listening(each, { host, port: portOf(server), reusePort: true });
	} catch (error) {
		// A client already connected to the first socket would keep it open.
		const allClosed = close();
		server.closeAllConnections();
		await allClosed;
		throw error;
	}
	return { port: portOf(server), close };
}

// A listener on this machine completes the handshake at once.
const handshakeMsMax = 1_000;

/** Whether the port is in use. Checked by connecting: a trial listen would accept client connections. */
function isInUse({ host, port }: { host: string; port: number }): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ host, port, timeout: handshakeMsMax });
		const end = (is: boolean): void => {
			socket.destroy();
			resolve(is);
		};
		socket.once('connect', () => end(true));
		// Listening reports any other problem with the address.
		socket.once('timeout', () => end(false));
		socket.once('error', () => end(false));
	});
}

function addressInUse(host: string, port: number): Error {
	const error = new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
	return Object.assign(error, { code: 'EADDRINUSE' });
}

async function listening(server: NetServer, options: ListenOptions): Promise<void> {
	server.listen(options);
	await once(server, 'listening');
}

/** http's own close() also destroys connections that have sent nothing yet, and with them requests in transit. */
function closed(server: NetServer): Promise<void> {
	return new Promise((resolve) => {
		NetServer.prototype.close.call(server, () => resolve());
	});
}

function portOf(server: NetServer): number {
	return (server.address() as AddressInfo).port;
}
