import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { isInternalRoute } from '@paddock/service';
import { masterdataRoutes } from '../src/routes.ts';
import { useMasterdata } from './running-masterdata.ts';

const masterdata = useMasterdata();
const { call } = masterdata;

const isPublic = ({ access }: (typeof masterdataRoutes)[number]) => access === 'public';
const forTheOffice = masterdataRoutes
	.filter((route) => !isPublic(route) && !isInternalRoute(route))
	.map(
		({ method, path }) => [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, () => randomUUID())] as const,
	);

test('everything but the changes may be read without a token, and nothing is written without one', () => {
	const open = masterdataRoutes.filter(isPublic);
	expect(open.filter(({ method }) => method !== 'get')).toEqual([]);
	const read = forTheOffice.filter(([method]) => method === 'GET').map(([, path]) => path);
	expect(read.filter((path) => !path.endsWith('/history'))).toEqual([]);
	expect([open.length, read.length, forTheOffice.length - read.length]).toEqual([15, 5, 20]);
});

describe.each(forTheOffice)('%s %s', (method, path) => {
	const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};

	test('needs a token, and one that is valid', async () => {
		const anonymous = await call(method, path, body);
		expect([anonymous.status, anonymous.data.code]).toEqual([401, 'UNAUTHENTICATED']);
		expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
		const expired = await call(method, path, { ...body, token: masterdata.expired });
		expect([expired.status, expired.data.code]).toEqual([401, 'TOKEN_EXPIRED']);
		const forged = await call(method, path, { ...body, token: `${masterdata.officer}x` });
		expect([forged.status, forged.data.code]).toEqual([401, 'INVALID_TOKEN']);
	});

	test('is for the office only', async () => {
		const { status, data } = await call(method, path, { ...body, token: masterdata.member });
		expect([status, data.code]).toEqual([403, 'FORBIDDEN']);
	});
});

test('other roles than the office’s may not write, whatever headers claim; an administrator may', async () => {
	const country = {
		isoAlpha2: 'XA',
		isoAlpha3: 'XXA',
		isoNumeric: '900',
		nameEn: 'Freedonia',
		nameDe: 'Freedonien',
	};
	const post = (token: string) =>
		call('POST', '/api/masterdata/countries', {
			token,
			body: country,
			headers: { 'X-User-Roles': 'ADMIN', 'X-User-Id': randomUUID() },
		});
	for (const role of ['CLUB_OFFICIAL', 'ORGANISER'] as const)
		expect((await post(masterdata.signAs(role))).status).toBe(403);
	const stored = masterdata.db.selectFrom('countries').select('id').where('isoAlpha2', '=', 'XA');
	expect(await stored.execute()).toEqual([]);
	expect((await post(masterdata.signAs('ADMIN'))).status).toBe(201);
});

test('errors beyond single fields have their own codes', async () => {
	const post = (rawBody: string, headers = {}) =>
		call('POST', '/api/masterdata/venues', { token: masterdata.officer, rawBody, headers });
	expect((await post('{"name":')).data.code).toBe('MALFORMED_JSON');
	expect((await post('{"name":"a\\u0000b","countryCode":"AT"}')).data.code).toBe('MALFORMED_JSON');
	expect((await post('name=x', { 'Content-Type': 'text/plain' })).status).toBe(415);
	expect((await post(`{"name":"${'x'.repeat(110_000)}"}`)).status).toBe(413);
	expect((await post('[]')).data.code).toBe('VALIDATION_ERROR');
});

test('a known address with another method is 405, an unknown one 404', async () => {
	const patch = await call('PATCH', '/api/masterdata/countries', { token: masterdata.officer, body: {} });
	expect([patch.status, patch.data.code, patch.headers.get('allow')]).toEqual([
		405,
		'METHOD_NOT_ALLOWED',
		'GET, HEAD, POST, OPTIONS',
	]);
	expect((await call('GET', '/api/masterdata/planets')).data.code).toBe('ROUTE_NOT_FOUND');
});
