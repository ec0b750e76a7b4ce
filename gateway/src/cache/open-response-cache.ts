import { createCounter, seriesBy } from '@paddock/telemetry';
import type { Registry } from 'prom-client';
import type { Context } from '../contexts/context.ts';
import { type CacheResult, cacheResults } from '../exchange/exchange.ts';
import { gaugesIn } from '../metrics/metrics.ts';
import type { Forward } from '../proxy/attempt.ts';
import { cachedForward, createCacheablePaths } from './cached-forward.ts';
import { createResponseStore, type ResponseStore } from './response-store.ts';
import { policiesBy } from './stored-response.ts';

interface ResponseCacheOptions {
	/** 0 = no cache. */
	readonly bytesMax: number;
	readonly contexts: readonly Context[];
	readonly registry: Registry;
	readonly now: () => Date;
}

/** Adds the cache of `RESPONSE_CACHE_BYTES`, with its metrics, to what forwards calls; undefined if it is off. */
export function openResponseCache({
	bytesMax,
	contexts,
	registry,
	now,
}: ResponseCacheOptions): ((forward: Forward) => Forward) | undefined {
	if (bytesMax === 0) return undefined;
	const store = createResponseStore(bytesMax);
	observeStore(store, bytesMax, registry);
	const cache = {
		store,
		paths: createCacheablePaths(contexts),
		createPolicy: policiesBy(now),
		now,
		onResult: resultCounts(registry),
	};
	return (forward) => cachedForward(cache, forward);
}

function observeStore(store: ResponseStore, bytesMax: number, registry: Registry): void {
	const gauge = gaugesIn(registry, 'sum');
	gauge('response_cache_bytes', 'Memory that stored responses occupy, estimated.', store.bytes);
	gauge('response_cache_bytes_max', 'Memory that stored responses may occupy.', () => bytesMax);
	gauge('response_cache_entries', 'Addresses with a stored response.', store.entries);
}

function resultCounts(registry: Registry): (result: CacheResult) => void {
	const counted = createCounter({
		name: 'gateway_response_cache_requests_total',
		help: 'GET and HEAD requests to cached routes, by use of the cache.',
		labelNames: ['result'],
		registry,
	});
	const bound = seriesBy((result) => counted({ result }), cacheResults);
	return (result) => bound(result).inc();
}
