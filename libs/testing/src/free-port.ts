import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

// Below the range from which systems take the ports of outgoing connections (from 32768 on in Linux): one of those could
// take a port between its being found and its being used.
const portMin = 15_000;
const portMax = 32_000;
// Some seconds may pass until a port is used. Test files that run beside each other have ranges of their own.
const ranges = 8;
const rangeSize = Math.floor((portMax - portMin) / ranges);
const attemptsMax = 200;

/** The first port of this worker's range; 0 is whoever is none of Jest's workers. */
function rangeMin(): number {
	const { JEST_WORKER_ID: worker = '0' } = process.env;
	return portMin + (Number(worker) % ranges) * rangeSize;
}

/** A TCP port of 127.0.0.1 that was free a moment ago; for programs that can't be told to take port 0. */
export async function freePort(): Promise<number> {
	const [port] = await freePorts(1);
	if (port === undefined) throw new Error('no port');
	return port;
}

/** So many different ones: all are held until the last is found. */
export async function freePorts(count: number): Promise<number[]> {
	const held: Server[] = [];
	const ports: number[] = [];
	try {
		for (let attempt = 0; ports.length < count; attempt += 1) {
			if (attempt === attemptsMax) throw new Error(`no ${count} free ports after ${attemptsMax} attempts`);
			const port = rangeMin() + Math.floor(Math.random() * rangeSize);
			const server = await hold(port);
			if (server === undefined) continue;
			held.push(server);
			ports.push(port);
		}
		return ports;
	} finally {
		for (const server of held) server.close();
	}
}

/** Undefined where the port is taken. */
async function hold(port: number): Promise<Server | undefined> {
	const server = createServer().listen(port, '127.0.0.1');
	try {
		await once(server, 'listening');
		return server;
	} catch {
		return undefined; // EADDRINUSE is the answer to the question.
	}
}
