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

interface OpenedResponseCache {
	readonly cached: (forward: Forward) => Forward;
	/** Caches the responses of these contexts from now on, and forgets those of contexts that have changed. */
	follow(contexts: readonly Context[]): void;
}

/** Creates the cache of `RESPONSE_CACHE_BYTES`, with its metrics; undefined if it is off. */
export function openResponseCache({
	bytesMax,
	contexts,
	registry,
	now,
}: ResponseCacheOptions): OpenedResponseCache | undefined {
	if (bytesMax === 0) return undefined;
	const store = createResponseStore(bytesMax);
	observeStore(store, bytesMax, registry);
	let paths = createCacheablePaths(contexts);
	let known = [...contexts];
	const cache = {
		store,
		paths: {
			collectionOf: (route: string) => paths.collectionOf(route),
			parametersOf: (route: string) => paths.parametersOf(route),
			changedBy: (context: Context | undefined, path: string) => paths.changedBy(context, path),
		},
		createPolicy: policiesBy(now),
		now,
		onResult: resultCounts(registry),
	};
	return {
		cached: (forward) => cachedForward(cache, forward),
		follow: (next) => {
			const gone = createCacheablePaths(known.filter((context) => !next.includes(context)));
			for (const collection of gone.collections()) store.invalidate(collection);
			paths = createCacheablePaths(next);
			known = [...next];
		},
	};
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
