import { UpstreamFailure } from '../failures.ts';
import type { ConnectionSettings } from './connect-instance.ts';
import type { Forwarder, UpstreamResponse } from './forwarder.ts';
import { UndiciAttempt } from './undici-attempt.ts';
import { UndiciPool } from './undici-pool.ts';

/** Forwards through undici. @param url of the instance, without a path @throws InterimContinue */
export function createUndiciForwarder(url: string, settings: ConnectionSettings): Forwarder {
	const pool = new UndiciPool(url, settings);
	const released = (): void => pool.released();
	return {
		forward: (request) => {
			if (request.signal.aborted) return Promise.reject(request.signal.reason);
			return new Promise<UpstreamResponse>((responded, reject) => {
				const failed = (failure: unknown): void => {
					// Connections that have been idle for longer are no fresher than this one.
					if (failure instanceof UpstreamFailure && failure.kind === 'staleConnection') pool.closeIdle();
					reject(failure);
				};
				const { method, url: path, headers, body = null } = request;
				pool.dispatch(
					{ method, path, headers, body },
					new UndiciAttempt({ request, responded, failed, released }),
				);
			});
		},
		close: () => pool.retire(),
	};
}
