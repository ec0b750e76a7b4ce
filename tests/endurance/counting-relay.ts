import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CountingRelay {
	/** `127.0.0.1:port`, for CONSUL_HTTP_ADDR. */
	readonly address: string;
	/** The time of each call of Consul's API, by performance.now(). */
	readonly calledAtMs: readonly number[];
	/** The number of open connections. */
	open(): number;
	close(): Promise<void>;
}

/**
 * A transparent TCP proxy between processes and Consul that counts API calls, even while Consul is frozen. It forwards
 * bytes unchanged and closes both sides when one closes.
 */
export async function countingRelay(toPort: number): Promise<CountingRelay> {
	const calledAtMs: number[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((client) => {
		const consul = connect(toPort, '127.0.0.1');
		for (const [socket, other] of [
			[client, consul],
			[consul, client],
		] as const) {
			sockets.add(socket);
			socket.on('error', () => other.destroy());
			socket.once('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
		}
		// Consul's client sends a request head in one chunk, and no body looks like a head.
		client.on('data', (chunk: Buffer) => {
			const calls = chunk.toString('latin1').match(/^(GET|PUT|POST|DELETE) \/v1\//gm) ?? [];
			for (const _call of calls) calledAtMs.push(performance.now());
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		calledAtMs,
		open: () => sockets.size / 2,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
