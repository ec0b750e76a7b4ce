import { connect } from 'node:net';

/**
 * Sends bytes unchanged, for requests that no HTTP client would send. Resolves when the peer closes the connection or
 * after `timeoutMs`, with the response received so far; with `quietMs` also when the response has begun and nothing more arrives
 * for this long, for a connection that stays open.
 */
export async function rawRequest(
	port: number,
	bytes: string | Buffer,
	timeoutMs = 5_000,
	quietMs?: number,
): Promise<RawResponse> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		const chunks: Buffer[] = [];
		let closed = false;
		let timer = setTimeout(() => socket.destroy(), timeoutMs);
		socket.on('connect', () => socket.write(bytes));
		socket.on('data', (chunk) => {
			chunks.push(chunk);
			if (quietMs === undefined) return;
			clearTimeout(timer);
			timer = setTimeout(() => socket.destroy(), quietMs);
		});
		socket.on('end', () => {
			closed = true;
		});
		socket.on('error', () => {
			closed = true;
		});
		socket.on('close', () => {
			clearTimeout(timer);
			resolve(parse(Buffer.concat(chunks).toString('latin1'), closed));
		});
	});
}

export interface RawResponse {
	/** 0 if there was no response. */
	status: number;
	/** Lower-case names. */
	headers: Record<string, string>;
	body: string;
	text: string;
	/** False if the timeout elapsed. */
	closedByPeer: boolean;
}

function parse(text: string, closedByPeer: boolean): RawResponse {
	const [head = '', ...rest] = text.split('\r\n\r\n');
	const [statusLine = '', ...lines] = head.split('\r\n');
	const headers = Object.fromEntries(
		lines.map((line) => [
			line.slice(0, line.indexOf(':')).toLowerCase(),
			line.slice(line.indexOf(':') + 1).trim(),
		]),
	);
	return {
		status: Number(statusLine.split(' ')[1] ?? 0),
		headers,
		body: rest.join('\r\n\r\n'),
		text,
		closedByPeer,
	};
}
