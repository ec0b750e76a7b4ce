/** One bounded context behind the gateway. */
export interface Context {
	readonly name: string;
	/** What it keeps, for people who see it for the first time. */
	readonly summary: string;
	/** Requests at and below it belong to the context; matched at segment boundaries. */
	readonly prefix: `/${string}`;
	/** Single addresses outside the prefix that the context answers as well. */
	readonly alsoAt?: readonly `/${string}`[];
	/** Its name in the registry. */
	readonly service: string;
	/** Without a usable instance of a critical context the whole system counts as DOWN. */
	readonly critical: boolean;
	/** What may be called without a token, `METHOD /path`; everything else may not. GET includes HEAD. */
	readonly publicRoutes: readonly `${'GET' | 'POST'} /${string}`[];
	/** True if the context checks the live session itself at each change; the gateway then does not. */
	readonly checksSessions?: true;
	/** Milliseconds to the response headers where the general setting doesn't fit. */
	readonly responseTimeoutMs?: number;
}

/** Every context that this gateway knows how to front. `CONTEXTS` says which of them a deployment has. */
export const contextTable = [
	{
		name: 'auth',
		summary: 'Accounts, sign-in, sessions, roles',
		prefix: '/auth',
		alsoAt: ['/.well-known/jwks.json'],
		service: 'auth-service',
		critical: true,
		checksSessions: true,
		publicRoutes: [
			'POST /auth/register',
			'POST /auth/login',
			'POST /auth/refresh',
			'GET /.well-known/jwks.json',
		],
	},
	{
		name: 'members',
		summary: 'Members, clubs',
		prefix: '/api/members',
		service: 'members-service',
		critical: true,
		publicRoutes: [],
	},
	{
		name: 'masterdata',
		summary: 'Countries, states, age classes, venues',
		prefix: '/api/masterdata',
		service: 'masterdata-service',
		critical: true,
		publicRoutes: [
			'GET /api/masterdata/countries',
			'GET /api/masterdata/countries/active',
			'GET /api/masterdata/countries/by-code/{code}',
			'GET /api/masterdata/countries/{id}',
			'GET /api/masterdata/states',
			'GET /api/masterdata/states/{id}',
			'GET /api/masterdata/age-classes',
			'GET /api/masterdata/age-classes/applicable',
			'GET /api/masterdata/age-classes/{id}',
			'GET /api/masterdata/venues',
			'GET /api/masterdata/venues/{id}',
			'GET /api/masterdata/venues/{id}/arenas',
			'GET /api/masterdata/venues/{id}/arenas/{arenaId}',
		],
	},
	{
		name: 'horses',
		summary: 'Horses, owners, pedigrees',
		prefix: '/api/horses',
		service: 'horses-service',
		critical: true,
		publicRoutes: [],
	},
	{
		name: 'events',
		summary: 'Tournaments, competitions, entries',
		prefix: '/api/events',
		service: 'events-service',
		critical: true,
		publicRoutes: [
			'GET /api/events',
			'GET /api/events/search',
			'GET /api/events/stats',
			'GET /api/events/calendar.ics',
			'GET /api/events/{id}',
			'GET /api/events/{id}/competitions',
			'GET /api/events/{id}/competitions/{competitionId}',
		],
	},
	{
		name: 'ping',
		summary: 'Whether the way to a service and back works',
		prefix: '/api/ping',
		service: 'ping-service',
		critical: false,
		publicRoutes: ['GET /api/ping'],
	},
] as const satisfies readonly Context[];

export type ContextName = (typeof contextTable)[number]['name'];

/** A deployment has all of them unless it says otherwise. */
export const contextNames: readonly ContextName[] = contextTable.map((context) => context.name);

/** The rows of the table that a deployment has, in the table's order. */
export function selectContexts(names: readonly ContextName[]): readonly Context[] {
	return contextTable.filter((context) => names.includes(context.name));
}
