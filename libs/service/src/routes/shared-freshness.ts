import type { Route } from './route.ts';

/** For how many seconds a response may be reused by all clients (RFC 9111), and after that in two cases (RFC 5861). */
export interface SharedFreshness {
	readonly maxAge: number;
	/** While a newer one is fetched in the background. */
	readonly staleWhileRevalidate?: number;
	/** While the service fails. */
	readonly staleIfError?: number;
}

export function cacheControlText(cacheControl: string | SharedFreshness): string {
	if (typeof cacheControl === 'string') return cacheControl;
	const { maxAge, staleWhileRevalidate, staleIfError } = cacheControl;
	const stale = [
		staleWhileRevalidate === undefined ? '' : `, stale-while-revalidate=${staleWhileRevalidate}`,
		staleIfError === undefined ? '' : `, stale-if-error=${staleIfError}`,
	];
	return `public, max-age=${maxAge}${stale.join('')}`;
}

/** @throws TypeError if a route with a shared freshness depends on its caller */
export function requirePublic({
	operationId,
	access,
	tokenOptional,
	cacheControl,
}: Pick<Route<never>, 'operationId' | 'access' | 'tokenOptional' | 'cacheControl'>): void {
	if (typeof cacheControl !== 'object' || (access === 'public' && tokenOptional === undefined)) return;
	throw new TypeError(`${operationId} depends on its caller, so shared caches must not store its responses.`);
}
