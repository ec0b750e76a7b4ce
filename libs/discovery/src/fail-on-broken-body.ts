import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

/** The part of a papi request that a hook uses; papi, the HTTP client of the `consul` package, has no types. */
interface PapiRequest {
	transport: { request: (options: RequestOptions) => ClientRequest };
}
interface PapiClient {
	_ext(event: 'onRequest', hook: (request: PapiRequest, next: () => void) => void): void;
}

/** Far above any response about one service or one agent; bounds the memory that a runaway response can fill. */
const bodyBytesMax = 16 * 1024 * 1024;

/**
 * Makes a papi client fail as soon as a response body is cut off or exceeds the size limit. papi itself only listens
 * for the end of the response and would wait for its time-out after a cut.
 */
export function failOnBrokenBody(client: object): void {
	(client as PapiClient)._ext('onRequest', (request, next) => {
		const { transport } = request;
		request.transport = {
			request: (options) => {
				const outgoing = transport.request(options);
				outgoing.on('response', (incoming: IncomingMessage) => watchBody(outgoing, incoming));
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
