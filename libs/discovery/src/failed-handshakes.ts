import type { TLSSocket } from 'node:tls';
import type { Logger } from '@paddock/telemetry';

interface Series {
	count: number;
	windowEndsMs: number;
	/** In the window. */
	lines: number;
	/** Since the last line. */
	omitted: number;
}

const windowMs = 60_000;
// For each reason, so that scanners don't hide a service with a wrong certificate.
const linesMax = 5;

/** Counts failed handshakes by reason, and logs a limited number of the refused ones. */
export function createFailedHandshakes(logger: Logger, nowMs = () => performance.now()) {
	const byReason = new Map<string, Series>();
	return {
		/** With the error and the socket of 'tlsClientError'. */
		add: (error: Error, socket: TLSSocket): void => {
			const reason = reasonOf(error, socket);
			const series = byReason.get(reason) ?? { count: 0, windowEndsMs: 0, lines: 0, omitted: 0 };
			byReason.set(reason, series);
			series.count += 1;
			// The client closed the connection, as port checks do; one that refuses this server's certificate logs that itself.
			if (reason === 'ECONNRESET') return;
			if (nowMs() >= series.windowEndsMs)
				Object.assign(series, { windowEndsMs: nowMs() + windowMs, lines: 0 });
			if (series.lines === linesMax) {
				series.omitted += 1;
				return;
			}
			const { omitted } = series;
			series.lines += 1;
			series.omitted = 0;
			logger.warn('tls handshake refused', { peer: peerOf(socket), reason, ...(omitted > 0 && { omitted }) });
		},
		/** By the code of OpenSSL or Node.js. */
		counts: (): ReadonlyMap<string, number> =>
			new Map([...byReason].map(([reason, { count }]) => [reason, count])),
	};
}

/** A refused certificate has its reason at the socket; the error is that of a closed connection then. */
function reasonOf(error: Error & { code?: string }, { authorizationError }: TLSSocket): string {
	return authorizationError ? String(authorizationError) : (error.code ?? error.name);
}

/** A closed TLS socket no longer has the address; the connection under it does if it was read before. */
function peerOf(socket: TLSSocket & { readonly _parent?: TLSSocket }): string | undefined {
	return socket.remoteAddress ?? socket._parent?.remoteAddress;
}
