import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type Behaviour = 'normal' | 'expired once' | 'always expired' | 'ended at once';

/** An API server that fails on demand: a real one can't be made to forget versions or to end watches at a given moment. */
export interface StandInApiServer {
	url: string;
	/** The resource versions from which watches started. */
	watchedFrom: string[];
	lists(): number;
	watching(): boolean;
	/** The token that it accepts. */
	accept(token: string): void;
	/** The response to further watches. */
	watches(behaviour: Behaviour): void;
	/** Stores the only slice: the addresses of its ready pods. Watches receive it unless `silently`. */
	set(addresses: readonly string[], options?: { silently?: boolean }): void;
	/** Sends an event to all watches. */
	send(event: object): void;
	endWatches(): void;
	/** Resets all connections, and further ones until `restore`. */
	cut(): void;
	restore(): void;
	stop(): Promise<void>;
}

export async function startStandInApiServer(tls: { key: string; cert: string }): Promise<StandInApiServer> {
	const open = new Set<ServerResponse>();
	const watchedFrom: string[] = [];
	let token = 'first';
	let behaviour: Behaviour = 'normal';
	let version = 10;
	let addresses: readonly string[] = [];
	let lists = 0;
	let isCut = false;
	const slice = () => sliceOf(addresses, String(version));
	const send = (event: object) => {
		for (const response of open) response.write(`${JSON.stringify(event)}\n`);
	};
	const server = createServer(tls, (request, response) => {
		const { pathname, searchParams } = new URL(request.url ?? '', 'https://api');
		const isKnown = pathname === '/apis/discovery.k8s.io/v1/namespaces/paddock/endpointslices';
		if (!isKnown || searchParams.get('labelSelector') !== 'kubernetes.io/service-name=auth-service')
			return void response.writeHead(404).end();
		if (request.headers.authorization !== `Bearer ${token}`)
			return void response.writeHead(401).end('{"message":"Unauthorized"}');
		if (searchParams.get('watch') !== 'true') {
			lists += 1;
			return void response.end(
				JSON.stringify({ metadata: { resourceVersion: String(version) }, items: [slice()] }),
			);
		}
		watchedFrom.push(searchParams.get('resourceVersion') ?? '');
		if (behaviour === 'ended at once') return void response.end();
		if (behaviour !== 'normal') {
			if (behaviour === 'expired once') behaviour = 'normal';
			return void response.writeHead(410).end('{"message":"too old resource version"}');
		}
		response.flushHeaders();
		open.add(response);
		response.on('close', () => open.delete(response));
	});
	server.on('connection', (socket) => isCut && socket.destroy());
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		watchedFrom,
		lists: () => lists,
		watching: () => open.size > 0,
		accept: (other) => {
			token = other;
		},
		watches: (other) => {
			behaviour = other;
		},
		set: (others, { silently = false } = {}) => {
			addresses = others;
			version += 1;
			if (!silently) send({ type: 'MODIFIED', object: slice() });
		},
		send,
		endWatches: () => {
			for (const response of open) response.end();
		},
		cut: () => {
			isCut = true;
			server.closeAllConnections();
		},
		restore: () => {
			isCut = false;
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

function sliceOf(addresses: readonly string[], resourceVersion: string) {
	return {
		metadata: { name: 'auth-service-x', resourceVersion },
		addressType: 'IPv4',
		endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
		ports: [{ name: 'http', port: 8081 }],
	};
}
