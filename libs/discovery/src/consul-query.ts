import type { ConsulClient } from './consul-client.ts';
import { consulEntry } from './consul-responses.ts';
import type { RegistryQuery } from './service-watch.ts';

/** Creates the query for the passing instances of a service; it blocks until they change, except for the first time. */
export function createConsulQuery(service: string, client: ConsulClient, waitMs: number): RegistryQuery {
	let index = 0n;
	return async (signal) => {
		const previous = index;
		// After a failure the next query must not block: its response shows that Consul has recovered.
		index = 0n;
		const response = await client.passingEntries(service, { index: previous, waitMs }, signal);
		index = nextIndex(previous, response.index);
		return response.entries.map(consulEntry);
	};
}

/**
 * The index for the next query: 0, which doesn't block, if the index went backwards (Consul was restarted or restored)
 * or isn't above 0. https://developer.hashicorp.com/consul/api-docs/features/blocking#implementation-details
 */
export function nextIndex(previous: bigint, responded: bigint): bigint {
	return responded <= 0n || responded < previous ? 0n : responded;
}
