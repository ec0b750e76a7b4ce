import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';

/** What a hook sees of a request of papi, the HTTP client below the `consul` package, which has no types. */
interface PapiRequest {
	transport: { request: (options: RequestOptions) => ClientRequest };
}
interface PapiClient {
	_ext(event: 'onRequest', hook: (request: PapiRequest, next: () => void) => void): void;
}

/** Far above any answer about one service or one agent; below it a runaway answer would fill the memory. */
const bodyBytesMax = 16 * 1024 * 1024;

/**
 * Makes a papi client fail as soon as an answer is cut off within its body or grows out of bounds. By itself papi only
 * listens for the end of the answer: after a cut it would wait blindly until its time-out.
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
		if (receivedBytes > bodyBytesMax) incoming.destroy(new Error('the answer is too large'));
	});
	// papi settles the call on the first `error` of the request and ignores later ones.
	incoming.on('error', (error) => outgoing.emit('error', error));
}
