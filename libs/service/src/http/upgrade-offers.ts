import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterResponses, restoreListeners } from './pipelining.ts';

/**
 * Ignores offers of other protocols, e.g. `Upgrade: TLS/1.2` or h2c (RFC 9110 §7.8 permits that). If Node treated such a
 * request as an ordinary one, its parser would drop the bytes behind it as data of the other protocol, pipelined requests
 * included. So the connection begins anew, with the same request without its offer.
 */
export function ignoreUpgradeOffers(server: Server): void {
	server.on('upgrade', (req: IncomingMessage, socket: Socket, rest: Buffer) => {
		const forgetListeners = restoreListeners(server, socket);
		afterResponses(socket, () => {
			forgetListeners();
			socket.unshift(Buffer.concat([headWithoutOffer(req), rest]));
			server.emit(socket instanceof TLSSocket ? 'secureConnection' : 'connection', socket);
		});
	});
}

/** The strict parser has accepted these texts, so they mean the same when they are parsed again. */
function headWithoutOffer({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
	const lines = [`${method} ${url} HTTP/${httpVersion}`];
	for (let at = 0; at < rawHeaders.length; at += 2) {
		if (rawHeaders[at]?.toLowerCase() !== 'upgrade') lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
	}
	return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
