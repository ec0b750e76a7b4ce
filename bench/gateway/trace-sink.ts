import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector of traces that discards what it receives. */
export async function startTraceSink(): Promise<{ readonly url: string; close(): void }> {
	const server = createServer((req, res) => {
		req.resume().on('end', () => res.end());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}
