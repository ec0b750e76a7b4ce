import { type Access, administratorsOnly, type Route, routesWith, shownSetting } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import { type GatewayConfig, settingNames } from '../config/config.ts';
import type { Context } from '../contexts/context.ts';
import type { RecentExchange } from '../edge/access-entry.ts';
import { httpExchanges, mappings, operationsIndex, settingsReport } from './introspection-schemas.ts';
import { type LoggerDeps, loggerRoutes } from './logger-routes.ts';

export interface IntrospectionDeps extends LoggerDeps {
	readonly config: GatewayConfig;
	readonly contexts: readonly Context[];
	/** The last requests, the newest first. */
	readonly exchanges: () => readonly RecentExchange[] | Promise<readonly RecentExchange[]>;
	readonly logger: Logger;
}

/** A route, as far as the lists of pages show it. */
type ListedRoute = Pick<Route<never>, 'method' | 'path' | 'operationId' | 'summary' | 'access'>;

const route = routesWith<IntrospectionDeps>('operations');
const shared = {
	method: 'get',
	cacheControl: 'no-store',
	access: administratorsOnly,
	readers: 'office',
} as const;

/** Links, mappings, settings, log level and the last requests. @param others the other pages on the same port */
export function introspectionRoutes(
	prefix: `/${string}`,
	others: readonly ListedRoute[],
): readonly Route<IntrospectionDeps>[] {
	const pages = [
		settingsRoute(prefix),
		exchangesRoute(prefix),
		...loggerRoutes(prefix),
		mappingsRoute(prefix, () => all),
	];
	const all: readonly ListedRoute[] = [...others, ...pages];
	return [indexRoute(prefix, all), ...pages];
}

function indexRoute(prefix: `/${string}`, all: readonly ListedRoute[]): Route<IntrospectionDeps> {
	const links = all
		.filter(({ method, path }) => method === 'get' && path.startsWith(`${prefix}/`))
		.map(({ operationId: rel, path: href, summary }) => ({
			rel,
			href,
			templated: href.includes('{'),
			summary,
		}));
	return route({
		method: 'get',
		cacheControl: 'no-store',
		path: prefix,
		operationId: 'operations',
		summary: 'Links to the operations pages',
		access: 'public',
		output: operationsIndex,
		message: 'The operations pages',
		handler: () => ({ links }),
	});
}

function mappingsRoute(prefix: `/${string}`, all: () => readonly ListedRoute[]): Route<IntrospectionDeps> {
	return route({
		...shared,
		path: `${prefix}/mappings`,
		operationId: 'mappings',
		summary: 'Routes, with their access and limits',
		output: mappings,
		message: 'Routes, with their access and limits',
		handler: (_request, { config, contexts }) => ({
			contexts: contexts.map((context) => ({
				name: context.name,
				prefixes: [context.prefix, ...(context.alsoAt ?? [])],
				service: context.service,
				critical: context.critical,
				publicRoutes: [...context.publicRoutes],
				responseTimeoutMs: context.responseTimeoutMs ?? config.RESPONSE_TIMEOUT_MS,
			})),
			pages: all().map(({ method, path, operationId, access }) => ({
				method: method.toUpperCase(),
				path,
				operationId,
				access: rolesOf(access),
			})),
			limits: {
				bodyBytesMax: config.BODY_BYTES_MAX,
				urlBytesMax: config.URL_BYTES_MAX,
				headerBytesMax: config.HEADER_BYTES_MAX,
				deadlineMs: config.DEADLINE_MS,
				perMinute: {
					signIn: config.RATE_LIMIT_SIGN_IN,
					anonymous: config.RATE_LIMIT_ANONYMOUS,
					user: config.RATE_LIMIT_USER,
					officer: config.RATE_LIMIT_OFFICER,
				},
			},
		}),
	});
}

function rolesOf(access: Access): string[] {
	if (access === 'public') return [];
	return typeof access === 'object' && 'roles' in access ? [...access.roles] : ['any'];
}

function settingsRoute(prefix: `/${string}`): Route<IntrospectionDeps> {
	return route({
		...shared,
		path: `${prefix}/env`,
		operationId: 'settings',
		summary: 'Effective settings of this gateway and the source of each; secrets are masked',
		output: settingsReport,
		message: 'Effective settings of this gateway',
		handler: (_request, { config }) => ({
			settings: settingNames.map((name) => ({
				name,
				value: shownValue(config, name),
				source: config.given.has(name) ? ('environment' as const) : ('default' as const),
			})),
		}),
	});
}

/** Text as in the environment, with secrets masked. */
function shownValue({ given, ...config }: GatewayConfig, name: (typeof settingNames)[number]): string | null {
	const text = given.get(name) ?? defaultText(config[name]);
	return text === undefined ? null : shownSetting(name, text);
}

function defaultText(value: unknown): string | undefined {
	if (value === undefined || value === '') return undefined;
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return Array.isArray(value) ? value.join(',') : String(value);
}

function exchangesRoute(prefix: `/${string}`): Route<IntrospectionDeps> {
	return route({
		...shared,
		path: `${prefix}/httpexchanges`,
		operationId: 'httpExchanges',
		summary: 'The last 200 requests of this gateway, without headers, queries and bodies',
		output: httpExchanges,
		message: 'The last requests, the newest first',
		handler: async (_request, { exchanges }) => ({ exchanges: [...(await exchanges())] }),
	});
}
