import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface TcpProxy {
	/** `127.0.0.1:port` */
	readonly address: string;
	/** Number of connections accepted so far. */
	accepted(): number;
	/** Number of open connections. */
	open(): number;
	/** Closes all connections; each new one goes to the next target. */
	cut(): void;
	/** Closes all connections and refuses new ones. Idempotent. */
	stop(): Promise<void>;
	/** Listens on the same port again. */
	restart(): Promise<void>;
}

/**
 * Starts a TCP proxy that sends each connection to the next of its targets and forwards bytes unchanged. `onSent` receives
 * those of the clients.
 */
export async function startTcpProxy(
	targets: readonly { readonly host?: string; readonly port: number }[],
	onSent: (chunk: Buffer) => void = () => {},
): Promise<TcpProxy> {
	const sockets = new Set<Socket>();
	let accepted = 0;
	const server = createServer((client) => {
		const { host = '127.0.0.1', port = 0 } = targets[accepted % targets.length] ?? {};
		const target = connect(port, host);
		accepted += 1;
		for (const [socket, other] of [
			[client, target],
			[target, client],
		] as const) {
			sockets.add(socket);
			socket.on('error', () => other.destroy());
			socket.once('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
		}
		client.on('data', onSent);
	});
	const listen = async (at: number): Promise<number> => {
		server.listen(at, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	};
	const port = await listen(0);
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		address: `127.0.0.1:${port}`,
		accepted: () => accepted,
		open: () => sockets.size / 2,
		cut,
		stop: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			cut();
			await closed;
		},
		restart: async () => {
			await listen(port);
		},
	};
}

/** Starts a proxy to a database that a test can interrupt; other tests use the server, so it can't be stopped. */
export async function startDatabaseProxy(databaseUrl: string): Promise<TcpProxy & { readonly url: string }> {
	const url = new URL(databaseUrl);
	const proxy = await startTcpProxy([{ host: url.hostname, port: Number(url.port) }]);
	url.host = proxy.address;
	return { ...proxy, url: url.href };
}
