import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ignoresUnknown, type Route } from '@paddock/service';
import { declaredRoutes } from '../../scripts/contexts/context-routes.ts';
import { exampleBody, pathWith, titleOf } from './declared-calls.ts';
import { api, tokens } from './demo-system.ts';

/** Success, conflicts and rules of these are the business of their own tests, the role table and the collection. */
const routes = ['members', 'horses', 'events'].flatMap((context) => declaredRoutes[context] ?? []);

interface Failure {
	code: string;
	errors?: { field: string; code: string }[];
}

const isIdOnly = (route: Route<never>): boolean => /\{\w*[iI]d\}/.test(route.path);
const unknownId = (): string => randomUUID();

function call(route: Route<never>, changes: { path?: string; token?: string; body?: unknown } = {}) {
	const { path = pathWith(route, unknownId), token } = changes;
	const body = 'body' in changes ? changes.body : exampleBody(route);
	return api<Failure>(route.method.toUpperCase(), path, {
		...(token === undefined ? {} : { token }),
		...(body === undefined ? {} : { body }),
	});
}

const named = (list: readonly Route<never>[]) => list.map((route) => [titleOf(route), route] as const);

describe('without a token', () => {
	test.each(named(routes.filter(({ access }) => access !== 'public')))(
		'%s is refused',
		async (_title, route) => {
			const response = await call(route);
			expect([response.status, response.data.code]).toEqual([401, 'UNAUTHENTICATED']);
			expect(response.headers.get('WWW-Authenticate')).toContain('Bearer');
		},
	);
});

describe('for a role that may not', () => {
	const restricted = routes.filter(
		({ access }) => typeof access === 'object' && 'roles' in access && !access.roles.includes('MEMBER'),
	);
	test.each(named(restricted))('%s is refused', async (_title, route) => {
		const response = await call(route, { token: tokens.get('member') ?? '' });
		expect([response.status, response.data.code]).toEqual([403, 'FORBIDDEN']);
	});
});

describe('of a record that there is not', () => {
	const ofRecord = routes.filter((route) => isIdOnly(route) && route.status !== 308);
	test.each(named(ofRecord))('%s says so', async (_title, route) => {
		const response = await call(route, { token: tokens.get('officer') ?? '' });
		expect([response.status, response.data.code]).toEqual([404, 'NOT_FOUND']);
	});

	test.each(named(ofRecord))('%s refuses an invalid id', async (_title, route) => {
		const path = pathWith(route, () => 'seventeen');
		const response = await call(route, { path, token: tokens.get('officer') ?? '' });
		expect([response.status, response.data.code]).toEqual([400, 'INVALID_ID']);
		expect(response.data.errors?.[0]).toMatchObject({ code: 'INVALID_FORMAT' });
	});
});

describe('with unknown parameters', () => {
	test.each(named(routes.filter(({ body }) => body !== undefined)))(
		'%s names the field',
		async (_title, route) => {
			const body = { ...exampleBody(route), nonsense: true };
			const response = await call(route, { body, token: tokens.get('officer') ?? '' });
			expect([response.status, response.data.code]).toEqual([400, 'VALIDATION_ERROR']);
			expect(response.data.errors).toContainEqual(
				expect.objectContaining({ field: 'nonsense', code: 'UNKNOWN_FIELD' }),
			);
		},
	);

	// A former address passes its query on, and that of a redirection comes from elsewhere.
	const reads = routes.filter(({ method, status = 200 }) => method === 'get' && status < 300);
	const isTolerant = ({ query }: (typeof routes)[number]) => query !== undefined && ignoresUnknown(query);

	test('only the public calendar ignores them, as pages that pass on its address add some', () => {
		expect(reads.filter(isTolerant).map(({ operationId }) => operationId)).toEqual(['getEventCalendar']);
	});

	test.each(named(reads.filter((route) => !isTolerant(route))))(
		'%s names the parameter',
		async (_title, route) => {
			const path = `${pathWith(route, unknownId)}?nonsense=1`;
			const response = await call(route, { path, token: tokens.get('officer') ?? '' });
			expect([response.status, response.data.code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
			expect(response.data.errors).toContainEqual(
				expect.objectContaining({ field: 'nonsense', code: 'UNKNOWN_FIELD' }),
			);
		},
	);

	test.each(
		named(
			routes.filter((route) => route.query !== undefined && 'page' in route.query.shape && !isIdOnly(route)),
		),
	)('%s takes the last page and no page 0', async (_title, route) => {
		const list = route.path;
		const first = list.endsWith('/search') ? '?q=reit&' : '?';
		const none = await call(route, { path: `${list}${first}page=0`, token: tokens.get('officer') ?? '' });
		expect([none.status, none.data.code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
		const far = await api<{ items: unknown[] }>('GET', `${list}${first}page=1000000000`, {
			token: tokens.get('officer') ?? '',
		});
		expect([far.status, far.data.items]).toEqual([200, []]);
	});
});
