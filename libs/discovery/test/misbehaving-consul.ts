import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The reaction of a Consul to a call to one of `paths`; `call` counts from 1. */
export type Behaviour = (response: ServerResponse, call: number, request: IncomingMessage) => void;

/** A real HTTP server in Consul's place. Calls to `paths` get a response by `behaviour`, all others a leader. */
export async function startMisbehavingConsul(
	first: Behaviour,
	paths = /^\/v1\/health\/service\//,
	host = '127.0.0.1',
) {
	const queries: { atMs: number; url: string }[] = [];
	let behaviour = first;
	const server = createServer((request, response) => {
		const url = request.url ?? '';
		if (!paths.test(url)) {
			respond(response, JSON.stringify('127.0.0.1:8300'));
			return;
		}
		queries.push({ atMs: performance.now(), url });
		behaviour(response, queries.length, request);
	});
	server.listen(0, host);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('not a TCP server');
	return {
		address: `${host.includes(':') ? `[${host}]` : host}:${address.port}`,
		queries,
		behave: (next: Behaviour) => {
			behaviour = next;
		},
		stop: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

/** A response with a body of JSON and, where given, an index. */
export function respond(response: ServerResponse, body: string, index?: string): void {
	response.setHeader('content-type', 'application/json');
	if (index !== undefined) response.setHeader('x-consul-index', index);
	response.end(body);
}

/** The body that names instances at these ports of 127.0.0.1. */
export function entriesAt(...ports: number[]): string {
	return JSON.stringify(
		ports.map((port) => ({
			Node: { Address: '127.0.0.1' },
			Service: { ID: `horses-${port}`, Address: '127.0.0.1', Port: port },
		})),
	);
}
