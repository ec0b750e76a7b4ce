import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface DatabaseProxy {
	/** The database through the proxy. */
	readonly url: string;
	/** Closes all connections and refuses new ones, as if the server had stopped. */
	cut(): Promise<void>;
	restore(): Promise<void>;
}

/** A TCP proxy to a database that a test can interrupt; other tests use the server, so it can't be stopped. */
export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
	const target = new URL(databaseUrl);
	const sockets = new Set<Socket>();
	const accept = (socket: Socket) => {
		const upstream = connect(Number(target.port), target.hostname);
		for (const end of [socket, upstream]) {
			sockets.add(end);
			// A destroyed socket may emit an error; the test observes the service instead.
			end.on('error', () => {});
			end.on('close', () => sockets.delete(end));
		}
		socket.pipe(upstream).pipe(socket);
	};
	let server: Server = createServer(accept).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const url = new URL(databaseUrl);
	url.hostname = '127.0.0.1';
	url.port = String(port);
	return {
		url: url.href,
		cut: async () => {
			const closed = once(server, 'close');
			server.close();
			for (const socket of sockets) socket.destroy();
			await closed;
		},
		restore: async () => {
			server = createServer(accept).listen(port, '127.0.0.1');
			await once(server, 'listening');
		},
	};
}
