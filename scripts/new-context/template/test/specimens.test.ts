import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { removeDemo } from '../src/demo.ts';
import type { Specimen } from '../src/specimens/schemas.ts';
import { runSpecimens, useSpecimens } from './running-specimens.ts';

const path = '/api/specimens';
const specimens = useSpecimens();
const { call } = specimens;

async function create(name: string, city: string | null = null): Promise<Specimen> {
	const { status, data } = await call<Specimen>('POST', path, {
		token: specimens.officer,
		body: { name, city },
	});
	expect(status).toBe(201);
	return data;
}

function stored(id: string) {
	return specimens.db.selectFrom('specimens').selectAll().where('id', '=', id).executeTakeFirst();
}

async function list(query: string): Promise<Page<Specimen>> {
	const { data } = await call<Page<Specimen>>('GET', `${path}?${query}`, { token: specimens.officer });
	return data;
}

describe('POST', () => {
	test('creates a specimen with defaults, a version and a location', async () => {
		const response = await call<Specimen>('POST', path, {
			token: specimens.officer,
			body: { name: 'Anger' },
		});
		const { id } = response.data;
		expect([response.status, response.headers.get('location')]).toEqual([201, `${path}/${id}`]);
		const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
		expect(response.data).toEqual({ id, name: 'Anger', city: null, isActive: true, ...times, version: 1 });
		expect(await stored(id)).toMatchObject({ name: 'Anger', isActive: true, isDemo: false });
	});

	test('creates it once per Idempotency-Key', async () => {
		const headers = { 'Idempotency-Key': randomUUID() };
		const post = (name: string) => call('POST', path, { token: specimens.officer, headers, body: { name } });
		const [first, again] = [await post('Einmal'), await post('Einmal')];
		expect([first.status, again.status, again.data]).toEqual([201, 201, first.data]);
		expect((await post('Anders')).data.code).toBe('IDEMPOTENCY_KEY_REUSED');
		expect((await list('q=einmal')).pagination.totalElements).toBe(1);
	});

	test('refuses a name that another specimen has, and reports all invalid fields', async () => {
		await create('Vergeben');
		const taken = await call('POST', path, { token: specimens.officer, body: { name: 'Vergeben' } });
		expect([taken.status, taken.data.code]).toEqual([409, 'SPECIMEN_NAME_TAKEN']);
		const invalid = await call('POST', path, {
			token: specimens.officer,
			body: { name: '', city: 7, colour: 'red' },
		});
		expect([invalid.status, invalid.data.code]).toEqual([400, 'VALIDATION_ERROR']);
		const fields = invalid.data.errors?.map(({ field }) => field);
		expect(fields?.sort()).toEqual(['city', 'colour', 'name']);
	});

	test.each([
		['without a token', () => undefined, 401],
		['as a member', () => specimens.sign(), 403],
	])('is refused %s', async (_case, sign, status) => {
		const token = sign();
		expect((await call('POST', path, { token, body: { name: 'Niemand' } })).status).toBe(status);
		expect((await list('q=niemand')).items).toEqual([]);
	});
});

describe('GET', () => {
	test('searches without regard to case and umlauts, hits at the beginning first', async () => {
		await create('Hof Zügelbach');
		await create('Zuegelbach');
		const { items } = await list('q=ZÜGEL');
		expect(items.map(({ name }) => name)).toEqual(['Zuegelbach', 'Hof Zügelbach']);
	});

	test('sorts and pages', async () => {
		for (const name of ['Seite A', 'Seite B', 'Seite C']) await create(name, 'Blattstadt');
		const { items, pagination } = await list('q=blattstadt&sort=-name&page=2&size=2');
		expect(items.map(({ name }) => name)).toEqual(['Seite A']);
		expect(pagination).toMatchObject({ totalElements: 3, totalPages: 2, hasNext: false });
		expect((await call('GET', `${path}?sort=colour`, { token: specimens.officer })).status).toBe(400);
	});

	test('of one returns it with an ETag, and 304 while it is unchanged', async () => {
		const specimen = await create('Einzeln');
		const get = (headers = {}) =>
			call<Specimen>('GET', `${path}/${specimen.id}`, { token: specimens.sign(), headers });
		const response = await get();
		expect([response.status, response.data, response.headers.get('etag')]).toEqual([200, specimen, '"1"']);
		expect((await get({ 'If-None-Match': '"1"' })).status).toBe(304);
		expect((await call('GET', `${path}/${randomUUID()}`, { token: specimens.officer })).status).toBe(404);
		expect((await call('GET', `${path}/${specimen.id}`)).status).toBe(401);
	});
});

describe('PUT and DELETE', () => {
	test('replace and delete the version that If-Match names', async () => {
		const { id } = await create('Alt');
		const send = (method: string, version: number, body?: object) =>
			call<Specimen>(method, `${path}/${id}`, {
				token: specimens.officer,
				headers: { 'If-Match': `"${version}"` },
				...(body === undefined ? {} : { body }),
			});
		expect((await send('PUT', 2, { name: 'Neu' })).status).toBe(412);
		expect((await send('PUT', 1, { name: 'Neu' })).data).toMatchObject({ name: 'Neu', version: 2 });
		expect(await stored(id)).toMatchObject({ name: 'Neu', version: 2 });
		expect((await send('DELETE', 1)).status).toBe(412);
		expect((await send('DELETE', 2)).status).toBe(200);
		expect(await stored(id)).toBeUndefined();
		expect((await send('DELETE', 2)).status).toBe(404);
	});

	test('are refused to a member', async () => {
		const { id } = await create('Fest');
		for (const method of ['PUT', 'DELETE']) {
			const body = method === 'PUT' ? { body: { name: 'Lose' } } : {};
			const { status } = await call(method, `${path}/${id}`, { token: specimens.sign(), ...body });
			expect([method, status]).toEqual([method, 403]);
		}
		expect(await stored(id)).toMatchObject({ name: 'Fest', version: 1 });
	});
});

test('demo data is inserted once and can be removed', async () => {
	const demo = await runSpecimens({ DEMO: true });
	try {
		const { data } = await demo.call<Page<Specimen>>('GET', path, { token: demo.sign() });
		expect(data.items.map(({ name }) => name)).toEqual(['Specimen Auwiesen']);
		expect([await removeDemo(demo.db), await removeDemo(demo.db)]).toEqual([1, 0]);
	} finally {
		await demo.close();
	}
});
