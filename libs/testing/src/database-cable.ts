import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface DatabaseCable {
	/** The same database, by way of the cable. */
	readonly url: string;
	/** All connections break, and new ones are refused: what a stopped server looks like. */
	cut(): Promise<void>;
	mend(): Promise<void>;
}

/** A way to a database that a test can interrupt without stopping the server, which other tests use. */
export async function connectThroughCable(databaseUrl: string): Promise<DatabaseCable> {
	const target = new URL(databaseUrl);
	const sockets = new Set<Socket>();
	const accept = (socket: Socket) => {
		const onwards = connect(Number(target.port), target.hostname);
		for (const end of [socket, onwards]) {
			sockets.add(end);
			// A cut end reports an error to the other; what matters is seen at the service.
			end.on('error', () => {});
			end.on('close', () => sockets.delete(end));
		}
		socket.pipe(onwards).pipe(socket);
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
		mend: async () => {
			server = createServer(accept).listen(port, '127.0.0.1');
			await once(server, 'listening');
		},
	};
}
