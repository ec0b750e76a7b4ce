import type { Server } from 'node:http';
import { type AddressInfo, connect, createServer, type ListenOptions, Server as NetServer } from 'node:net';

export interface AcceptOptions {
	readonly host: string;
	readonly port: number;
	/** Listening sockets on the one port; only Linux can have more than one. */
	readonly acceptors: number;
}

export interface Acceptors {
	readonly port: number;
	/** No further connections; resolves when those that there are have ended. */
	close(): Promise<void>;
}

/**
 * Opens a port for a server. libuv takes one connection from a listening socket in each turn of its loop; where hundreds
 * of clients come at once, e.g. after a restart, those that were taken first fill the turns with their requests, and the
 * last wait for seconds until they are taken. Several sockets take several in a turn.
 * @throws the listen error, e.g. EADDRINUSE
 */
export async function acceptTogether(server: Server, options: AcceptOptions): Promise<Acceptors> {
	const { host, port, acceptors } = options;
	if (acceptors === 1 || process.platform !== 'linux') {
		await listening(server, { host, port });
		return { port: portOf(server), close: () => closed(server) };
	}
	// Those that share a port would share it with another process of the same user as well, without a word.
	if (port !== 0 && (await isInUse({ host, port }))) throw addressInUse(host, port);
	// As http makes its own.
	const others = Array.from({ length: acceptors - 1 }, () =>
		createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket)),
	);
	const all = [server, ...others];
	const close = async () => void (await Promise.all(all.map(closed)));
	try {
		await listening(server, { host, port, reusePort: true });
		for (const each of others) await listening(each, { host, port: portOf(server), reusePort: true });
	} catch (error) {
		// Who got through to the first would keep it open.
		const allClosed = close();
		server.closeAllConnections();
		await allClosed;
		throw error;
	}
	return { port: portOf(server), close };
}

// Who listens on this machine answers at once.
const handshakeMsMax = 1_000;

/** Whether somebody listens already. Listening there for a moment, to see, would take in clients that find it open. */
function isInUse({ host, port }: { host: string; port: number }): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ host, port, timeout: handshakeMsMax });
		const end = (is: boolean): void => {
			socket.destroy();
			resolve(is);
		};
		socket.once('connect', () => end(true));
		// What else is wrong with the address, listening there will say.
		socket.once('timeout', () => end(false));
		socket.once('error', () => end(false));
	});
}

function addressInUse(host: string, port: number): Error {
	const error = new Error(`listen EADDRINUSE: address already in use ${host}:${port}`);
	return Object.assign(error, { code: 'EADDRINUSE' });
}

async function listening(server: NetServer, options: ListenOptions): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(options, () => {
			server.off('error', reject);
			resolve();
		});
	});
}

/** http's own close() also cuts connections that haven't said anything yet, and with them requests on their way. */
function closed(server: NetServer): Promise<void> {
	return new Promise((resolve) => {
		NetServer.prototype.close.call(server, () => resolve());
	});
}

function portOf(server: NetServer): number {
	return (server.address() as AddressInfo).port;
}
