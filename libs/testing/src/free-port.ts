import { once } from 'node:events';
import { createServer } from 'node:net';

/** A TCP port of 127.0.0.1 that was free a moment ago; for programs that can't be told to take port 0. */
export async function freePort(): Promise<number> {
	const [port] = await freePorts(1);
	if (port === undefined) throw new Error('no port');
	return port;
}

/** So many different ones: all are held until the last is found. */
export async function freePorts(count: number): Promise<number[]> {
	const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
	try {
		await Promise.all(servers.map((server) => once(server, 'listening')));
		return servers.map((server) => {
			const address = server.address();
			if (address === null || typeof address === 'string') throw new Error('not a TCP server');
			return address.port;
		});
	} finally {
		for (const server of servers) server.close();
	}
}
