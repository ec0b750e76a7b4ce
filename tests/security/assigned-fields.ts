import { describe, expect, test } from '@jest/globals';
import { bodyFields, exampleBody, existingPath, titleOf, triedRoutes } from './declared-calls.ts';
import { people, system } from './tried-system.ts';

/** Fields that a caller must not set, under their public and internal names. */
const wishes: Readonly<Record<string, unknown>> = {
	id: '11111111-1111-4111-8111-111111111111',
	role: 'ADMIN',
	roles: ['ADMIN'],
	roleScopes: { CLUB_OFFICIAL: ['x'] },
	status: 'SUSPENDED',
	version: 999,
	createdAt: '2001-01-01T00:00:00.000Z',
	updatedAt: '2001-01-01T00:00:00.000Z',
	created_at: '2001-01-01T00:00:00.000Z',
	isDemo: true,
	isAdmin: true,
	memberId: '11111111-1111-4111-8111-111111111111',
	passwordHash: 'x',
	password_hash: 'x',
	constructor: { prototype: { isAdmin: true } },
};

const lists = [
	'/auth/users?size=200&sort=email',
	'/api/masterdata/countries?size=200&page=1',
	'/api/masterdata/countries?size=200&page=2',
	'/api/masterdata/states?size=200',
	'/api/masterdata/age-classes?size=200',
	'/api/masterdata/venues?size=200',
];

/** All records that there are. */
async function everything(): Promise<unknown[]> {
	const headers = { Authorization: `Bearer ${people.admin}` };
	const responses = await Promise.all(lists.map((path) => fetch(system.gateway.url + path, { headers })));
	expect(responses.map(({ status }) => status)).toEqual(lists.map(() => 200));
	const pages = await Promise.all(responses.map((response) => response.json()));
	return pages.map((page) => (page as { data: { items: unknown } }).data.items);
}

const withBody = triedRoutes.filter(({ body }) => body !== undefined);

test('there are such routes', () => {
	expect(withBody.length).toBeGreaterThan(10);
});

describe.each(withBody.map((route) => [titleOf(route), route] as const))('%s', (_title, route) => {
	test('refuses undeclared fields: 400 names them, and nothing is stored', async () => {
		const example = exampleBody(route);
		if (example === undefined) throw new Error('its body has no example');
		const own = bodyFields(route);
		const path = await existingPath(system, route, people.admin);
		const before = await everything();
		for (const [name, value] of Object.entries(wishes)) {
			if (own.includes(name)) continue;
			const response = await fetch(system.gateway.url + path, {
				method: route.method.toUpperCase(),
				headers: { Authorization: `Bearer ${people.admin}`, 'Content-Type': 'application/json' },
				body: JSON.stringify({ ...example, [name]: value }),
			});
			const { data } = (await response.json()) as { data: { errors?: { field: string }[] } };
			expect([name, response.status]).toEqual([name, 400]);
			expect(data.errors?.map(({ field }) => field)).toContain(name);
		}
		expect(await everything()).toEqual(before);
	});
});
