import type { ServerResponse } from 'node:http';
import { UpstreamFailure } from '../failures.ts';
import type { UpstreamResponse } from '../forwarder/forwarder.ts';
import { type OwnHeaders, relayedHeaders } from '../headers.ts';

// flushHeaders() would write header values in UTF-8 that came in Latin-1; beside bytes they stay unchanged.
const noBytes = Buffer.alloc(0);
const json = /^application\/(?:[\w.+-]+\+)?json/i;

/** Whether a response can be relayed: a failure that isn't JSON has no envelope and is replaced. */
export function isPresentable({ status, headers }: UpstreamResponse): boolean {
	return status < 400 || json.test(headers['content-type'] ?? '');
}

/**
 * Relays a response: status, end-to-end headers beside the gateway's own, body. Resolves when the client has all of it.
 * When either side ends early, the client's connection is closed, so that half a body never looks whole; `onCutOff` is
 * called before that, if the instance ended it.
 * @throws UpstreamFailure `cutOff` or `clientAborted`
 */
export async function relayResponse(
	res: ServerResponse,
	response: UpstreamResponse,
	own: OwnHeaders,
	onCutOff: () => void,
): Promise<void> {
	const { status, headers, body } = response;
	const hasLength = headers['content-length'] !== undefined;
	// Without a length and without chunks the end of the connection ends the body; only a reset shows that it is cut off.
	const endsWithConnection = !hasLength && res.req.httpVersion === '1.0';
	let cutOff = false;
	try {
		res.writeHead(status, relayedHeaders(res, response, own));
	} catch (error) {
		body.destroy();
		throw error;
	}
	// The first byte of a stream may take long; a body of known length follows at once, in the same packet.
	if (!hasLength && !body.whole) res.write(noBytes);
	try {
		await body.sendTo(res, () => {
			// The client left first, and the instance's connection was closed because of that.
			if (res.destroyed) return;
			cutOff = true;
			onCutOff();
			if (endsWithConnection) res.socket?.resetAndDestroy();
		});
	} catch (error) {
		throw new UpstreamFailure(cutOff ? 'cutOff' : 'clientAborted', error);
	}
}
