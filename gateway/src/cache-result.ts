/**
 * How a request used the cache. `hit`: a fresh response was stored. `stale`: a stored one was used while a newer one is
 * fetched, or instead of a failure. `miss`: fetched. `revalidated`: the service confirmed the stored one. `collapsed`:
 * another request was fetching it. `bypass`: the request must not use the cache.
 */
export const cacheResults = ['hit', 'stale', 'miss', 'revalidated', 'collapsed', 'bypass'] as const;

export type CacheResult = (typeof cacheResults)[number];
