import type { RequestListener, Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { MutualTls } from '@paddock/discovery';

export interface TlsServer {
	readonly server: Server;
	/** Whether the connection was made with former certificates. */
	isOutdated(socket: Socket): boolean;
}

/** Creates a server whose new handshakes use replaced certificates; open connections continue with the former ones. */
export function createTlsServer(
	options: ServerOptions & { readonly headersTimeout: number },
	tls: MutualTls,
	listener: RequestListener,
): TlsServer {
	const handshakeTimeout = options.headersTimeout;
	// http's own default, which https lacks.
	const allowHalfOpen = true;
	const server = createServer({ ...options, ...tls.server(), handshakeTimeout, allowHalfOpen }, listener);
	// By address: 'connection', at which the certificates of a handshake are decided, has another socket than the requests.
	let current = new Set<string>();
	server.on('connection', (socket: Socket) => {
		const [peers, peer] = [current, peerOf(socket)];
		peers.add(peer);
		socket.once('close', () => peers.delete(peer));
	});
	// Before Node's own listener, which would treat it as an unparsable request.
	server.prependListener('tlsClientError', (error, socket) => {
		tls.failedHandshakes.add(error, socket);
		socket.destroy();
	});
	tls.onChange(() => {
		server.setSecureContext(tls.server());
		current = new Set();
	});
	return { server, isOutdated: (socket) => !current.has(peerOf(socket)) };
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
	return `${remoteAddress} ${remotePort}`;
}
