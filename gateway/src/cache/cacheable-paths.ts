import type { Context } from '../contexts.ts';

export interface CacheablePaths {
	/**
	 * The collection to which a declared path belongs, e.g. `/api/masterdata/countries`, if responses to GET may be stored. A
	 * write invalidates a whole collection: lists, searches and records show the same data.
	 */
	collectionOf(route: string): string | undefined;
	/** The collections that a write to an address may have changed. */
	changedBy(context: Context | undefined, path: string): readonly string[];
}

const none: readonly string[] = [];

/** Compiles `cachedPaths` of the contexts. All other responses pass by the cache. */
export function createCacheablePaths(contexts: readonly Context[]): CacheablePaths {
	const collections = new Map<string, string>();
	const byContext = new Map<Context | undefined, ReadonlySet<string>>();
	for (const context of contexts) {
		const own = (context.cachedPaths ?? []).map((path) => [path, collectionAt(context, path)] as const);
		for (const [path, collection] of own) collections.set(path, collection);
		if (own.length > 0) byContext.set(context, new Set(own.map(([, collection]) => collection)));
	}
	return {
		collectionOf: (route) => collections.get(route),
		changedBy: (context, path) => {
			const own = byContext.get(context);
			if (own === undefined) return none;
			return [...own].filter((each) => path === each || path.startsWith(`${each}/`));
		},
	};
}

/** One segment below the prefix of the context, or less if that one is a parameter. */
function collectionAt({ prefix }: Context, path: string): string {
	const segments = path.split('/');
	const parameter = segments.findIndex((segment) => segment.startsWith('{'));
	const depth = prefix.split('/').length + 1;
	return segments.slice(0, parameter === -1 ? depth : Math.min(depth, parameter)).join('/');
}
