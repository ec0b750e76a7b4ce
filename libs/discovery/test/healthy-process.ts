import { once } from 'node:events';
import { createServer } from 'node:http';

/** A real HTTP server with a health check that Consul can call. */
export async function startHealthyProcess() {
	const checked: string[] = [];
	let status = 200;
	const server = createServer((request, response) => {
		checked.push(request.url ?? '');
		response.writeHead(status).end();
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('not a TCP server');
	return {
		port: address.port,
		/** The requested paths. */
		checked,
		/** From now on the check fails. */
		sicken: () => {
			status = 503;
		},
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
