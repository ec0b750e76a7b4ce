import { describe, expect, it } from '@jest/globals';
import type { Context } from './context.ts';
import { readOwnContracts } from './contracts.ts';
import { createRouteTable } from './route-table.ts';

const { contexts: all } = await readOwnContracts();
const table = createRouteTable(all);
const nameOf = (path: string) => table.contextOf(path)?.name;
const isPublic = (method: string, path: string, routes = table): boolean => {
	const context = routes.contextOf(path);
	return context !== undefined && routes.isPublic(method, routes.routeOf(context, path));
};

describe('route table', () => {
	it.each([
		['/auth', 'auth'],
		['/auth/', 'auth'],
		['/auth/profile', 'auth'],
		['/auth/a/b/c', 'auth'],
		['/.well-known/jwks.json', 'auth'],
		['/api/members', 'members'],
		['/api/members/', 'members'],
		['/api/members/x/y', 'members'],
		['/api/ping', 'ping'],
	])('%s belongs to %s', (path, name) => {
		expect(nameOf(path)).toBe(name);
	});

	it.each([
		'',
		'/',
		'/api',
		'/api/',
		'/authx',
		'/auth-x/profile',
		'/Auth/profile',
		'/x/auth',
		'/api/membersx',
		'/api/members-x/1',
		'/api/Members',
		'/api/member',
		'/xapi/members',
		'/api/members%2f1',
		'/.well-known',
		'/.well-known/jwks.json/',
		'/.well-known/jwks.jsonx',
		'/__proto__',
		'/constructor/x',
	])('%j matches no route: prefixes match at segment boundaries', (path) => {
		expect(nameOf(path)).toBeUndefined();
	});

	it.each([
		['POST', '/auth/login'],
		['POST', '/auth/register'],
		['POST', '/auth/refresh'],
		['GET', '/.well-known/jwks.json'],
		['GET', '/api/masterdata/countries'],
		['HEAD', '/api/masterdata/countries'],
		['GET', '/api/masterdata/countries/active'],
		['GET', '/api/masterdata/countries/5f2b'],
		['GET', '/api/masterdata/countries/by-code/AT'],
		['GET', '/api/masterdata/venues/1/arenas/2'],
		['GET', '/api/ping'],
	])('%s %s is public', (method, path) => {
		expect(isPublic(method, path)).toBe(true);
	});

	it.each([
		['GET', '/auth/login'],
		['HEAD', '/auth/login'],
		['PUT', '/auth/login'],
		['POST', '/auth/login/'],
		['POST', '/auth/Login'],
		['POST', '/auth/login/x'],
		['POST', '/auth/logout'],
		['GET', '/auth/profile'],
		['POST', '/api/masterdata/countries'],
		['OPTIONS', '/api/masterdata/countries'],
		['GET', '/api/masterdata/countries/'],
		['GET', '/api/masterdata/countries//'],
		['GET', '/api/masterdata/countries/1/'],
		['GET', '/api/masterdata/countries/1/2'],
		['GET', '/api/masterdata/venues//arenas'],
		['GET', '/api/masterdata/venues/1/arenas/'],
		['DELETE', '/api/masterdata/countries/1'],
		['GET', '/api/members'],
		['GET', '/api/pingx'],
		['GET', '/api/ping/'],
		['get', '/api/ping'],
		['__proto__', '/api/ping'],
	])('%s %s is not: only what the table lists, exactly so', (method, path) => {
		expect(isPublic(method, path)).toBe(false);
	});

	// Once, `GET /api/events/entries` was public as an event with the id `entries`.
	it.each(all.map((context) => [context.name, context] as const))(
		'the routes of %s are public exactly if they are listed',
		(_name, { paths, publicRoutes }) => {
			for (const path of paths) {
				for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
					const address = path.replaceAll(/\{\w+\}/g, '7c9e');
					expect([method, path, isPublic(method, address)]).toEqual([
						method,
						path,
						publicRoutes.includes(`${method} ${path}`),
					]);
				}
			}
		},
	);

	it.each([
		['/api/horses/5f2b', '/api/horses/{id}'],
		['/api/horses/stats', '/api/horses/stats'],
		['/api/horses/5f2b/no-such-thing', '/api/horses/*'],
		['/.well-known/jwks.json', '/.well-known/jwks.json'],
		['/auth/', '/auth/*'],
	])('the label of %s is %s', (path, label) => {
		const context = table.contextOf(path);
		expect(context && table.routeOf(context, path)).toBe(label);
	});

	it('knows nothing of contexts that a deployment leaves out', () => {
		const small = createRouteTable(all.filter(({ name }) => name === 'ping'));
		expect(small.contextOf('/auth/login')).toBeUndefined();
		expect(small.contextOf('/.well-known/jwks.json')).toBeUndefined();
		expect(isPublic('POST', '/auth/login', small)).toBe(false);
	});

	it.each<[string, Partial<Context>[]]>([
		['one prefix for two contexts', [{}, { name: 'b' }]],
		['one address for two contexts', [{ alsoAt: ['/x'] }, { name: 'b', prefix: '/b', alsoAt: ['/x'] }]],
		['a public route of another context', [{ publicRoutes: ['GET /b/secret'] }, { name: 'b', prefix: '/b' }]],
		['a public route of no context', [{ publicRoutes: ['GET /ab'] }]],
		['a prefix that is too deep to be found', [{ prefix: '/a/b/c' }]],
	])('refuses a table with %s', (_name, rows) => {
		const contexts = rows.map((row): Context => ({ ...horses, name: 'a', prefix: '/a', paths: [], ...row }));
		expect(() => createRouteTable(contexts)).toThrow(TypeError);
	});
});

const horses: Context = {
	name: 'horses',
	summary: 'horses',
	prefix: '/api/horses',
	service: 'horses-service',
	critical: true,
	publicRoutes: [],
	cachedPaths: [],
	cachedParameters: {},
	paths: [
		'/api/horses',
		'/api/horses/{id}',
		'/api/horses/statistics',
		'/api/horses/{id}/owners',
		'/api/horses/statistics/{year}',
		'/.well-known/jwks.json',
	],
};

it.each([
	['/api/horses', '/api/horses'],
	['/api/horses/7c9e', '/api/horses/{id}'],
	['/api/horses/statistics', '/api/horses/statistics'],
	['/api/horses/statistics/2026', '/api/horses/statistics/{year}'],
	['/api/horses/statistics/owners', '/api/horses/statistics/{year}'],
	['/api/horses/7c9e/owners', '/api/horses/{id}/owners'],
	['/.well-known/jwks.json', '/.well-known/jwks.json'],
	['/api/horses/', '/api/horses/*'],
	['/api/horses//owners', '/api/horses/*'],
	['/api/horses/7c9e/owners/1', '/api/horses/*'],
	['/api', '/api/horses/*'],
	['/__proto__', '/api/horses/*'],
])('the declared path of %s is %s', (address, path) => {
	expect(createRouteTable([horses]).routeOf(horses, address)).toBe(path);
});

it('a literal that leads nowhere does not hide the parameter beside it', () => {
	const context: Context = { ...horses, prefix: '/a', paths: ['/a/{x}/c', '/a/b/d'] };
	expect(createRouteTable([context]).routeOf(context, '/a/b/c')).toBe('/a/{x}/c');
});
