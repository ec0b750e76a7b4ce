import { isSafe, UpstreamFailure } from '../failures.ts';
import type { Forwarder, ForwardRequest } from './forwarder.ts';
import { UnaskedContinue } from './pool-errors.ts';

export interface Lanes {
	/** For requests without a body. */
	readonly replay: Forwarder;
	/** For everything. */
	readonly stream: Forwarder;
}

// POST, PUT and PATCH without a body are too rare to be worth a test of it.
const bodiless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE']);

/**
 * Chooses the engine of each request. http-proxy-middleware can carry everything, but what it does for bodies and
 * upgrades costs more than all the rest of the gateway; what has no body needs none of it (docs/performance.md).
 */
export function createTwoLanes(lanes: Lanes): Forwarder {
	// An instance that has said an unasked 100 will do so again.
	let saysContinue = false;
	const lane = ({ method, body }: ForwardRequest): Forwarder =>
		body === undefined && bodiless.has(method) && !saysContinue ? lanes.replay : lanes.stream;
	return {
		forward: async (request) => {
			const startedAt = performance.now();
			try {
				return await lane(request).forward(request);
			} catch (error) {
				if (!(error instanceof UnaskedContinue)) throw error;
				saysContinue = true;
				if (!isSafe(request.method)) throw new UpstreamFailure('invalidResponse', error);
				const restMs = request.responseTimeoutMs - Math.floor(performance.now() - startedAt);
				return lanes.stream.forward({ ...request, responseTimeoutMs: Math.max(1, restMs) });
			}
		},
		close: () => {
			lanes.replay.close();
			lanes.stream.close();
		},
	};
}
