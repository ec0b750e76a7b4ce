import { createServer, type Socket } from 'node:net';

/**
 * The service behind every target, with as little work as possible, so that the target is measured. A request head must
 * arrive in one chunk, as proxies send it. Port and key set come from the environment.
 */
const { PORT: port, JWKS: jwks = '{}' } = process.env;

const json = 'Content-Type: application/json; charset=utf-8\r\n';
const responses = new Map<string, Buffer>([
	['/.well-known/jwks.json', response('200 OK', 'Content-Type: application/jwk-set+json\r\n', jwks)],
	['/health', response('200 OK', json, '{"status":"UP"}')],
	['/api/horses/small', response('200 OK', `${json}ETag: W/"1"\r\n`, envelope(480))],
	['/api/horses/large', response('200 OK', json, envelope(50 * 1_024))],
	[
		'/api/masterdata/countries',
		response('200 OK', `${json}Cache-Control: no-cache\r\nETag: "1"\r\n`, envelope(480)),
	],
]);
const created = response('201 Created', json, envelope(480));
const notModified = Buffer.from('HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nCache-Control: no-cache\r\n\r\n');
const block = Buffer.alloc(65_536, 'x');

createServer(serve).listen(Number(port), '127.0.0.1');

/** A success envelope of exactly `bytes` bytes. */
function envelope(bytes: number): string {
	const text = (fill: string) =>
		JSON.stringify({ success: true, data: { fill }, message: 'ok', timestamp: '2026-01-01T00:00:00.000Z' });
	return text('x'.repeat(bytes - text('').length));
}

function response(status: string, headers: string, body: string): Buffer {
	const length = Buffer.byteLength(body);
	return Buffer.from(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${length}\r\n\r\n${body}`);
}

function serve(socket: Socket): void {
	let bodyLeft = 0;
	socket.setNoDelay(true);
	socket.on('error', () => socket.destroy());
	socket.on('data', (chunk: Buffer) => {
		if (bodyLeft > 0) {
			bodyLeft -= chunk.length;
			if (bodyLeft <= 0) socket.write(created);
			return;
		}
		const headEnd = chunk.indexOf('\r\n\r\n') + 4;
		const head = chunk.toString('latin1', 0, headEnd);
		const pathStart = head.indexOf(' ') + 1;
		if (head.startsWith('POST')) {
			bodyLeft = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0) - (chunk.length - headEnd);
			if (bodyLeft <= 0) socket.write(created);
			return;
		}
		const path = head.slice(pathStart, head.indexOf(' ', pathStart));
		if (path.startsWith('/api/horses/stream/')) stream(socket, Number(path.slice(path.lastIndexOf('/') + 1)));
		else if (/\r\nif-none-match: *"1"/i.test(head)) socket.write(notModified);
		else socket.write(responses.get(path) ?? response('404 Not Found', json, '{}'));
	});
}

/** Sends `mebibytes` MiB as fast as the client reads them. */
function stream(socket: Socket, mebibytes: number): void {
	const bytes = mebibytes * 1_048_576;
	socket.write(
		`HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${bytes}\r\n\r\n`,
	);
	let blocks = bytes / block.length;
	const send = (): void => {
		while (blocks > 0) {
			blocks -= 1;
			if (!socket.write(block)) {
				socket.once('drain', send);
				return;
			}
		}
	};
	send();
}
