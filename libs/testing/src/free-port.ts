import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the ephemeral range (from 32768 on Linux): an outgoing connection could take a port before it is used.
const portMin = 15_000;
const portMax = 32_000;
// A port may be used seconds later, so concurrent test files have separate ranges.
const ranges = 8;
const rangeSize = Math.floor((portMax - portMin) / ranges);
const attemptsMax = 200;

/** The first port of this worker's range; processes other than Jest workers use range 0. */
function rangeMin(): number {
	const { JEST_WORKER_ID: worker = '0' } = process.env;
	return portMin + (Number(worker) % ranges) * rangeSize;
}

/** A TCP port of 127.0.0.1 that was free at the time of the call; for programs that don't support port 0. */
export async function freePort(): Promise<number> {
	const [port] = await freePorts(1);
	if (port === undefined) throw new Error('no port');
	return port;
}

/** Different free ports: each stays bound until the last is found. */
export async function freePorts(count: number): Promise<number[]> {
	const bound: Server[] = [];
	const ports: number[] = [];
	try {
		for (let attempt = 0; ports.length < count; attempt += 1) {
			if (attempt === attemptsMax) throw new Error(`no ${count} free ports after ${attemptsMax} attempts`);
			const port = rangeMin() + Math.floor(Math.random() * rangeSize);
			const server = await bind(port);
			if (server === undefined) continue;
			bound.push(server);
			ports.push(port);
		}
		return ports;
	} finally {
		for (const server of bound) server.close();
	}
}

/** Undefined if the port is in use. */
async function bind(port: number): Promise<Server | undefined> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
		return server;
	} catch {
		return undefined; // EADDRINUSE
	}
}
