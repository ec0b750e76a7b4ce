import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isInternalRoute, type Route } from '@paddock/service';
import type { HorsesDeps } from '../src/deps.ts';
import { horsesRoutes } from '../src/routes.ts';
import { horseBody, type RunningHorses, runHorses } from './running-horses.ts';

let horses: RunningHorses;
let known: string;

beforeAll(async () => {
	horses = await runHorses();
	known = (await horses.register({ registeredOn: '2020-01-01' })).id;
});
afterAll(() => horses.close());

const open = horsesRoutes.filter((route) => !isInternalRoute(route));

/** As they stand in a path or a query, percent-encoded where a client would have to. */
const hostileTexts = [
	'',
	'x',
	'0',
	'-1',
	'1e3',
	'9'.repeat(15),
	'9'.repeat(400),
	'null',
	'true',
	'%00',
	'a%00bcd',
	'%ED%A0%80bcd',
	'%FF%FE',
	'%F0%9F%90%B4%F0%9F%90%B4',
	'%CC%88%CC%88',
	'%C3%9F%C3%9F%C3%9F%C3%9F',
	'%25%25%5C_',
	"'%20or%201=1--",
	'2016-02-30',
	'0000-01-01',
	'0000-01-01T00:00:00Z',
	'0000-01-01T00:00:00%2B23:59',
	'9999-12-31T23:59:59-23:59',
	'2199-12-31',
	'275760-09-13T00:00:00Z',
	'name,name',
	'__proto__',
	'constructor',
	'00000000-0000-0000-0000-000000000000',
	'%0d%0aSet-Cookie:x',
];

const hostileValues: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	0.1 + 0.2,
	1e-9,
	1e21,
	'',
	' ',
	'x',
	'ß'.repeat(15),
	'𝄞'.repeat(60),
	'a\u0308'.repeat(60),
	'x'.repeat(5_000),
	'0000-01-01',
	'2016-02-29',
	'2015-02-29',
	'2026-05-02',
	'2199-12-31',
	'00000000-0000-0000-0000-000000000000',
	[],
	[[]],
	[null],
	[{}],
	{},
	{ name: 'x' },
	{ toString: 1, length: 1, then: 'x' },
];

function addressOf({ path }: Pick<Route<HorsesDeps>, 'path'>, value: string): string {
	return path.replace(/\{\w+\}/, value);
}

async function statusOf(method: string, path: string, body?: unknown): Promise<string> {
	const call = { token: horses.officer, ...(body === undefined ? {} : { body }) };
	const { status, data } = await horses.call(method, path, call);
	return status >= 500 ? `${status} ${data.code} ${path} ${JSON.stringify(body)}` : 'answered';
}

describe('whatever it is sent, it answers without a 5xx', () => {
	test.each(open.filter(({ params }) => params !== undefined).map((route) => [route.operationId, route]))(
		'%s in its path',
		async (_name, route) => {
			const method = route.method.toUpperCase();
			const body = route.body === undefined ? undefined : {};
			for (const text of hostileTexts.filter((value) => value !== ''))
				expect(await statusOf(method, addressOf(route, text), body)).toBe('answered');
		},
	);

	test.each(open.filter(({ query }) => query !== undefined).map((route) => [route.operationId, route]))(
		'%s in its query',
		async (_name, route) => {
			const path = addressOf(route, known);
			for (const name of Object.keys(route.query?.shape ?? {}))
				for (const text of hostileTexts)
					expect(await statusOf('GET', `${path}?${name}=${text}`)).toBe('answered');
		},
	);

	const written = Object.keys(horseBody({ ...Object.fromEntries(bodyFields().map((name) => [name, null])) }));
	test.each(written)('in %s of a horse that is registered or replaced', async (field) => {
		for (const value of hostileValues) {
			const { owners, ...body } = horseBody({ [field]: value });
			expect(await statusOf('POST', '/api/horses', { owners, ...body })).toBe('answered');
			if (field !== 'owners') expect(await statusOf('PUT', `/api/horses/${known}`, body)).toBe('answered');
		}
	});

	test('in the owners of a transfer', async () => {
		const path = `/api/horses/${known}/ownership`;
		for (const value of hostileValues)
			for (const owner of [
				{ memberId: value },
				{ externalParty: value },
				{ externalParty: { name: value, countryCode: 'AT' } },
				{ externalParty: { name: 'Stall', countryCode: value } },
				{ externalParty: { name: 'Stall', countryCode: 'AT' }, sharePercent: value },
			])
				expect(await statusOf('POST', path, { from: '2026-04-01', owners: [owner, owner] })).toBe('answered');
	});

	test.each(['suspend', 'retire', 'lapse', 'reinstate', 'restore', 'decease'])('in the body of %s', async (step) => {
		const { id } = await horses.register({ registeredOn: '2020-01-01' });
		for (const value of hostileValues)
			for (const body of [value, { reason: value }, { date: value }, { date: value, reason: value }])
				expect(await statusOf('POST', `/api/horses/${id}/${step}`, body)).toBe('answered');
	});
});

function bodyFields(): string[] {
	const route = open.find(({ operationId }) => operationId === 'registerHorse');
	return Object.keys((route?.body as { shape?: object } | undefined)?.shape ?? {});
}

void randomUUID;
