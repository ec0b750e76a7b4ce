import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { finished, pipeline } from 'node:stream/promises';

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

/** A body that comes as a stream of Node's. `untilClosed` = `endsWithConnection` */
export function streamedBody(stream: IncomingMessage, untilClosed: boolean): AnswerBody {
	const { socket } = stream;
	return {
		whole: false,
		sendTo: async (res, onBroken) => {
			stream.once('error', onBroken);
			await pipeline(stream, res, { end: !untilClosed });
			if (!untilClosed) return;
			if (socket.readableEnded) res.end();
			else {
				onBroken();
				res.destroy();
			}
			await finished(res);
		},
		destroy: () => void stream.destroy(),
		onClosed: (listener) => void stream.once('close', listener),
	};
}
