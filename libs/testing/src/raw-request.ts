import { connect } from 'node:net';

/**
 * Sends exactly these bytes and resolves with all that comes back until the peer closes, or with what there is after
 * `timeoutMs`. For requests that no HTTP client would send.
 */
export async function rawRequest(
	port: number,
	bytes: string | Buffer,
	timeoutMs = 5_000,
): Promise<RawAnswer> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		const chunks: Buffer[] = [];
		let closed = false;
		const timer = setTimeout(() => socket.destroy(), timeoutMs);
		socket.on('connect', () => socket.write(bytes));
		socket.on('data', (chunk) => chunks.push(chunk));
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

export interface RawAnswer {
	/** 0 when nothing came back. */
	status: number;
	/** Lower-case names. */
	headers: Record<string, string>;
	body: string;
	text: string;
	/** The peer closed; false = the time ran out. */
	closedByPeer: boolean;
}

function parse(text: string, closedByPeer: boolean): RawAnswer {
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
