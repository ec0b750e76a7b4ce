import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { timesOf } from '@paddock/testing';
import type { Arena } from '../src/arenas/schemas.ts';
import { useMasterdata } from './running-masterdata.ts';

const masterdata = useMasterdata();
const { call } = masterdata;
let venueId: string;
let path: string;

beforeAll(async () => {
	venueId = await createVenue();
	path = `/api/masterdata/venues/${venueId}/arenas`;
});

async function createVenue(): Promise<string> {
	const { data } = await call<{ id: string }>('POST', '/api/masterdata/venues', {
		token: masterdata.officer,
		body: { name: 'Reitplatz', countryCode: 'AT' },
	});
	return data.id;
}

function ground(name: string, changes: Partial<Arena> = {}) {
	return {
		name,
		type: 'COMPETITION' as const,
		lengthM: 82.55,
		widthM: 60,
		surface: 'SAND' as const,
		indoor: false,
		floodlit: true,
		isActive: true,
		...changes,
	};
}

async function create(name: string, changes: Partial<Arena> = {}): Promise<Arena> {
	const { status, data } = await call<Arena>('POST', path, {
		token: masterdata.officer,
		body: ground(name, changes),
	});
	expect(status).toBe(201);
	return data;
}

function storedRow(id: string) {
	return masterdata.db.selectFrom('arenas').selectAll().where('id', '=', id).executeTakeFirst();
}

describe('GET /venues/{id}/arenas', () => {
	test('lists those of the venue only', async () => {
		const otherVenue = `/api/masterdata/venues/${await createVenue()}/arenas`;
		expect((await call<Page<Arena>>('GET', otherVenue)).data.items).toEqual([]);
		await call('POST', otherVenue, { token: masterdata.officer, body: ground('B') });
		await call('POST', otherVenue, { token: masterdata.officer, body: ground('A', { lengthM: 90 }) });
		await create('Anderswo');
		const { data, headers } = await call<Page<Arena>>('GET', otherVenue);
		expect(data.items.map(({ name }) => name)).toEqual(['A', 'B']);
		expect(data.pagination.totalElements).toBe(2);
		expect(headers.get('cache-control')).toBe(
			'public, max-age=60, stale-while-revalidate=30, stale-if-error=86400',
		);
		const sorted = await call<Page<Arena>>('GET', `${otherVenue}?sort=lengthM&size=1`);
		expect(sorted.data.items.map(({ name }) => name)).toEqual(['B']);
	});

	test('says 404 for an unknown venue and 400 for a bad query', async () => {
		expect((await call('GET', `/api/masterdata/venues/${randomUUID()}/arenas`)).status).toBe(404);
		expect((await call('GET', `${path}?sort=colour`)).data.code).toBe('INVALID_QUERY_PARAMETER');
	});
});

describe('GET /venues/{id}/arenas/{arenaId}', () => {
	test('shows one record, under its own venue only', async () => {
		const arena = await create('Gezeigt');
		const { data, headers } = await call<Arena>('GET', `${path}/${arena.id}`);
		expect(data).toEqual({ ...ground('Gezeigt'), id: arena.id, venueId, ...timesOf(data), version: 1 });
		expect(headers.get('etag')).toBe('"1"');
		const elsewhere = await call('GET', `/api/masterdata/venues/${await createVenue()}/arenas/${arena.id}`);
		expect([elsewhere.status, elsewhere.data.code]).toEqual([404, 'NOT_FOUND']);
		expect((await call('GET', `${path}/1`)).data.code).toBe('INVALID_ID');
	});
});

describe('POST /venues/{id}/arenas', () => {
	test('creates, and says where', async () => {
		const { status, data, headers } = await call<Arena>('POST', path, {
			token: masterdata.officer,
			body: { name: 'Neu', type: 'LUNGING', surface: 'OTHER' },
		});
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(data).toMatchObject({ lengthM: null, widthM: null, indoor: false, floodlit: false });
		expect(await storedRow(data.id)).toMatchObject({ venueId, name: 'Neu', type: 'LUNGING' });
	});

	test('reports all bad fields at once', async () => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: {
				type: 'SHOW',
				lengthM: 0,
				widthM: 20.005,
				surface: 'ICE',
				indoor: 'yes',
				venueId: randomUUID(),
			},
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'indoor INVALID_FORMAT',
			'lengthM INVALID_RANGE',
			'name REQUIRED',
			'surface INVALID_FORMAT',
			'type INVALID_FORMAT',
			'venueId UNKNOWN_FIELD',
			'widthM INVALID_RANGE',
		]);
	});

	test('refuses a name twice in one venue, and an unknown venue', async () => {
		await create('Einmal');
		const again = await call('POST', path, { token: masterdata.officer, body: ground('Einmal') });
		expect([again.status, again.data.code]).toEqual([409, 'ARENA_NAME_TAKEN']);
		const nowhere = await call('POST', `/api/masterdata/venues/${randomUUID()}/arenas`, {
			token: masterdata.officer,
			body: ground('Einmal'),
		});
		expect([nowhere.status, nowhere.data.code]).toEqual([404, 'NOT_FOUND']);
	});
});

describe('PUT /venues/{id}/arenas/{arenaId}', () => {
	test('replaces and counts the version up', async () => {
		const arena = await create('Alt');
		const { data } = await call<Arena>('PUT', `${path}/${arena.id}`, {
			token: masterdata.officer,
			headers: { 'If-Match': '"1"' },
			body: { ...arena, name: 'Anders', lengthM: null, indoor: true },
		});
		expect(data).toEqual({
			...arena,
			...timesOf(data),
			name: 'Anders',
			lengthM: null,
			indoor: true,
			version: 2,
		});
		expect(await storedRow(arena.id)).toMatchObject({ name: 'Anders', lengthM: null, version: 2 });
	});

	test('refuses a stale If-Match, a duplicate name, another venue, an unknown record', async () => {
		const arena = await create('Fest');
		await create('Besetzt');
		const put = (body: object, headers = {}) =>
			call('PUT', `${path}/${arena.id}`, { token: masterdata.officer, body, headers });
		expect((await put(ground('Fest'), { 'If-Match': '"2"' })).status).toBe(412);
		expect((await put(ground('Besetzt'))).data.code).toBe('ARENA_NAME_TAKEN');
		const moved = await put({ ...arena, venueId: await createVenue() });
		expect(moved.data.errors).toMatchObject([{ field: 'venueId' }]);
		expect(await storedRow(arena.id)).toMatchObject({ name: 'Fest', venueId, version: 1 });
		const unknown = await call('PUT', `${path}/${randomUUID()}`, {
			token: masterdata.officer,
			body: ground('X'),
		});
		expect(unknown.status).toBe(404);
	});
});

test('DELETE /venues/{id}/arenas/{arenaId} removes it, under its own venue only', async () => {
	const arena = await create('Weg');
	const elsewhere = `/api/masterdata/venues/${await createVenue()}/arenas/${arena.id}`;
	expect((await call('DELETE', elsewhere, { token: masterdata.officer })).status).toBe(404);
	const stale = await call('DELETE', `${path}/${arena.id}`, {
		token: masterdata.officer,
		headers: { 'If-Match': '"2"' },
	});
	expect(stale.status).toBe(412);
	expect(await storedRow(arena.id)).toBeDefined();
	const { status, data } = await call<Arena>('DELETE', `${path}/${arena.id}`, { token: masterdata.officer });
	expect([status, data]).toEqual([200, arena]);
	expect(await storedRow(arena.id)).toBeUndefined();
});
