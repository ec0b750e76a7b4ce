import { beforeAll, describe, expect, test } from '@jest/globals';
import { isInternalRoute } from '@paddock/service';
import { horseRegistration, horseBody as replacementBody } from '../src/horses/body-schemas.ts';
import { horsesRoutes } from '../src/routes.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();
let known: string;

beforeAll(async () => {
	known = (await horses.register({ registeredOn: '2020-01-01' })).id;
});

const open = horsesRoutes.filter((route) => !isInternalRoute(route));

/** As in a path or a query, percent-encoded where necessary. */
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
	{ toString: 1, length: 1 },
];

function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text; // Invalid UTF-8 on purpose.
	}
}

/** `responded`, or a description of the 5xx. */
async function send(method: string, path: string, body?: unknown): Promise<string> {
	const call = { token: horses.officer, ...(body === undefined ? {} : { body }) };
	const { status, data } = await horses.call(method, path, call);
	return status >= 500 ? `${status} ${data.code} ${method} ${path} ${JSON.stringify(body)}` : 'responded';
}

async function askAll(requests: readonly (readonly [method: string, path: string, body?: unknown])[]) {
	const responses: string[] = [];
	for (const [method, path, body] of requests) responses.push(await send(method, path, body));
	expect(responses.length).toBeGreaterThan(0);
	expect([...new Set(responses)]).toEqual(['responded']);
}

// Values that the schema refuses are sent together in one request; accepted ones alone.
describe('no input causes a 5xx', () => {
	const withPath = open.filter(({ params }) => params !== undefined);
	test.each(withPath.map(({ operationId, method, path, body }) => ({ operationId, method, path, body })))(
		'$operationId in its path',
		async ({ method, path, body, operationId }) => {
			const texts = operationId === 'getHorseByNumber' ? hostileTexts : hostileTexts.slice(-8);
			await askAll(
				texts
					.filter((text) => text !== '')
					.map((text) => [
						method.toUpperCase(),
						path.replace(/\{\w+\}/, text),
						body === undefined ? undefined : {},
					]),
			);
		},
	);

	const withQuery = open.filter(({ query }) => query !== undefined);
	test.each(withQuery.map(({ operationId, path, query }) => ({ operationId, path, query })))(
		'$operationId in its query',
		async ({ path, query }) => {
			const to = path.replace('{id}', known);
			const names = Object.keys(query?.shape ?? {});
			await askAll(
				hostileTexts.flatMap((text) => {
					const accepted = names.filter((name) => query?.safeParse({ [name]: decoded(text) }).success);
					const alone = accepted.map((name) => ['GET', `${to}?${name}=${text}`] as const);
					return [['GET', `${to}?${names.map((name) => `${name}=${text}`).join('&')}`] as const, ...alone];
				}),
			);
		},
	);

	/** A request with the value in every field, and with it in those that accept it: all together, or each alone. */
	function bodiesWith(
		value: unknown,
		schema: typeof horseRegistration | typeof replacementBody,
		least: object,
	) {
		const names = Object.keys(schema.shape);
		const having = (some: readonly string[]) => ({
			...least,
			...Object.fromEntries(some.map((name) => [name, value])),
		});
		const accepts = (some: readonly string[]) => schema.safeParse(having(some)).success;
		const accepted = names.filter((name) => accepts([name]));
		const apart = accepts(accepted) ? [accepted] : accepted.map((name) => [name]);
		return [names, ...apart].map(having);
	}

	test('in the body of a horse that is registered or replaced', async () => {
		for (const value of hostileValues) {
			const { owners, ...least } = horseBody();
			await askAll([
				...bodiesWith(value, horseRegistration, { owners, ...least }).map(
					(body) => ['POST', '/api/horses', body] as const,
				),
				...bodiesWith(value, replacementBody, least).map(
					(body) => ['PUT', `/api/horses/${known}`, body] as const,
				),
			]);
		}
	});

	test('in the owners of a transfer', async () => {
		const path = `/api/horses/${known}/ownership`;
		const shared = { externalParty: { name: 'Stall', countryCode: 'AT' } };
		await askAll(
			hostileValues.flatMap((value) =>
				[
					{ memberId: value },
					{ externalParty: { name: value, countryCode: 'AT' } },
					{ externalParty: { name: 'Stall', countryCode: value } },
					{ ...shared, sharePercent: value },
				].map((owner) => ['POST', path, { from: '2026-04-01', owners: [owner, shared] }] as const),
			),
		);
	});

	test.each(['suspend', 'retire', 'decease'])('in the body of %s', async (step) => {
		const path = `/api/horses/${(await horses.register({ registeredOn: '2020-01-01' })).id}/${step}`;
		await askAll(
			hostileValues.flatMap((value) =>
				[value, { reason: value }, { date: value, reason: value }].map(
					(body) => ['POST', path, body] as const,
				),
			),
		);
	});
});
