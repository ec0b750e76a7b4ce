import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Country } from '../src/schemas/country.ts';
import { type RunningMasterdata, runMasterdata } from './running-masterdata.ts';

const path = '/api/masterdata/countries';
let masterdata: RunningMasterdata;
let call: RunningMasterdata['call'];
let officer: string;

beforeAll(async () => {
	masterdata = await runMasterdata();
	({ call, officer } = masterdata);
});
afterAll(() => masterdata.close());

/** The user-assigned codes of ISO 3166-1 (XA to XZ, XAA to XZZ, 900 to 999): no seeded country has them. */
function invented(letter: string, changes: Partial<Country> = {}) {
	const place = letter.charCodeAt(0) - 65;
	return {
		isoAlpha2: `X${letter}`,
		isoAlpha3: `XX${letter}`,
		isoNumeric: String(900 + place),
		iocCode: null,
		nameEn: `Freedonia ${letter}`,
		nameDe: `Freedonien ${letter}`,
		isEuMember: false,
		isEeaMember: false,
		isActive: true,
		sortOrder: 1_000,
		...changes,
	};
}

async function create(letter: string, changes: Partial<Country> = {}): Promise<Country> {
	const { status, data } = await call<Country>('POST', path, {
		token: officer,
		body: invented(letter, changes),
	});
	expect(status).toBe(201);
	return data;
}

async function byCode(code: string): Promise<Country> {
	return (await call<Country>('GET', `${path}/by-code/${code}`)).data;
}

async function listed(query: string): Promise<Country[]> {
	return (await call<Page<Country>>('GET', `${path}${query}`)).data.items;
}

function storedRow(id: string) {
	return masterdata.db.selectFrom('countries').selectAll().where('id', '=', id).executeTakeFirst();
}

describe('GET /countries', () => {
	test('pages through all of ISO 3166-1, Austria and its neighbours first, then by name', async () => {
		const first = await call<Page<Country>>('GET', path);
		expect(first.data.pagination).toMatchObject({ page: 1, size: 50, hasNext: true, hasPrevious: false });
		expect(first.data.items).toHaveLength(50);
		const all = [...(await listed('?size=200')), ...(await listed('?size=200&page=2'))];
		expect(all.length).toBeGreaterThanOrEqual(249);
		expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
		const codes = all.map(({ isoAlpha2 }) => isoAlpha2);
		expect(codes.slice(0, 10)).toEqual(['AT', 'DE', 'CH', 'LI', 'IT', 'SI', 'HU', 'SK', 'CZ', 'AF']);
		expect(codes[10]).toBe('AX');
	});

	test('offers limit and offset, and says how many there are behind the end, too', async () => {
		const { data } = await call<Page<Country>>('GET', `${path}?isEuMember=true&limit=5&offset=25`);
		expect(data.items).toHaveLength(2);
		expect(data.pagination).toEqual({
			page: 6,
			size: 5,
			totalElements: 27,
			totalPages: 6,
			hasNext: false,
			hasPrevious: true,
		});
		const behind = await call<Page<Country>>('GET', `${path}?isEuMember=true&page=99`);
		expect(behind.data.items).toEqual([]);
		expect(behind.data.pagination).toMatchObject({
			page: 99,
			totalElements: 27,
			totalPages: 1,
			hasNext: false,
		});
	});

	test('filters by membership and by use', async () => {
		expect(await listed('?isEeaMember=true&isEuMember=false&sort=isoAlpha2')).toMatchObject([
			{ isoAlpha2: 'IS' },
			{ isoAlpha2: 'LI' },
			{ isoAlpha2: 'NO' },
		]);
		const inactive = await listed('?isActive=false&size=200');
		expect(inactive.map(({ isoAlpha2 }) => isoAlpha2)).toContain('GL');
		expect(inactive.every(({ isActive }) => !isActive)).toBe(true);
	});

	test.each(['Österreich', 'osterreich', 'OESTERREICH', 'terreich', 'Austria', 'AUT', '040'])(
		'finds Austria by %s',
		async (q) => {
			const found = await listed(`?q=${encodeURIComponent(q)}`);
			expect(found.map(({ isoAlpha2 }) => isoAlpha2)).toContain('AT');
		},
	);

	test('ranks what begins with the text before what contains it, unless a sort is asked for', async () => {
		const codes = (countries: Country[]) => countries.map(({ isoAlpha2 }) => isoAlpha2);
		const ranked = codes(await listed('?q=land'));
		expect(ranked.length).toBeGreaterThan(5);
		const oman = codes(await listed('?q=oma'));
		expect(oman.slice(0, 1)).toEqual(['OM']);
		expect(oman).toContain('RO');
		const sorted = codes(await listed('?q=oma&sort=-isoAlpha2'));
		expect(sorted).toEqual([...sorted].sort().reverse());
	});

	test('takes a wildcard of LIKE literally', async () => {
		expect(await listed('?q=%25%25')).toEqual([]);
		expect(await listed('?q=__')).toEqual([]);
	});

	test('orders letters with diacritics beside their base letters, in both directions', async () => {
		const names = (await listed('?isActive=true&sort=nameDe&size=200')).map(({ nameDe }) => nameDe);
		expect(names).toEqual([...names].sort(new Intl.Collator('und').compare));
		const reversed = (await listed('?isActive=true&sort=-nameDe&size=200')).map(({ nameDe }) => nameDe);
		expect(reversed[0]).toBe('Zypern');
	});

	test('reports all that is wrong with a query at once', async () => {
		const { status, data } = await call(
			'GET',
			`${path}?isActive=yes&size=201&sort=population&q=a&colour=red&page=0`,
		);
		expect(status).toBe(400);
		expect(data.code).toBe('INVALID_QUERY_PARAMETER');
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'colour UNKNOWN_FIELD',
			'isActive INVALID_FORMAT',
			'page INVALID_RANGE',
			'q INVALID_LENGTH',
			'size INVALID_RANGE',
			'sort INVALID_FORMAT',
		]);
		expect((await call('GET', `${path}?page=1&offset=0`)).data.code).toBe('INVALID_QUERY_PARAMETER');
	});

	test('may be cached for five minutes, and is not sent again while it is the same', async () => {
		const first = await call<Page<Country>>('GET', `${path}?size=3`);
		expect(first.headers.get('cache-control')).toBe('public, max-age=300');
		const etag = first.headers.get('etag') ?? '';
		expect(etag).toMatch(/^W\/"/);
		const again = await call('GET', `${path}?size=3`, { headers: { 'If-None-Match': etag } });
		expect([again.status, again.text]).toEqual([304, '']);
		const other = await call('GET', `${path}?size=4`, { headers: { 'If-None-Match': etag } });
		expect(other.status).toBe(200);
	});
});

describe('GET /countries/active', () => {
	test('lists those that are offered, with the same filters but for isActive', async () => {
		const active = await call<Page<Country>>('GET', `${path}/active?size=200`);
		expect(active.data.items.every(({ isActive }) => isActive)).toBe(true);
		expect(active.data.pagination.totalElements).toBeGreaterThanOrEqual(205);
		const filtered = await call<Page<Country>>('GET', `${path}/active?isEuMember=true`);
		expect(filtered.data.pagination.totalElements).toBe(27);
		expect((await call('GET', `${path}/active?isActive=false`)).status).toBe(400);
	});

	test('leaves out what an officer takes out of use', async () => {
		const country = await create('A');
		const offered = async () =>
			(await listed(`/active?q=${country.nameEn.replaceAll(' ', '+')}`)).map(({ id }) => id);
		expect(await offered()).toEqual([country.id]);
		await call('PUT', `${path}/${country.id}`, { token: officer, body: { ...country, isActive: false } });
		expect(await offered()).toEqual([]);
	});
});

describe('GET /countries/{id}', () => {
	test('shows one record, with its version as ETag', async () => {
		const { id } = await byCode('CH');
		const { status, data, headers } = await call<Country>('GET', `${path}/${id}`);
		expect(status).toBe(200);
		expect(data).toEqual({
			id,
			isoAlpha2: 'CH',
			isoAlpha3: 'CHE',
			isoNumeric: '756',
			iocCode: 'SUI',
			nameEn: 'Switzerland',
			nameDe: 'Schweiz',
			isEuMember: false,
			isEeaMember: false,
			isActive: true,
			sortOrder: 30,
			version: 1,
		});
		expect(headers.get('etag')).toBe('"1"');
		const again = await call('GET', `${path}/${id}`, { headers: { 'If-None-Match': '"1"' } });
		expect(again.status).toBe(304);
		expect((await call('GET', `${path}/${id.toUpperCase()}`)).status).toBe(200);
	});

	test('says 404 for an unknown id and 400 for what is none', async () => {
		expect((await call('GET', `${path}/${randomUUID()}`)).data.code).toBe('NOT_FOUND');
		const malformed = await call('GET', `${path}/AT`);
		expect([malformed.status, malformed.data.code]).toEqual([400, 'INVALID_ID']);
	});
});

describe('GET /countries/by-code/{code}', () => {
	test.each([
		['AT', 'AT'],
		['at', 'AT'],
		['che', 'CH'],
		['SUI', 'CH'],
		['ger', 'DE'],
		['040', 'AT'],
		['BRN', 'BN'],
		['bru', 'BN'],
		['bhr', 'BH'],
	])('%s is %s', async (code, alpha2) => {
		expect((await byCode(code)).isoAlpha2).toBe(alpha2);
	});

	test('says 404 for a code that nobody has and 400 for what is none', async () => {
		expect((await call('GET', `${path}/by-code/QQ`)).status).toBe(404);
		for (const code of ['A', 'AUST', '40', 'A1', '%C3%96S']) {
			const { status, data } = await call('GET', `${path}/by-code/${code}`);
			expect([code, status, data.code]).toEqual([code, 400, 'INVALID_ID']);
		}
	});
});

describe('POST /countries', () => {
	test('creates, and says where', async () => {
		const body = invented('B', { iocCode: 'XIB', nameEn: '  Sylvania ' });
		const { status, data, headers } = await call<Country>('POST', path, { token: officer, body });
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(headers.get('etag')).toBe('"1"');
		expect(data).toEqual({ ...body, nameEn: 'Sylvania', id: data.id, version: 1 });
		expect((await call<Country>('GET', `${path}/${data.id}`)).data).toEqual(data);
		expect(await storedRow(data.id)).toMatchObject({
			iso_alpha2: 'XB',
			ioc_code: 'XIB',
			name_en: 'Sylvania',
		});
		expect(await listed('?q=sylvania')).toEqual([data]);
	});

	test('fills what may be left out', async () => {
		const { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe } = invented('C');
		const body = { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe };
		const { data } = await call<Country>('POST', path, { token: officer, body });
		expect(data).toMatchObject({ iocCode: null, isEuMember: false, isActive: true, sortOrder: 1_000 });
	});

	test('reports all bad fields at once and stores nothing', async () => {
		const { status, data } = await call('POST', path, {
			token: officer,
			body: {
				isoAlpha2: 'xd',
				isoAlpha3: 'XD',
				isoNumeric: 903,
				iocCode: '',
				nameEn: ' ',
				isEuMember: 'no',
				sortOrder: -1,
				id: randomUUID(),
				version: 7,
				population: 1,
			},
		});
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'id UNKNOWN_FIELD',
			'iocCode INVALID_FORMAT',
			'isEuMember INVALID_FORMAT',
			'isoAlpha2 INVALID_FORMAT',
			'isoAlpha3 INVALID_FORMAT',
			'isoNumeric INVALID_FORMAT',
			'nameDe REQUIRED',
			'nameEn INVALID_LENGTH',
			'population UNKNOWN_FIELD',
			'sortOrder INVALID_RANGE',
			'version UNKNOWN_FIELD',
		]);
		expect((await call('GET', `${path}/by-code/XD`)).status).toBe(404);
	});

	test.each([
		['isoAlpha2', 'AT', 'ISO_ALPHA2_TAKEN'],
		['isoAlpha3', 'AUT', 'ISO_ALPHA3_TAKEN'],
		['isoNumeric', '040', 'ISO_NUMERIC_TAKEN'],
		['iocCode', 'AUT', 'IOC_CODE_TAKEN'],
	])('refuses the %s of another country', async (field, value, code) => {
		const { status, data } = await call('POST', path, {
			token: officer,
			body: invented('E', { [field]: value }),
		});
		expect([status, data.code]).toEqual([409, code]);
		expect((await call('GET', `${path}/by-code/XXE`)).status).toBe(404);
	});

	test('lets one of many win who create the same at once', async () => {
		const attempts = Array.from({ length: 10 }, () =>
			call('POST', path, { token: officer, body: invented('F') }),
		);
		const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
		expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
		const rows = await masterdata.db
			.selectFrom('countries')
			.select('id')
			.where('iso_alpha2', '=', 'XF')
			.execute();
		expect(rows).toHaveLength(1);
	});
});

describe('PUT /countries/{id}', () => {
	test('replaces, counts the version up, and is found under the new name only', async () => {
		const country = await create('G', { nameEn: 'Ruritania', iocCode: 'XIG' });
		const body = invented('G', { nameEn: 'Graustark', isEuMember: true });
		const { status, data, headers } = await call<Country>('PUT', `${path}/${country.id}`, {
			token: officer,
			body,
		});
		expect(status).toBe(200);
		expect(data).toEqual({ ...body, id: country.id, version: 2 });
		expect(headers.get('etag')).toBe('"2"');
		expect(await storedRow(country.id)).toMatchObject({ ioc_code: null, is_eu_member: true, version: 2 });
		expect(await listed('?q=Ruritania')).toEqual([]);
		expect(await listed('?q=Graustark')).toEqual([data]);
	});

	test('sets what is left out to its default', async () => {
		const country = await create('H', { iocCode: 'XIH', isActive: false, sortOrder: 5 });
		const { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe } = country;
		const { data } = await call<Country>('PUT', `${path}/${country.id}`, {
			token: officer,
			body: { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe },
		});
		expect(data).toMatchObject({ iocCode: null, isActive: true, sortOrder: 1_000 });
	});

	test('takes server-owned fields only as they are', async () => {
		const country = await create('I');
		const put = (body: object) => call('PUT', `${path}/${country.id}`, { token: officer, body });
		const refused = await put({ ...country, id: randomUUID(), version: 99 });
		expect([refused.status, refused.data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(refused.data.errors?.map(({ field }) => field)).toEqual(['id', 'version']);
		expect((await storedRow(country.id))?.version).toBe(1);
		expect((await put(country)).status).toBe(200);
	});

	test('refuses a stale If-Match, and lets one of two win who read the same version', async () => {
		const country = await create('J');
		const put = (ifMatch: string, nameEn: string) =>
			call('PUT', `${path}/${country.id}`, {
				token: officer,
				headers: { 'If-Match': ifMatch },
				body: { ...invented('J'), nameEn },
			});
		const stale = await put('"7"', 'Stale');
		expect([stale.status, stale.data.code, stale.data.currentVersion]).toEqual([
			412,
			'PRECONDITION_FAILED',
			1,
		]);
		const both = await Promise.all([put('"1"', 'One'), put('"1"', 'Other')]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
		expect((await storedRow(country.id))?.version).toBe(2);
	});

	test('refuses the code of another country, and an unknown id', async () => {
		const country = await create('K');
		const taken = await call('PUT', `${path}/${country.id}`, {
			token: officer,
			body: invented('K', { isoAlpha3: 'DEU' }),
		});
		expect([taken.status, taken.data.code]).toEqual([409, 'ISO_ALPHA3_TAKEN']);
		expect((await storedRow(country.id))?.iso_alpha3).toBe('XXK');
		const unknown = await call('PUT', `${path}/${randomUUID()}`, { token: officer, body: invented('L') });
		expect([unknown.status, unknown.data.code]).toEqual([404, 'NOT_FOUND']);
	});

	test('keeps the alpha-2 code of a country that states refer to', async () => {
		const austria = await byCode('AT');
		const { status, data } = await call('PUT', `${path}/${austria.id}`, {
			token: officer,
			body: { ...austria, isoAlpha2: 'XM' },
		});
		expect([status, data.code]).toEqual([409, 'COUNTRY_IN_USE']);
		expect(await byCode('AT')).toEqual(austria);
	});
});

describe('DELETE /countries/{id}', () => {
	test('removes what nothing refers to and answers with it', async () => {
		const country = await create('N');
		const { status, data } = await call<Country>('DELETE', `${path}/${country.id}`, { token: officer });
		expect(status).toBe(200);
		expect(data).toEqual(country);
		expect(await storedRow(country.id)).toBeUndefined();
		expect((await call('DELETE', `${path}/${country.id}`, { token: officer })).status).toBe(404);
	});

	test('refuses a country with states', async () => {
		const austria = await byCode('AT');
		const { status, data } = await call('DELETE', `${path}/${austria.id}`, { token: officer });
		expect([status, data.code]).toEqual([409, 'COUNTRY_IN_USE']);
		expect(await byCode('AT')).toEqual(austria);
	});

	test('refuses a country with a venue', async () => {
		const country = await create('O');
		const venue = await call<{ id: string }>('POST', '/api/masterdata/venues', {
			token: officer,
			body: { name: 'Hippodrome', countryCode: 'XO' },
		});
		expect(venue.status).toBe(201);
		const refused = await call('DELETE', `${path}/${country.id}`, { token: officer });
		expect([refused.status, refused.data.code]).toEqual([409, 'COUNTRY_IN_USE']);
		await call('DELETE', `/api/masterdata/venues/${venue.data.id}`, { token: officer });
		expect((await call('DELETE', `${path}/${country.id}`, { token: officer })).status).toBe(200);
	});

	test('never leaves a venue behind that is added at the same moment', async () => {
		for (let round = 0; round < 10; round++) {
			const country = await create('P');
			const [deleted, added] = await Promise.all([
				call('DELETE', `${path}/${country.id}`, { token: officer }),
				call<{ id: string }>('POST', '/api/masterdata/venues', {
					token: officer,
					body: { name: 'Hippodrome', countryCode: 'XP' },
				}),
			]);
			expect([
				[200, 400],
				[409, 201],
			]).toContainEqual([deleted.status, added.status]);
			if (added.status === 201)
				await call('DELETE', `/api/masterdata/venues/${added.data.id}`, { token: officer });
			await masterdata.db.deleteFrom('countries').where('id', '=', country.id).execute();
		}
	});

	test('honours If-Match', async () => {
		const country = await create('Q');
		const stale = await call('DELETE', `${path}/${country.id}`, {
			token: officer,
			headers: { 'If-Match': '"2"' },
		});
		expect(stale.status).toBe(412);
		expect(await storedRow(country.id)).toBeDefined();
	});
});
