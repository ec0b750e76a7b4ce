import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

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
export function correctPapi(client: object): void {
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
