import { isSafe, UpstreamFailure } from '../failures.ts';
import type { ConnectionSettings } from './connect-instance.ts';
import type { Forwarder } from './forwarder.ts';
import { createHttpProxyForwarder } from './http-proxy-forwarder.ts';
import { InterimContinue } from './undici-errors.ts';
import { UndiciForwarder } from './undici-forwarder.ts';

/** Opens the forwarder of one instance. @param url of the instance, without a path */
export type OpenForwarder = (url: string, settings: ConnectionSettings) => Forwarder;

/**
 * undici, until the instance sends a `100 Continue` that undici can't read; http-proxy-middleware from then on.
 * See docs/decisions/0009-two-forwarders.md.
 */
export const openForwarder: OpenForwarder = (url, settings) => {
	let current: Forwarder = new UndiciForwarder(url, settings);
	let sendsContinue = false;
	const switchForwarder = (): void => {
		if (sendsContinue) return;
		sendsContinue = true;
		current.close();
		current = createHttpProxyForwarder(url, settings);
	};
	return {
		forward: async (request) => {
			const startedAt = performance.now();
			try {
				return await current.forward(request);
			} catch (error) {
				if (!(error instanceof InterimContinue)) throw error;
				switchForwarder();
				// The service may have carried it out.
				if (!isSafe(request.method)) throw new UpstreamFailure('invalidResponse', error);
				const elapsedMs = Math.floor(performance.now() - startedAt);
				const responseTimeoutMs = Math.max(1, request.responseTimeoutMs - elapsedMs);
				return current.forward({ ...request, responseTimeoutMs });
			}
		},
		close: () => current.close(),
	};
};
