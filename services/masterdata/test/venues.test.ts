import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { timesOf } from '@paddock/testing';
import type { Venue } from '../src/venues/schemas.ts';
import { useMasterdata } from './running-masterdata.ts';

const path = '/api/masterdata/venues';
const masterdata = useMasterdata();
const { call } = masterdata;

function ground(name: string, changes: Partial<Venue> = {}) {
	return {
		name,
		address: { street: 'Koppelweg 1', postalCode: '0999', city: 'Furt' },
		countryCode: 'AT',
		stateCode: 'AT-3' as string | null,
		latitude: 48.123456789 as number | null,
		longitude: -0.5 as number | null,
		timeZone: 'Europe/Vienna',
		website: 'https://furt.example.org/reiten?a=1' as string | null,
		stableBoxes: 0 as number | null,
		isActive: true,
		...changes,
	};
}

async function create(name: string, changes: Partial<Venue> = {}): Promise<Venue> {
	const { status, data } = await call<Venue>('POST', path, {
		token: masterdata.officer,
		body: ground(name, changes),
	});
	expect(status).toBe(201);
	return data;
}

function storedRow(id: string) {
	return masterdata.db.selectFrom('venues').selectAll().where('id', '=', id).executeTakeFirst();
}

async function names(query: string): Promise<string[]> {
	const { data } = await call<Page<Venue>>('GET', `${path}?${query}`);
	return data.items.map(({ name }) => name);
}

describe('GET /venues', () => {
	test('filters, searches in name and city, sorts, and may be cached', async () => {
		const liechtenstein = { countryCode: 'LI', stateCode: null };
		await create('Zur Au', { ...liechtenstein, stableBoxes: 10 });
		await create('Ähre', { ...liechtenstein, isActive: false, stableBoxes: null });
		await create('Bergland', {
			...liechtenstein,
			address: { street: null, postalCode: null, city: 'Zürsch' },
			stableBoxes: 5,
		});
		expect(await names('countryCode=li')).toEqual(['Ähre', 'Bergland', 'Zur Au']);
		expect(await names('countryCode=LI&isActive=true')).toEqual(['Bergland', 'Zur Au']);
		expect(await names('countryCode=LI&q=zur')).toEqual(['Bergland', 'Zur Au']);
		expect(await names('countryCode=LI&q=aehre')).toEqual(['Ähre']);
		expect(await names('countryCode=LI&sort=-stableBoxes')).toEqual(['Ähre', 'Zur Au', 'Bergland']);
		expect(await names('countryCode=LI&stateCode=AT-3')).toEqual([]);
		const { headers } = await call<Page<Venue>>('GET', path);
		expect(headers.get('cache-control')).toBe(
			'public, max-age=60, stale-while-revalidate=30, stale-if-error=86400',
		);
		expect(headers.get('etag')).not.toBeNull();
	});

	test('refuses a query that is not valid', async () => {
		const { status, data } = await call('GET', `${path}?stateCode=3&q=&near=48,15`);
		expect(status).toBe(400);
		expect(data.errors?.map(({ field }) => field).sort()).toEqual(['near', 'q', 'stateCode']);
	});
});

describe('GET /venues/{id}', () => {
	test('shows one record', async () => {
		const venue = await create('Gezeigt');
		const { data, headers } = await call<Venue>('GET', `${path}/${venue.id}`);
		expect(data).toEqual({ ...ground('Gezeigt'), id: venue.id, ...timesOf(data), version: 1 });
		expect(headers.get('etag')).toBe('"1"');
		expect((await call('GET', `${path}/${randomUUID()}`)).status).toBe(404);
		expect((await call('GET', `${path}/1`)).data.code).toBe('INVALID_ID');
	});
});

describe('POST /venues', () => {
	test('creates, and says where', async () => {
		const { data, headers } = await call<Venue>('POST', path, {
			token: masterdata.officer,
			body: ground('Neu'),
		});
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(await storedRow(data.id)).toMatchObject({
			name: 'Neu',
			postalCode: '0999',
			stateCode: 'AT-3',
			latitude: 48.123456789,
			isDemo: false,
		});
	});

	test('fills omitted fields with their defaults', async () => {
		const { data } = await call<Venue>('POST', path, {
			token: masterdata.officer,
			body: { name: 'Karg', countryCode: 'DE' },
		});
		expect(data).toMatchObject({
			address: null,
			stateCode: null,
			latitude: null,
			timeZone: 'Europe/Vienna',
			website: null,
			stableBoxes: null,
			isActive: true,
		});
	});

	test('reports all bad fields at once', async () => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: {
				name: 'Zeile\nZwei',
				address: { street: 'x', postalCode: '', town: 'Furt' },
				countryCode: 'Austria',
				latitude: 90.1,
				longitude: -180.1,
				timeZone: 'Europe/Wien',
				website: 'javascript:alert(1)',
				stableBoxes: 1.5,
				isDemo: true,
			},
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'address.city REQUIRED',
			'address.postalCode INVALID_LENGTH',
			'address.town UNKNOWN_FIELD',
			'countryCode INVALID_FORMAT',
			'isDemo UNKNOWN_FIELD',
			'latitude INVALID_RANGE',
			'longitude INVALID_RANGE',
			'name INVALID_FORMAT',
			'stableBoxes INVALID_FORMAT',
			'timeZone INVALID_FORMAT',
			'website INVALID_FORMAT',
		]);
		expect(await names('q=Zeile')).toEqual([]);
	});

	test.each([
		['latitude', { latitude: 48, longitude: null }, 'longitude'],
		['longitude', { latitude: null, longitude: 15 }, 'latitude'],
	])('refuses a %s without the other one', async (_given, changes, missing) => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: ground('Halb', changes),
		});
		expect(status).toBe(400);
		expect(data.errors).toMatchObject([{ field: missing, code: 'REQUIRED' }]);
	});

	test.each([
		['an unknown country', { countryCode: 'XZ', stateCode: null }, ['countryCode']],
		['an unknown country and state', { countryCode: 'XZ', stateCode: 'XZ-1' }, ['countryCode', 'stateCode']],
		['an unknown country with a known state', { countryCode: 'XZ' }, ['countryCode', 'stateCode']],
		['an unknown state', { stateCode: 'AT-10' }, ['stateCode']],
		['the state of another country', { countryCode: 'DE', stateCode: 'AT-3' }, ['stateCode']],
	])('refuses %s', async (_what, changes, fields) => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: ground('Fern', changes),
		});
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data.errors?.map(({ field, code }) => [field, code])).toEqual(
			fields.map((field) => [field, 'INVALID_REFERENCE']),
		);
	});

	test.each([
		'https://exa mple.org',
		'ftp://example.org',
		'https://example.org/\u0001',
		`https://x.org/${'a'.repeat(500)}`,
	])('refuses the website %j', async (website) => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: ground('Netz', { website }),
		});
		expect(status).toBe(400);
		expect(data.errors?.every(({ field }) => field === 'website')).toBe(true);
	});
});

describe('PUT /venues/{id}', () => {
	test('changes the named fields and increments the version', async () => {
		const venue = await create('Alt');
		const { data } = await call<Venue>('PUT', `${path}/${venue.id}`, {
			token: masterdata.officer,
			headers: { 'If-Match': '"1"' },
			body: { name: 'Umbenannt', countryCode: 'AT', address: null },
		});
		expect(data).toEqual({ ...venue, ...timesOf(data), name: 'Umbenannt', address: null, version: 2 });
		expect(await storedRow(venue.id)).toMatchObject({ name: 'Umbenannt', city: null, version: 2 });
		expect(await names('q=umbenannt')).toEqual(['Umbenannt']);
	});

	test('refuses a stale If-Match, an unknown state, a changed id, an unknown record', async () => {
		const venue = await create('Fest');
		const put = (body: object, headers = {}) =>
			call('PUT', `${path}/${venue.id}`, { token: masterdata.officer, body, headers });
		expect((await put(ground('Fest'), { 'If-Match': '"2"' })).status).toBe(412);
		const lost = await put(ground('Fest', { countryCode: 'XZ', stateCode: 'XZ-1' }));
		expect(lost.data.errors).toMatchObject([
			{ field: 'countryCode', code: 'INVALID_REFERENCE' },
			{ field: 'stateCode', code: 'INVALID_REFERENCE' },
		]);
		expect((await put({ ...venue, id: randomUUID() })).status).toBe(400);
		expect((await storedRow(venue.id))?.version).toBe(1);
		const unknown = await call('PUT', `${path}/${randomUUID()}`, {
			token: masterdata.officer,
			body: ground('X'),
		});
		expect(unknown.status).toBe(404);
	});
});

test('DELETE /venues/{id} removes it with its arenas and returns it', async () => {
	const venue = await create('Weg');
	await call('POST', `${path}/${venue.id}/arenas`, {
		token: masterdata.officer,
		body: { name: 'Platz', type: 'COMPETITION', surface: 'SAND' },
	});
	const stale = await call('DELETE', `${path}/${venue.id}`, {
		token: masterdata.officer,
		headers: { 'If-Match': '"2"' },
	});
	expect(stale.status).toBe(412);
	const { status, data } = await call<Venue>('DELETE', `${path}/${venue.id}`, { token: masterdata.officer });
	expect([status, data]).toEqual([200, venue]);
	expect(await storedRow(venue.id)).toBeUndefined();
	const arenas = masterdata.db.selectFrom('arenas').select('id').where('venueId', '=', venue.id);
	expect(await arenas.execute()).toEqual([]);
	expect((await call('DELETE', `${path}/${venue.id}`, { token: masterdata.officer })).status).toBe(404);
});
