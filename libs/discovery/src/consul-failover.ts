import type { Logger } from '@paddock/telemetry';
import { type ConsulCall, ConsulCallError, callConsul } from './consul-call.ts';
import type { ConsulEndpoint } from './consul-endpoint.ts';
import type { RegistryContact } from './registry-contact.ts';

/** Calls to Consul at one of several addresses. */
export interface ConsulFailover {
	/**
	 * Makes a call at the current address. If that fails, the next one becomes the current address, for all calls, and
	 * the call is repeated there; each address is tried once. `repeated` is true from the second attempt on. Until a call of
	 * the same kind succeeds, only the first change is logged.
	 */
	call<Result>(create: (repeated: boolean) => ConsulCall<Result>): Promise<Result>;
	current(): ConsulEndpoint;
}

interface ConsulFailoverDeps {
	endpoints: readonly [ConsulEndpoint, ...ConsulEndpoint[]];
	/** Receives the outcome of every call that wasn't aborted. */
	contact: RegistryContact;
	logger: Logger;
}

export function createConsulFailover({ endpoints, contact, logger }: ConsulFailoverDeps): ConsulFailover {
	let current = endpoints[0];
	/** The kinds of calls whose last result was a failure. Without a leader every call of a kind changes the address. */
	const failing = new Set<string>();

	/** Has no effect if another call has left the address already. */
	function leave(failed: ConsulEndpoint, kind: string, error: ConsulCallError): void {
		if (failed !== current || endpoints.length === 1) return;
		current = endpoints[(endpoints.indexOf(failed) + 1) % endpoints.length] ?? endpoints[0];
		if (!failing.has(kind)) {
			logger.warn('registry address changed', { from: failed.url, to: current.url, error });
		}
		failing.add(kind);
		// The other queries would wait for their time-out at an address that has stopped responding.
		failed.abort();
	}

	async function call<Result>(create: (repeated: boolean) => ConsulCall<Result>): Promise<Result> {
		for (let attempt = 1; ; attempt += 1) {
			const endpoint = current;
			const each = create(attempt > 1);
			try {
				const result = await callConsul(endpoint, each);
				contact.succeeded(each.kind);
				failing.delete(each.kind);
				return result;
			} catch (error) {
				if (each.signal.aborted || !(error instanceof ConsulCallError)) throw error;
				if (!error.refused) leave(endpoint, each.kind, error);
				if (!error.refused && attempt < endpoints.length) continue;
				contact.failed(each.kind, error);
				throw error;
			}
		}
	}

	return { call, current: () => current };
}
