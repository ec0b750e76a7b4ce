import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextIteration, setTimeout as wait } from 'node:timers/promises';
import type { ListeningSockets } from './listening-sockets.ts';

interface OpenServer {
	readonly server: Server;
	readonly listening: ListeningSockets;
	/** Both of a TLS connection. */
	readonly sockets: ReadonlySet<Socket>;
	readonly accepted: () => number;
	readonly requests: () => number;
}

// Time without new connections and requests after which the clients are taken to know that this server ends.
const quietMs = 200;
// Clients that don't know by then won't learn it.
const quietMsMax = 2_000;
const acceptMsMax = 100;
const sweepMs = 50;

/** Serves while clients that have not read of the deregistration send requests. Resolves when the server can stop accepting. */
export async function untilQuiet(open: OpenServer, maxMs: number): Promise<void> {
	const endAt = performance.now() + Math.min(maxMs, quietMsMax);
	const isQuiet = quietness(open);
	while (!isQuiet() && performance.now() < endAt) await wait(sweepMs);
	await untilAccepted(open.accepted);
}

/** Waits until the kernel's queue is empty, which it resets otherwise: until an iteration of the event loop accepts nothing. */
async function untilAccepted(accepted: () => number): Promise<void> {
	const endAt = performance.now() + acceptMsMax;
	let seen: number;
	do {
		seen = accepted();
		await nextIteration();
	} while (accepted() !== seen && performance.now() < endAt);
}

/** Stops accepting and resolves when all connections have ended; cuts the remaining ones after the time-out. */
export async function closeServer(open: OpenServer, timeoutMs: number): Promise<void> {
	const { server, listening, sockets } = open;
	const closed = listening.close();
	const isQuiet = quietness(open);
	// Kept-alive connections become idle one by one, as their responses end. Some responses had said that they would be.
	const sweep = setInterval(() => {
		if (!isQuiet()) return;
		server.closeIdleConnections();
		// A connection that has sent nothing would delay the close until the headers time-out.
		for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
	}, sweepMs);
	// `closeAllConnections` omits the connection of a CONNECT.
	const cut = setTimeout(() => {
		for (const socket of sockets) socket.destroy();
	}, timeoutMs);
	await closed;
	clearInterval(sweep);
	clearTimeout(cut);
}

/** @returns a function, to be called at intervals: whether nothing has arrived for `quietMs` */
function quietness({ accepted, requests }: OpenServer): () => boolean {
	const arrivals = () => accepted() + requests();
	let [seen, since] = [arrivals(), performance.now()];
	return () => {
		if (arrivals() !== seen) [seen, since] = [arrivals(), performance.now()];
		return performance.now() - since >= quietMs;
	};
}
