import { type SharedText, sharedText } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import type { ConsulClient } from './consul-client.ts';
import { nextIndex } from './consul-query.ts';
import type { ConsulSettings } from './consul-settings.ts';

/** Shorter than that of services: a change of a value is rare, and is awaited. */
const periodMs = 250;

/** A text in Consul's key-value store, followed by blocking queries. */
export function consulText(deps: {
	readonly key: string;
	readonly client: Pick<ConsulClient, 'readValue' | 'writeValue'>;
	readonly settings: ConsulSettings;
	readonly logger: Logger;
	readonly random: () => number;
}): SharedText {
	const { key, client, settings, random, logger } = deps;
	let index = 0n;
	// `callTimeoutMs` limits each attempt; a common limit would expire before the second address is tried.
	const closing = new AbortController();
	const text = sharedText(
		{
			next: async (fresh, signal) => {
				if (fresh) index = 0n;
				const read = await client.readValue(key, { index, waitMs: settings.waitMs }, signal);
				index = nextIndex(index, read.index);
				return read;
			},
			read: () => client.readValue(key, { index: 0n, waitMs: 0 }, closing.signal),
			write: (next, version) => client.writeValue(key, { text: next, version }, closing.signal),
		},
		{ key, periodMs, random, logger },
	);
	return {
		...text,
		close: () => {
			closing.abort();
			return text.close();
		},
	};
}
