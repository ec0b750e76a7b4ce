import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

/** More than this isn't worth being turned into text. */
export const smallBytes = 16_384;

/** The body of an answer on its way from an instance. It is passed on as it comes, at the speed of its reader. */
export interface AnswerBody {
	/** All of it is here already: it came in one piece with its head. */
	readonly whole: boolean;
	/**
	 * Sends it as the body of `res` and ends that. Resolves when the client has all of it. When the instance breaks off
	 * `onBroken` is called first, then `res` is destroyed: half a body must not look whole.
	 * @throws whatever broke it off, on either side
	 */
	sendTo(res: ServerResponse, onBroken: () => void): Promise<void>;
	/** Breaks off with the instance. */
	destroy(): void;
	/** Calls back once when nothing more comes of it: it has ended or was broken off. */
	onClosed(listener: () => void): void;
}

/**
 * Whether only the end of the connection ends the body (RFC 9112 §6.3). Both engines take a reset for that end; half
 * a body would look whole, so each lane must ask the socket how it ended.
 */
export function endsWithConnection(method: string, status: number, headers: IncomingHttpHeaders): boolean {
	return (
		headers['content-length'] === undefined &&
		headers['transfer-encoding'] === undefined &&
		status !== 204 &&
		status !== 304 &&
		method !== 'HEAD'
	);
}

/**
 * A body that comes as a stream of Node's. `untilClosed` = `endsWithConnection`. `idleTimeoutMs` is how long it may
 * stand still. Tied together by hand: `pipeline` makes an AbortController and an error for each, used or not.
 */
export function streamedBody(
	stream: IncomingMessage,
	untilClosed: boolean,
	idleTimeoutMs: number,
): AnswerBody {
	return {
		whole: false,
		sendTo: (res, onBroken) =>
			new Promise((resolve, reject) => {
				let reason: Error | undefined;
				const broken = (error: Error): void => {
					if (reason !== undefined || res.writableEnded) return;
					reason = error;
					onBroken();
					res.destroy();
				};
				res.on('finish', resolve);
				res.on('close', () => {
					if (res.writableFinished) return;
					stream.destroy();
					reject(reason ?? new Error('The client left.'));
				});
				if (res.closed) {
					stream.destroy();
					reject(new Error('The client left.'));
				} else if (isHere(stream, untilClosed)) sendAtOnce(stream, res);
				else sendOn(stream, res, { untilClosed, idleTimeoutMs, broken });
			}),
		destroy: () => void stream.destroy(),
		onClosed: (listener) => void stream.once('close', listener),
	};
}

/** The usual case of a small answer: it came with its head. */
function isHere(stream: IncomingMessage, untilClosed: boolean): boolean {
	return stream.complete && !untilClosed && !stream.destroyed && stream.readableLength <= smallBytes;
}

function sendAtOnce(stream: IncomingMessage, res: ServerResponse): void {
	endWith(res, stream.read());
	// The connection is free when its end has been read, too.
	stream.resume();
}

interface OnTheWay {
	readonly untilClosed: boolean;
	readonly idleTimeoutMs: number;
	readonly broken: (error: Error) => void;
}

/** Passes it on as it comes, paused while the client is slow. */
function sendOn(stream: IncomingMessage, res: ServerResponse, way: OnTheWay): void {
	const { socket } = stream;
	const timer = setTimeout(() => {
		stream.destroy(new Error('The service stopped in the middle of its answer.'));
	}, way.idleTimeoutMs);
	stream.on('error', way.broken);
	stream.on('close', () => {
		clearTimeout(timer);
		if (!res.writableEnded) way.broken(new Error('The service broke off in the middle of its answer.'));
	});
	stream.on('end', () => {
		clearTimeout(timer);
		if (!way.untilClosed || socket.readableEnded) res.end();
		else way.broken(new Error('The connection was reset in the middle of the body.'));
	});
	res.on('drain', () => stream.resume());
	stream.on('data', (chunk: Buffer) => {
		timer.refresh();
		if (!res.write(chunk)) stream.pause();
	});
}

/** Ends an answer with the rest of its body, a small one in one piece with the head: as bytes they would be two. */
export function endWith(res: ServerResponse, rest: Buffer | null | undefined): void {
	if (rest === null || rest === undefined) res.end();
	else if (rest.length > smallBytes) res.end(rest);
	else res.end(rest.toString('latin1'), 'latin1');
}
