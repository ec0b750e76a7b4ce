import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CountingRelay {
	/** `127.0.0.1:port`, as CONSUL_HTTP_ADDR takes it. */
	readonly address: string;
	/** When each call of Consul's API came by, by performance.now(). */
	readonly calledAtMs: readonly number[];
	/** How many connections are open now. */
	open(): number;
	close(): Promise<void>;
}

/**
 * Stands between processes and a Consul and counts what they ask it, also while it is frozen and could not tell itself.
 * It hands on bytes as they come and closes when either side does, so that for both it is as if it were not there.
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
		// Consul's client sends a head in one piece, and none of its bodies looks like one.
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
