import { UpstreamFailure } from '../failures.ts';
import type { ForwardAnswer, Forwarder } from './forwarder.ts';
import type { InstancePool } from './instance-pool.ts';
import { ReplayAttempt } from './replay-attempt.ts';

/** Forwards requests without a body through undici. @throws what `classifyPoolError` makes of its errors */
export function createReplayForwarder(deps: { pool: InstancePool }): Forwarder {
	const { pool } = deps;
	const released = (): void => pool.released();
	return {
		forward: (request) => {
			if (request.signal.aborted) return Promise.reject(request.signal.reason);
			return new Promise<ForwardAnswer>((answered, reject) => {
				const failed = (failure: unknown): void => {
					// Those that have been idle for longer are no fresher than the one that was tried.
					if (failure instanceof UpstreamFailure && failure.kind === 'staleConnection') pool.closeIdle();
					reject(failure);
				};
				const { method, url: path, headers } = request;
				pool.dispatch({ method, path, headers }, new ReplayAttempt({ request, answered, failed, released }));
			});
		},
		close: () => pool.retire(),
	};
}
