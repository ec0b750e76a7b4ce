import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface TcpBalancer {
	/** `127.0.0.1:port` */
	readonly address: string;
	/** Number of connections accepted so far. */
	accepted(): number;
	/** Closes all connections; each new one goes to the next target. */
	cut(): void;
	stop(): Promise<void>;
}

/** A TCP load balancer that sends each connection to the next of its targets on 127.0.0.1. */
export async function startTcpBalancer(ports: readonly number[]): Promise<TcpBalancer> {
	const sockets = new Set<Socket>();
	let accepted = 0;
	const server = createServer((client) => {
		const target = connect(ports[accepted % ports.length] ?? 0, '127.0.0.1');
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
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	return {
		address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		accepted: () => accepted,
		cut,
		stop: async () => {
			server.close();
			cut();
			await once(server, 'close');
		},
	};
}
