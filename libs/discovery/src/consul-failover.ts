import type { Logger } from '@paddock/telemetry';
import { type ConsulCall, ConsulCallError, callConsul } from './consul-call.ts';
import type { ConsulEndpoint } from './consul-endpoint.ts';
import type { RegistryContact } from './registry-contact.ts';

export interface ConsulFailover {
	/**
	 * Makes a call at the current address. If that fails, the next one becomes the current address, for all calls, and
	 * the call is repeated there, without blocking; each address is tried once. Until a call of the same kind succeeds,
	 * only the first change is logged.
	 * @param onAttempt called before each attempt
	 */
	call<Result>(call: ConsulCall<Result>, onAttempt?: (endpoint: ConsulEndpoint) => void): Promise<Result>;
	current(): ConsulEndpoint;
}

interface ConsulFailoverDeps {
	endpoints: readonly [ConsulEndpoint, ...ConsulEndpoint[]];
	/** Receives the outcome of every call that wasn't aborted. */
	contact: RegistryContact;
	logger: Logger;
}

/** The kind of the regular call that doesn't block. */
export const leaderQuery = 'status.leader';

export function createConsulFailover({ endpoints, contact, logger }: ConsulFailoverDeps): ConsulFailover {
	let current = endpoints[0];
	/** The kinds of calls whose last result was a failure. Without a leader every call of a kind changes the address. */
	const failing = new Set<string>();

	/** Has no effect if another call has left the address already. */
	function leave(failed: ConsulEndpoint, kind: string, error: ConsulCallError): void {
		if (failed !== current) return;
		if (endpoints.length === 1) {
			const isFirst = !failing.has(kind);
			failing.add(kind);
			// A blocking query would notice a frozen Consul after its whole time-out.
			if (isFirst && kind === leaderQuery && !error.responded) failed.abort(error);
			return;
		}
		current = endpoints[(endpoints.indexOf(failed) + 1) % endpoints.length] ?? endpoints[0];
		if (!failing.has(kind)) {
			logger.warn('registry address changed', { from: failed.url, to: current.url, error });
		}
		failing.add(kind);
		// The other queries would wait for their time-out at an address that has stopped responding.
		failed.abort(error);
	}

	return {
		call: async (call, onAttempt) => {
			const { kind, signal, wait } = call;
			// Another address must respond at once, which shows that it is usable.
			const repeated = wait === undefined ? call : { ...call, wait: { ...wait, index: 0n } };
			for (let attempt = 1; ; attempt += 1) {
				const endpoint = current;
				onAttempt?.(endpoint);
				try {
					const result = await callConsul(endpoint, attempt === 1 ? call : repeated);
					contact.succeeded(kind);
					failing.delete(kind);
					return result;
				} catch (error) {
					if (signal.aborted || !(error instanceof ConsulCallError)) throw error;
					if (!error.refused) leave(endpoint, kind, error);
					if (!error.refused && attempt < endpoints.length) continue;
					contact.failed(kind, error);
					throw error;
				}
			}
		},
		current: () => current,
	};
}
