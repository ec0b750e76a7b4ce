import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '@paddock/service';
import { type TimedResponse, timedRequest } from '../resilience/timed-load.ts';
import {
	bodyFields,
	exampleBody,
	existingPath,
	paramsIn,
	pathWith,
	queryNames,
	refusalOf,
	titleOf,
	triedRoutes,
} from './declared-calls.ts';
import { people, system } from './tried-system.ts';

const quickMs = 100;
/** A harmless request takes longer than `quickMs` on a busy machine; a slow one takes this many times as long in each try. */
const slowFactor = 4;
const triesMax = 8;

const agent = new Agent({ keepAlive: true });
/** Of each route, the path of a record that there was at the start. */
const paths = new Map<Route<never>, string>();

beforeAll(async () => {
	for (const route of triedRoutes) paths.set(route, await existingPath(system, route, people.admin));
}, 60_000);

afterAll(() => agent.destroy());

/** Values that no schema accepts. */
const unreadable = [
	'',
	'{',
	'nothing',
	`${'['.repeat(5_000)}${']'.repeat(5_000)}`,
	`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
	'{"a\\u0000b":1}',
	'{"a":"\\u0000"}',
	'{"a":"\\ud800"}',
	'{"__proto__":{"isAdmin":true}}',
	'{"a":1,"a":2}',
	'{"a":9007199254740993}',
	'{"a":1e999}',
];
const wrongWhole = ['null', 'true', '0', '"text"', '[]', '[{}]'];

/** Values of every type, missing values, invalid dates, text that databases and terminals mishandle. */
const oddValues: readonly unknown[] = [
	null,
	true,
	-1,
	0.5,
	2 ** 53 - 1,
	1e308,
	'',
	' ',
	'x'.repeat(50_000),
	'\u202e\u200b\ufeff',
	'\u001b[31m',
	"'; drop table users; --",
	'%_\\',
	'2026-02-30',
	'2026-13-01',
	'0000-00-00',
	'+275760-09-13',
	'-000001-01-01T00:00:00Z',
	'2026-01-01T25:61:61Z',
	[],
	{},
	[[[[[[]]]]]],
	{ $ne: null },
	{ toString: 1, constructor: 1 },
];

const oddParameters = [
	...['', '0', '-1', '1.5', '1e9', '201', '999999999', '9007199254740993', 'NaN', 'Infinity', '0x10', '%201'],
	...['%00', 'a%00b', '%ED%A0%80', '%C0%AF', '%FF', '%E2%80%AE', '%1B%5B31m', "'%20or%201=1--", '%25%25%5C'],
	...['2026-02-30', '0000-00-00', '-1-01-01', 'x'.repeat(2_000), 'true', 'null', '[]', '{}', '__proto__'],
];

interface JudgedResponse extends TimedResponse {
	/** Slower than a harmless request of the same moment, in each of several tries. */
	readonly isSlow: boolean;
}

function once(method: string, path: string, body?: string): Promise<TimedResponse> {
	return timedRequest({
		port: system.gateway.port,
		agent,
		path,
		method: method.toUpperCase(),
		headers: {
			Authorization: `Bearer ${people.admin}`,
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
		},
		...(body === undefined ? {} : { body }),
	});
}

async function send(method: string, path: string, body?: string): Promise<JudgedResponse> {
	let response = await once(method, path, body);
	for (let tries = 1; response.durationMs >= quickMs; tries += 1) {
		// Reads the account from the database, as the requests under test may do.
		const { durationMs: harmlessMs } = await once('get', '/auth/profile');
		const isSlow = response.durationMs >= slowFactor * harmlessMs;
		if (!isSlow || tries === triesMax) return { ...response, isSlow };
		response = await once(method, path, body);
	}
	return { ...response, isSlow: false };
}

function expectNoHarm(what: string, response: JudgedResponse, isHash: boolean): void {
	const { status, body, durationMs, isSlow } = response;
	if (status < 200 || status >= 500) throw new Error(`${what}: ${status} ${body}`);
	expect(Object.keys(JSON.parse(body) as object)).toEqual(['success', 'data', 'message', 'timestamp']);
	// A valid password is hashed, which takes time.
	if (!isHash && isSlow) throw new Error(`${what}: ${status} after ${durationMs} ms`);
}

function expectRefused(what: string, response: JudgedResponse): void {
	expectNoHarm(what, response, false);
	expect([what, response.status]).toEqual([what, 400]);
}

const withBody = triedRoutes.filter(({ body }) => body !== undefined);
const hashes = /\/(register|login|change-password)$/;

describe.each(withBody.map((route) => [titleOf(route), route] as const))('%s', (_title, route) => {
	test('foreign bodies: 400 at once', async () => {
		const path = paths.get(route) ?? '';
		// An update of no field changes nothing.
		const empty = route.method === 'post' ? ['{}'] : [];
		for (const body of [...unreadable, ...wrongWhole, ...empty]) {
			expectRefused(body.slice(0, 60), await send(route.method, path, body));
		}
	});

	test('odd values in each field: at once, and never a failure of ours', async () => {
		// The id of no record, so that accepted requests don't change data of other tests.
		const path = pathWith(route, () => '00000000-0000-4000-8000-000000000000');
		const input = { params: paramsIn(path, route), search: '' };
		// A request shows what a refusal looks like, and what the handler does with an accepted value.
		for (const [index, field] of bodyFields(route).entries()) {
			for (const value of oddValues) {
				const body = JSON.stringify({ ...exampleBody(route), [field]: value });
				if (index > 0 && refusalOf(route, { ...input, body: JSON.parse(body) })?.status === 400) continue;
				const what = `${field} = ${JSON.stringify(value).slice(0, 60)}`;
				expectNoHarm(what, await send(route.method, path, body), hashes.test(path));
			}
		}
	}, 60_000);
});

const withQuery = triedRoutes.filter((route) => queryNames(route).length > 0);

test.each(withQuery.map((route) => [titleOf(route), route] as const))(
	'%s: odd parameters: at once, and never a failure of ours',
	async (_title, route) => {
		const path = paths.get(route) ?? '';
		const params = paramsIn(path, route);
		for (const [index, name] of queryNames(route).entries()) {
			for (const value of oddParameters) {
				const what = `${name}=${value.slice(0, 60)}`;
				if (index > 0 && refusalOf(route, { params, search: `${name}=${value}` })?.status === 400) continue;
				const response = await send(route.method, `${path}?${name}=${value}`);
				expectNoHarm(what, response, false);
				// A page may lie behind the end, far behind.
				if (name === 'size' || (name === 'page' && !/^\d{3,9}$/.test(value))) expectRefused(what, response);
			}
			expectRefused(`${name} twice`, await send(route.method, `${path}?${name}=1&${name}=2`));
		}
	},
	60_000,
);

const withParameters = triedRoutes.filter(({ path }) => path.includes('{'));

test.each(withParameters.map((route) => [titleOf(route), route] as const))(
	'%s: odd ids: refused at once',
	async (_title, route) => {
		for (const value of oddParameters.filter((one) => one !== '')) {
			const path = pathWith(route, () => value);
			const body = exampleBody(route);
			const response = await send(route.method, path, body === undefined ? undefined : JSON.stringify(body));
			expectNoHarm(path.slice(0, 100), response, false);
			// A former address refuses nothing itself.
			expect([400, 404, 414, ...(route.status === 308 ? [308] : [])]).toContain(response.status);
		}
	},
	60_000,
);
