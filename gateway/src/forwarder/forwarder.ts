import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import type { ConnectionSettings } from './connect-instance.ts';

export interface ForwardRequest {
	readonly method: string;
	/** Path and query. */
	readonly url: string;
	readonly headers: OutgoingHttpHeaders;
	readonly body: Buffer | undefined;
	/** Milliseconds to the response headers. */
	readonly responseTimeoutMs: number;
	/** Milliseconds that the response body may pause before it counts as cut off. */
	readonly idleTimeoutMs: number;
	/** Aborted when the client has left. */
	readonly signal: AbortSignal;
}

export interface UpstreamResponse {
	/** 200–599. */
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: ResponseBody;
}

/** How the body of a response ended: completely, discarded by the gateway, cut off by the instance, or aborted by the client. */
export type BodyEnd = 'complete' | 'discarded' | 'cutOff' | 'clientAborted';

/** The body of a response. It is relayed as it arrives, at the speed of its reader. */
export interface ResponseBody {
	/** All of it has arrived already, with its head. */
	readonly whole: boolean;
	readonly hasBegun: boolean;
	/**
	 * Sends it as the body of `res` and ends that. Resolves when the client has all of it. When the instance cuts it off,
	 * `onCutOff` is called first, then `res` is destroyed: half a body must not look whole. If `res` is closed first, the instance's
	 * response is ended.
	 * @throws the reason why it ended early, on either side
	 */
	sendTo(res: Writable, onCutOff: () => void): Promise<void>;
	/** Ends the instance's response, which counts as discarded unless it has ended. Must be called for a body that is not sent. */
	destroy(): void;
	/** Calls back once, when nothing more will arrive from the instance. */
	onClosed(listener: (end: BodyEnd) => void): void;
}

/** Sends requests to one instance over its own connections. Failures, limits, retries and breakers are outside. */
export interface Forwarder {
	/** Settles at the response headers, so that a long download is not a slow call. @throws UpstreamFailure */
	forward(request: ForwardRequest): Promise<UpstreamResponse>;
	/** Closes idle connections; requests in flight are completed. */
	close(): void;
}

/** Opens the forwarder of one instance. @param url of the instance, without a path */
export type OpenForwarder = (url: string, settings: ConnectionSettings) => Forwarder;

/** Opens another one after a replacement of the certificate: connections made with the former one end after their response. */
export function renewed(open: OpenForwarder): OpenForwarder {
	return (url, settings) => {
		const { tls } = settings;
		if (tls === undefined) return open(url, settings);
		const certificate = () => tls().secureContext;
		let madeWith = certificate();
		let current = open(url, settings);
		return {
			forward: (request) => {
				const present = certificate();
				if (present !== madeWith) {
					current.close();
					madeWith = present;
					current = open(url, settings);
				}
				return current.forward(request);
			},
			close: () => current.close(),
		};
	};
}
