import { createServer, type Socket } from 'node:net';

/**
 * The service behind every target, as cheap as it can be, so that what is measured is the target. It reads only heads
 * that come in one piece, which is what proxies send. Its port and keys come in the environment.
 */
const { PORT: port, JWKS: jwks = '{}' } = process.env;

const json = 'Content-Type: application/json; charset=utf-8\r\n';
const answers = new Map<string, Buffer>([
	['/.well-known/jwks.json', answer('200 OK', 'Content-Type: application/jwk-set+json\r\n', jwks)],
	['/health', answer('200 OK', json, '{"status":"UP"}')],
	['/api/horses/small', answer('200 OK', `${json}ETag: W/"1"\r\n`, envelope(480))],
	['/api/horses/large', answer('200 OK', json, envelope(50 * 1_024))],
	[
		'/api/masterdata/countries',
		answer('200 OK', `${json}Cache-Control: no-cache\r\nETag: "1"\r\n`, envelope(480)),
	],
]);
const created = answer('201 Created', json, envelope(480));
const notModified = Buffer.from('HTTP/1.1 304 Not Modified\r\nETag: "1"\r\nCache-Control: no-cache\r\n\r\n');
const block = Buffer.alloc(65_536, 'x');

createServer(serve).listen(Number(port), '127.0.0.1');

/** A success of exactly so many bytes. */
function envelope(bytes: number): string {
	const text = (fill: string) =>
		JSON.stringify({ success: true, data: { fill }, message: 'ok', timestamp: '2026-01-01T00:00:00.000Z' });
	return text('x'.repeat(bytes - text('').length));
}

function answer(status: string, headers: string, body: string): Buffer {
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
		else socket.write(answers.get(path) ?? answer('404 Not Found', json, '{}'));
	});
}

/** So many mebibytes, as fast as they are taken. */
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
