import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach } from '@jest/globals';
import { type HttpServer, listen } from '../src/http/http-server.ts';

/** A request that reached the listener. */
export interface Reached {
	readonly req: IncomingMessage;
	readonly res: ServerResponse;
	body: string;
}

/** A connection as a client sees it. */
interface ClientConnection {
	readonly seen: { text: string; closed: boolean };
	send(text: string | Buffer): void;
	/** Ends the client's side, after these bytes; it still reads. */
	end(text?: string): void;
	/** Closes it as a program does that exits: the server gets a reset only if it writes. */
	leave(): void;
	reset(): void;
}

/** A server whose requests a test responds to, a new one for each test. */
export interface ConnectionBench {
	readonly port: number;
	/** In order; each has its response when `respond` is called. */
	readonly reached: Reached[];
	readonly server: HttpServer;
	/** The causes of refusals. */
	readonly refused: string[];
	/** Whether requests have their responses at once; true at the beginning of each test. */
	atOnce: boolean;
	open(): ClientConnection;
}

export function connectionBench(): ConnectionBench {
	let server: HttpServer;
	const bench: ConnectionBench = {
		get port() {
			return server.port;
		},
		get server() {
			return server;
		},
		reached: [],
		refused: [],
		atOnce: true,
		open: () => {
			const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
			const seen = { text: '', closed: false };
			socket.on('data', (chunk) => {
				seen.text += chunk.toString('latin1');
			});
			// Some tests end it; only the data received before that counts.
			socket.on('error', () => undefined);
			socket.on('end', () => socket.end());
			socket.on('close', () => {
				seen.closed = true;
			});
			return {
				seen,
				send: (text) => void socket.write(text),
				end: (text = '') => void socket.end(text),
				leave: () => void socket.destroy(),
				reset: () => void socket.resetAndDestroy(),
			};
		},
	};
	beforeEach(async () => {
		bench.reached.length = 0;
		bench.refused.length = 0;
		bench.atOnce = true;
		server = await listen({
			listener: (req, res) => {
				const pending: Reached = { req, res, body: '' };
				bench.reached.push(pending);
				req.on('data', (chunk) => {
					pending.body += String(chunk);
				});
				if (bench.atOnce) respond(pending);
			},
			host: '127.0.0.1',
			port: 0,
			keepAliveTimeoutMs: 5_000,
			headersTimeoutMs: 10_000,
			requestTimeoutMs: 10_000,
			headerBytesMax: 32_768,
			now: () => new Date(),
			onRefused: ({ cause }) => bench.refused.push(cause),
		});
	});
	afterEach(() => server.close(0));
	return bench;
}

/** @throws TypeError if there was no such request */
export function respond(pending: Reached | undefined): void {
	if (pending === undefined) throw new TypeError('No such request was reached.');
	pending.res.end(`response to ${pending.req.method} ${pending.req.url}`);
}

/** The head of a request without a body. */
export const request = (line: string, ...headers: string[]) =>
	[`${line} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');

/** Ends the connection. */
export const last = request('GET /last', 'Connection: close');

export const statuses = (text: string) =>
	[...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
export const responses = (text: string) => text.match(/response to [A-Z]+ \/[a-z]*/g) ?? [];
