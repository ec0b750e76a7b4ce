import type { ConsulFailover } from './consul-failover.ts';
import { readReplaced, readValue } from './consul-responses.ts';

/** The calls to Consul's key-value store. All throw a ConsulCallError, also when the signal aborts them. */
export interface ConsulValues {
	/**
	 * `/v1/kv/:key`: a value, undefined if there is none, and its version, 0 if there is none. With an index above 0 this
	 * is a blocking query. https://developer.hashicorp.com/consul/api-docs/kv#read-key
	 */
	readValue(
		key: string,
		query: { index: bigint; waitMs: number },
		signal: AbortSignal,
	): Promise<{ text: string | undefined; version: string; index: bigint }>;
	/** Replaces a value if its version is still the same. @returns whether it was replaced */
	writeValue(key: string, written: { text: string; version: string }, signal: AbortSignal): Promise<boolean>;
}

export function createConsulValues({
	failover,
	callTimeoutMs: timeoutMs,
}: {
	failover: ConsulFailover;
	callTimeoutMs: number;
}): ConsulValues {
	return {
		readValue: (key, { index, waitMs }, signal) =>
			failover.call((repeated) => {
				// As for services.
				const blocking = index > 0n && !repeated;
				const query = blocking ? { index: String(index), wait: `${waitMs}ms` } : {};
				return {
					kind: 'kv.get',
					over: 'queries',
					signal,
					timeoutMs: blocking ? waitMs * 1.1 + 1_000 : timeoutMs,
					run: (consul, options) => consul.kv.get({ key, ...query, ...options }),
					read: readValue,
				};
			}),
		writeValue: (key, { text, version }, signal) =>
			failover.call(() => ({
				kind: 'kv.set',
				over: 'calls',
				signal,
				timeoutMs,
				run: (consul, options) => consul.kv.set({ key, value: text, cas: Number(version), ...options }),
				read: readReplaced,
			})),
	};
}
