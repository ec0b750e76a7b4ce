import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

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
 * A body that comes as a stream of Node's. `untilClosed` = `endsWithConnection`. Tied together by hand: `pipeline` makes
 * an AbortController and an error for each, used or not.
 */
export function streamedBody(stream: IncomingMessage, untilClosed: boolean): AnswerBody {
	const { socket } = stream;
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
				stream.on('error', broken);
				stream.on('close', () => broken(new Error('The service broke off in the middle of its answer.')));
				stream.on('end', () => {
					if (!untilClosed || socket.readableEnded) res.end();
					else broken(new Error('The connection was reset in the middle of the body.'));
				});
				res.on('finish', resolve);
				res.on('close', () => {
					if (res.writableFinished) return;
					stream.destroy();
					reject(reason ?? new Error('The client left.'));
				});
				if (res.closed) {
					stream.destroy();
					reject(new Error('The client left.'));
				} else stream.pipe(res, { end: false });
			}),
		destroy: () => void stream.destroy(),
		onClosed: (listener) => void stream.once('close', listener),
	};
}
