import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import type { BaseDto } from '@paddock/contract';

/** A request as received by the upstream. */
export interface RecordedRequest {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	rawHeaders: string[];
	body: string;
}

export interface TestUpstream {
	url: string;
	port: number;
	/** Complete requests in order of arrival, except health probes and paths below `unrecorded`. */
	requests: RecordedRequest[];
	/** Connections accepted so far. */
	connections(): number;
	close(): Promise<void>;
	/** Listens on the same port again. */
	reopen(): Promise<void>;
}

export type Respond = (req: IncomingMessage, res: ServerResponse, body: string) => void;

/** An HTTP server on a free port that records requests before it responds; `/health` returns `health`, by default 200. */
export async function recordingUpstream(
	respond: Respond = respondOk,
	options: { health?: number; keepAliveTimeoutMs?: number; unrecorded?: string } = {},
): Promise<TestUpstream> {
	const requests: RecordedRequest[] = [];
	const server = createServer((req, res) => {
		if (req.url === '/health') {
			res.writeHead(options.health ?? 200, { 'Content-Type': 'application/json' }).end('{}');
			return;
		}
		const chunks: Buffer[] = [];
		req.on('data', (chunk: Buffer) => chunks.push(chunk));
		// Some tests abort requests.
		req.on('error', () => undefined);
		req.on('end', () => {
			const body = Buffer.concat(chunks).toString();
			const { unrecorded } = options;
			const { method = '', url = '', headers, rawHeaders } = req;
			if (unrecorded === undefined || !url.startsWith(unrecorded))
				requests.push({ method, url, headers, rawHeaders, body });
			respond(req, res, body);
		});
	});
	if (options.keepAliveTimeoutMs !== undefined) server.keepAliveTimeout = options.keepAliveTimeoutMs;
	let connections = 0;
	server.on('connection', () => {
		connections += 1;
	});
	const listen = async (at: number): Promise<number> => {
		server.listen(at, '127.0.0.1');
		await once(server, 'listening');
		return (server.address() as AddressInfo).port;
	};
	const port = await listen(0);
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		requests,
		connections: () => connections,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
		reopen: async () => {
			await listen(port);
		},
	};
}

/** 200 with a small envelope. */
export function respondOk(_req: IncomingMessage, res: ServerResponse): void {
	const body = JSON.stringify({
		success: true,
		data: { ok: true },
		message: 'ok',
		timestamp: new Date().toISOString(),
	});
	res
		.writeHead(200, {
			'Content-Type': 'application/json; charset=utf-8',
			'Content-Length': Buffer.byteLength(body),
		})
		.end(body);
}

/** Responds with a status and an empty envelope. */
export function respondWithStatus(status: number): Respond {
	return (_req, res) => respondWithEnvelope(res, status, {});
}

/** Responds with data in the envelope; a status below 400 is a success. */
export function respondWithEnvelope(res: ServerResponse, status: number, data: unknown): void {
	const body: BaseDto<unknown> = {
		success: status < 400,
		data,
		message: String(status),
		timestamp: new Date().toISOString(),
	};
	res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Accepts the request and never responds. */
export function neverRespond(): void {}

export interface RawUpstream {
	url: string;
	port: number;
	/** Received bytes as text, per connection. */
	received: string[];
	close(): Promise<void>;
}

/** A TCP server that calls `respond` for each request head, for responses that an HTTP server can't send. */
export async function rawUpstream(respond: (socket: Socket, head: string) => void): Promise<RawUpstream> {
	const sockets = new Set<Socket>();
	const received: string[] = [];
	const server = createTcpServer((socket) => {
		sockets.add(socket);
		const index = received.push('') - 1;
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => undefined);
		let pending = '';
		socket.on('data', (chunk) => {
			received[index] += chunk.toString('latin1');
			pending += chunk.toString('latin1');
			const end = pending.indexOf('\r\n\r\n');
			if (end === -1) return;
			const head = pending.slice(0, end);
			pending = '';
			if (head.startsWith('GET /health ')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
			else respond(socket, head);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		received,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
