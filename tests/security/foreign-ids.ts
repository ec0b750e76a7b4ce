import { describe, expect, test } from '@jest/globals';
import { exampleBody, existingPath, pathWith, titleOf, triedRoutes } from './declared-calls.ts';
import { people, system } from './tried-system.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';

/** A response without its time and request id. */
async function responseTo(method: string, path: string, token: string | undefined, body: unknown) {
	const response = await fetch(system.gateway.url + path, {
		method,
		headers: {
			...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const { timestamp: _timestamp, ...said } = (await response.json()) as {
		timestamp: string;
		data: Record<string, unknown>;
	};
	const { requestId: _requestId, ...data } = said.data;
	return { status: response.status, said: { ...said, data } };
}

/** How many segments of a path lead to the record, the empty one before the first slash included. */
const segmentsOfRecord = (path: string): number =>
	path.split('/').findLastIndex((part) => part.startsWith('{')) + 1;

const guarded = triedRoutes.filter(({ path, access }) => path.includes('{') && access !== 'public');

test('there are such routes', () => {
	expect(guarded.length).toBeGreaterThan(10);
});

describe.each(guarded.map((route) => [titleOf(route), route] as const))(
	'%s, with an id of another account',
	(_title, route) => {
		test('returns a member the same response as for an unknown id, and changes nothing', async () => {
			const path = await existingPath(system, route, people.admin);
			const record = path.split('/').slice(0, segmentsOfRecord(route.path)).join('/');
			// Some records are read in their list only.
			const ofRecord = await responseTo('GET', record, people.admin, undefined);
			const read = ofRecord.status === 405 ? record.slice(0, record.lastIndexOf('/')) : record;
			const asAdmin = () => responseTo('GET', read, people.admin, undefined);
			const before = await asAdmin();
			expect(before.status).toBe(200);
			const method = route.method.toUpperCase();
			const body = exampleBody(route);
			for (const token of [people.member, undefined]) {
				const known = await responseTo(method, path, token, body);
				const unknown = await responseTo(
					method,
					pathWith(route, () => unknownId),
					token,
					body,
				);
				expect([401, 403, 404]).toContain(known.status);
				expect(known.status === 401).toBe(token === undefined);
				expect(known).toEqual(unknown);
			}
			expect(await asAdmin()).toEqual(before);
		});
	},
);
