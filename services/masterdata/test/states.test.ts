import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { timesOf } from '@paddock/testing';
import type { State } from '../src/states/schemas.ts';
import { useMasterdata } from './running-masterdata.ts';

const path = '/api/masterdata/states';
const masterdata = useMasterdata();
const { call } = masterdata;

function swiss(letters: string, changes: Partial<State> = {}) {
	return {
		countryCode: 'CH',
		iso3166_2: `CH-${letters}`,
		federationCode: null,
		name: `Kanton ${letters}`,
		abbreviation: letters,
		isActive: true,
		...changes,
	};
}

async function create(letters: string, changes: Partial<State> = {}): Promise<State> {
	const { status, data } = await call<State>('POST', path, {
		token: masterdata.officer,
		body: swiss(letters, changes),
	});
	expect(status).toBe(201);
	return data;
}

function storedRow(id: string) {
	return masterdata.db.selectFrom('states').selectAll().where('id', '=', id).executeTakeFirst();
}

describe('GET /states', () => {
	test('lists the nine of Austria by name, or by the numbers of the federation', async () => {
		const { data, headers } = await call<Page<State>>('GET', `${path}?countryCode=at`);
		expect(data.pagination.totalElements).toBe(9);
		expect(data.items.map(({ name }) => name)).toEqual([
			'Burgenland',
			'Kärnten',
			'Niederösterreich',
			'Oberösterreich',
			'Salzburg',
			'Steiermark',
			'Tirol',
			'Vorarlberg',
			'Wien',
		]);
		expect(headers.get('cache-control')).toBe(
			'public, max-age=60, stale-while-revalidate=30, stale-if-error=86400',
		);
		expect(headers.get('etag')).not.toBeNull();
		const numbered = await call<Page<State>>('GET', `${path}?countryCode=AT&sort=federationCode`);
		expect(numbered.data.items.map(({ iso3166_2 }) => iso3166_2)).toEqual(
			[9, 3, 1, 6, 2, 4, 5, 7, 8].map((number) => `AT-${number}`),
		);
	});

	test('filters by use', async () => {
		const idle = await create('AA', { isActive: false });
		const { data } = await call<Page<State>>('GET', `${path}?countryCode=CH&isActive=false`);
		expect(data.items).toEqual([idle]);
	});

	test('finds states by text and by several values of a filter, in both spellings', async () => {
		await create('BE', { name: 'Bern' });
		const names = async (query: string) => {
			const { data } = await call<Page<State>>('GET', `${path}?${query}`);
			return data.items.map(({ name }) => name);
		};
		expect(await names('q=oesterr%20ober')).toEqual(['Oberösterreich']);
		expect(await names('q=bern&countryCode=at,ch')).toEqual(['Bern']);
		expect(await names('q=bern&countryCode=AT&countryCode=CH')).toEqual(['Bern']);
		expect(await names('q=bern&countryCode=AT')).toEqual([]);
		const { status, data } = await call('GET', `${path}?countryCode=AT,&countryCode=CHE`);
		expect([status, data.errors?.map(({ field }) => field)]).toEqual([400, ['countryCode', 'countryCode']]);
	});

	test('reads what has changed since an instant, in the order of the changes, by cursor', async () => {
		const first = await create('LU', { name: 'Luzern' });
		const second = await create('UR', { name: 'Uri' });
		const { data: changed } = await call<State>('PATCH', `${path}/${first.id}`, {
			token: masterdata.officer,
			body: { abbreviation: 'LUZ' },
		});
		expect(changed.createdAt).toBe(first.createdAt);
		expect(changed.updatedAt > second.updatedAt).toBe(true);
		const since = `updatedSince=${encodeURIComponent(second.updatedAt)}&sort=updatedAt&size=1`;
		const { data: page } = await call<Page<State>>('GET', `${path}?${since}`);
		expect(page.items).toEqual([second]);
		const next = `${path}?${since}&cursor=${page.pagination.nextCursor}`;
		expect((await call<Page<State>>('GET', next)).data.items).toEqual([changed]);
		const elsewhere = next.replace('/states', '/venues');
		expect((await call('GET', elsewhere)).data.errors?.map(({ field }) => field)).toEqual(['cursor']);
	});

	test('refuses a query that is not valid', async () => {
		const { status, data } = await call('GET', `${path}?countryCode=AUT&sort=size&quality=Wien`);
		expect(status).toBe(400);
		expect(data.errors?.map(({ field }) => field).sort()).toEqual(['countryCode', 'quality', 'sort']);
	});
});

test('GET /states/count counts those that the list has', async () => {
	await create('ZX', { isActive: false });
	for (const query of ['?countryCode=AT', '?countryCode=CH&isActive=false', '']) {
		const listed = await call<Page<State>>('GET', `${path}${query}`);
		const { status, data } = await call<{ count: number }>('GET', `${path}/count${query}`);
		expect([status, data.count]).toEqual([200, listed.data.pagination.totalElements]);
	}
	expect((await call<{ count: number }>('GET', `${path}/count?countryCode=AT`)).data.count).toBe(9);
	expect((await call('GET', `${path}/count?page=1`)).data.code).toBe('INVALID_QUERY_PARAMETER');
});

describe('GET /states/{id}', () => {
	test('shows one record', async () => {
		const state = await create('AB');
		const { data, headers } = await call<State>('GET', `${path}/${state.id}`);
		expect(data).toEqual({ ...swiss('AB'), id: state.id, ...timesOf(data), version: 1 });
		expect(headers.get('etag')).toBe('"1"');
	});

	test('returns 404 for an unknown id and 400 for an invalid one', async () => {
		expect((await call('GET', `${path}/${randomUUID()}`)).status).toBe(404);
		expect((await call('GET', `${path}/AT-3`)).data.code).toBe('INVALID_ID');
	});
});

describe('POST /states', () => {
	test('creates, and says where', async () => {
		const { data, headers } = await call<State>('POST', path, {
			token: masterdata.officer,
			body: { countryCode: 'CH', iso3166_2: 'CH-AC', name: 'Kanton' },
		});
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(data).toMatchObject({ federationCode: null, abbreviation: null, isActive: true, version: 1 });
		expect(await storedRow(data.id)).toMatchObject({ countryCode: 'CH', iso3166_2: 'CH-AC' });
	});

	test('reports all bad fields at once, the code of another country among them', async () => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: { countryCode: 'CH', iso3166_2: 'AT-99', federationCode: '1', isActive: 1, capital: 'Bern' },
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'capital UNKNOWN_FIELD',
			'federationCode INVALID_FORMAT',
			'isActive INVALID_FORMAT',
			'iso3166_2 INVALID_FORMAT',
			'name REQUIRED',
		]);
	});

	test('refuses an unknown country', async () => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: swiss('XZ', { countryCode: 'XZ', iso3166_2: 'XZ-1' }),
		});
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data.errors).toMatchObject([{ field: 'countryCode', code: 'INVALID_REFERENCE' }]);
	});

	test('refuses duplicate codes', async () => {
		await create('AD');
		const again = await call('POST', path, { token: masterdata.officer, body: swiss('AD') });
		expect([again.status, again.data.code]).toEqual([409, 'STATE_CODE_TAKEN']);
		const numbered = await call('POST', path, {
			token: masterdata.officer,
			body: swiss('AE', { federationCode: '02' }),
		});
		expect([numbered.status, numbered.data.code]).toEqual([409, 'FEDERATION_CODE_TAKEN']);
	});
});

describe('PUT /states/{id}', () => {
	test('replaces and counts the version up', async () => {
		const state = await create('AF');
		const { data } = await call<State>('PUT', `${path}/${state.id}`, {
			token: masterdata.officer,
			headers: { 'If-Match': '"1"' },
			body: swiss('AG', { name: 'Neu', abbreviation: null }),
		});
		expect(data).toEqual({
			...swiss('AG', { name: 'Neu', abbreviation: null }),
			id: state.id,
			...timesOf(data),
			version: 2,
		});
		expect(await storedRow(state.id)).toMatchObject({ iso3166_2: 'CH-AG', abbreviation: null, version: 2 });
	});

	test('refuses a stale If-Match, an unknown country, a changed id, an unknown record', async () => {
		const state = await create('AH');
		const put = (body: object, headers = {}) =>
			call('PUT', `${path}/${state.id}`, { token: masterdata.officer, body, headers });
		expect((await put(swiss('AH'), { 'If-Match': '"3"' })).status).toBe(412);
		const abroad = await put(swiss('XZ', { countryCode: 'XZ', iso3166_2: 'XZ-1' }));
		expect(abroad.data.errors).toMatchObject([{ field: 'countryCode', code: 'INVALID_REFERENCE' }]);
		expect((await put({ ...state, id: randomUUID() })).status).toBe(400);
		expect((await storedRow(state.id))?.version).toBe(1);
		const unknown = await call('PUT', `${path}/${randomUUID()}`, {
			token: masterdata.officer,
			body: swiss('AI'),
		});
		expect(unknown.status).toBe(404);
	});

	test('refuses to change a code that a venue refers to, but changes all other fields', async () => {
		const state = await create('AJ');
		await call('POST', '/api/masterdata/venues', {
			token: masterdata.officer,
			body: { name: 'Reitplatz', countryCode: 'CH', stateCode: 'CH-AJ' },
		});
		const put = (body: object) => call('PUT', `${path}/${state.id}`, { token: masterdata.officer, body });
		const moved = await put(swiss('AK'));
		expect([moved.status, moved.data.code]).toEqual([409, 'STATE_IN_USE']);
		expect((await storedRow(state.id))?.iso3166_2).toBe('CH-AJ');
		expect((await put(swiss('AJ', { name: 'Anders', isActive: false }))).status).toBe(200);
	});
});

describe('DELETE /states/{id}', () => {
	test('removes an unreferenced record and returns it', async () => {
		const state = await create('AL');
		const { status, data } = await call<State>('DELETE', `${path}/${state.id}`, {
			token: masterdata.officer,
		});
		expect([status, data]).toEqual([200, state]);
		expect(await storedRow(state.id)).toBeUndefined();
		expect((await call('DELETE', `${path}/${state.id}`, { token: masterdata.officer })).status).toBe(404);
	});

	test('refuses a state with a venue', async () => {
		const state = await create('AM');
		await call('POST', '/api/masterdata/venues', {
			token: masterdata.officer,
			body: { name: 'Reitplatz', countryCode: 'CH', stateCode: 'CH-AM' },
		});
		const { status, data } = await call('DELETE', `${path}/${state.id}`, { token: masterdata.officer });
		expect([status, data.code]).toEqual([409, 'STATE_IN_USE']);
		expect(await storedRow(state.id)).toBeDefined();
	});
});
