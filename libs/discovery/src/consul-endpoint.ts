import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type Consul from 'consul';
import type { ConsulAccess } from './consul-access.ts';
import { type ConsulAddress, consulUrl } from './consul-address.ts';

export type ConsulEndpoint = ReturnType<typeof openConsulEndpoint>;

// Longer than the interval of all calls: only connections of an address that is no longer used are idle for so long.
const idleMs = 30_000;
const require = createRequire(import.meta.url);

/** Opens no connection yet. */
export function openConsulEndpoint(address: ConsulAddress, access: ConsulAccess, timeoutMs: number) {
	const { token, namespace, tls = {} } = access;
	const agent = (options: http.AgentOptions) =>
		address.secure ? new https.Agent({ ...options, ...tls }) : new http.Agent(options);
	const kept = { keepAlive: true, timeout: idleMs };
	const agents = [agent(kept), agent({ ...kept, maxSockets: 1 })] as const;
	// Not imported: without Consul, no process loads the package and its dependencies.
	const ConsulClient: typeof Consul = require('consul');
	const client = (agent: http.Agent): Consul => {
		const headers = namespace === undefined ? {} : { headers: { 'x-consul-namespace': namespace } };
		const defaults = token === undefined ? {} : { defaults: { token } };
		const consul = new ConsulClient({ ...address, agent, ...headers, ...defaults });
		correctPapi(consul);
		return consul;
	};
	let aborting = new AbortController();
	return {
		/** `http://host:port` */
		url: consulUrl(address),
		timeoutMs,
		/** For blocking queries: one connection each. */
		queries: client(agents[0]),
		/** For all other calls, on one connection: behind a load balancer it leads to one agent, for registration and deregistration. */
		calls: client(agents[1]),
		/** Aborts the blocking queries in progress; they fail with this error. */
		abort: (error: Error): void => {
			aborting.abort(error);
			aborting = new AbortController();
		},
		/** The signal of `abort()` for queries that start now. */
		signal: (): AbortSignal => aborting.signal,
		close: (): void => {
			for (const each of agents) each.destroy();
		},
	};
}

/** The part of a papi request that a hook uses; papi, the HTTP client of the `consul` package, has no types. */
interface PapiRequest {
	transport: { request: (options: RequestOptions & { hostname: string }) => ClientRequest };
}
interface PapiClient {
	_ext(event: 'onRequest', hook: (request: PapiRequest, next: () => void) => void): void;
}

/** Far above any response about one service or one agent; bounds the memory that a runaway response can fill. */
const bodyBytesMax = 16 * 1024 * 1024;

/**
 * Corrects two faults of a papi client:
 * 1. It passes an IPv6 address with its brackets, which Node's client would resolve as a name.
 * 2. It only listens for the end of a response. Now it fails as soon as a body is cut off, instead of at the time-out, or
 *    exceeds the size limit.
 */
function correctPapi(client: object): void {
	(client as PapiClient)._ext('onRequest', (request, next) => {
		const { transport } = request;
		request.transport = {
			request: (options) => {
				const hostname = options.hostname.replace(/^\[|\]$/g, ''); // 1
				const outgoing = transport.request({ ...options, hostname });
				outgoing.on('response', (incoming: IncomingMessage) => watchBody(outgoing, incoming)); // 2
				return outgoing;
			},
		};
		next();
	});
}

function watchBody(outgoing: ClientRequest, incoming: IncomingMessage): void {
	let receivedBytes = 0;
	incoming.on('data', (chunk: Buffer) => {
		receivedBytes += chunk.length;
		if (receivedBytes > bodyBytesMax) incoming.destroy(new Error('the response is too large'));
	});
	// papi settles the call on the first `error` of the request and ignores later ones.
	incoming.on('error', (error) => outgoing.emit('error', error));
}
