import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { timesOf } from '@paddock/testing';
import type { Country } from '../src/countries/schemas.ts';
import { type CountryRecords, countryRecords, path } from './country-records.ts';
import { useMasterdata } from './running-masterdata.ts';

const masterdata = useMasterdata();
const { call } = masterdata;
let create: CountryRecords['create'];
let byCode: CountryRecords['byCode'];
let listed: CountryRecords['listed'];

beforeAll(() => {
	({ create, byCode, listed } = countryRecords(masterdata));
});

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
		expect(data.pagination).toMatchObject({
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

	test('ranks names that begin with the text before names that contain it, unless a sort is requested', async () => {
		const codes = (countries: Country[]) => countries.map(({ isoAlpha2 }) => isoAlpha2);
		const ranked = codes(await listed('?q=land'));
		expect(ranked.length).toBeGreaterThan(5);
		const oman = codes(await listed('?q=oma'));
		expect(oman.slice(0, 1)).toEqual(['OM']);
		expect(oman).toContain('RO');
		const sorted = codes(await listed('?q=oma&sort=-isoAlpha2'));
		expect(sorted).toEqual([...sorted].sort().reverse());
	});

	test('matches wildcards of LIKE literally', async () => {
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
			`${path}?isActive=yes&size=201&sort=population&q=&colour=red&page=0`,
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

	test('may be cached for a minute, and is not sent again while it is the same', async () => {
		const first = await call<Page<Country>>('GET', `${path}?size=3`);
		expect(first.headers.get('cache-control')).toBe(
			'public, max-age=60, stale-while-revalidate=30, stale-if-error=86400',
		);
		const etag = first.headers.get('etag') ?? '';
		expect(etag).toMatch(/^W\/"/);
		const again = await call('GET', `${path}?size=3`, { headers: { 'If-None-Match': etag } });
		expect([again.status, again.text]).toEqual([304, '']);
		const other = await call('GET', `${path}?size=4`, { headers: { 'If-None-Match': etag } });
		expect(other.status).toBe(200);
	});
});

describe('GET /countries/active', () => {
	test('lists active ones, with the same filters except isActive', async () => {
		const active = await call<Page<Country>>('GET', `${path}/active?size=200`);
		expect(active.data.items.every(({ isActive }) => isActive)).toBe(true);
		expect(active.data.pagination.totalElements).toBeGreaterThanOrEqual(205);
		const filtered = await call<Page<Country>>('GET', `${path}/active?isEuMember=true`);
		expect(filtered.data.pagination.totalElements).toBe(27);
		expect((await call('GET', `${path}/active?isActive=false`)).status).toBe(400);
	});

	test('omits countries that an masterdata.officer sets inactive', async () => {
		const country = await create('A');
		const offered = async () =>
			(await listed(`/active?q=${country.nameEn.replaceAll(' ', '+')}`)).map(({ id }) => id);
		expect(await offered()).toEqual([country.id]);
		await call('PUT', `${path}/${country.id}`, {
			token: masterdata.officer,
			body: { ...country, isActive: false },
		});
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
			...timesOf(data),
			version: 1,
		});
		expect(headers.get('etag')).toBe('"1"');
		const again = await call('GET', `${path}/${id}`, { headers: { 'If-None-Match': '"1"' } });
		expect(again.status).toBe(304);
		expect((await call('GET', `${path}/${id.toUpperCase()}`)).status).toBe(200);
	});

	test('returns 404 for an unknown id and 400 for an invalid one', async () => {
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

	test('returns 404 for an unknown code and 400 for an invalid one', async () => {
		expect((await call('GET', `${path}/by-code/QQ`)).status).toBe(404);
		for (const code of ['A', 'AUST', '40', 'A1', '%C3%96S']) {
			const { status, data } = await call('GET', `${path}/by-code/${code}`);
			expect([code, status, data.code]).toEqual([code, 400, 'INVALID_ID']);
		}
	});

	// Its ETag was the version alone, and two new countries have the same.
	test('does not confirm the former country once another one has the code', async () => {
		await create('V', { iocCode: 'XXW' });
		const before = await call<Country>('GET', `${path}/by-code/XXW`);
		const send = () =>
			call<Country>('GET', `${path}/by-code/XXW`, {
				headers: { 'If-None-Match': before.headers.get('etag') ?? '' },
			});
		expect([before.data.isoAlpha2, (await send()).status]).toEqual(['XV', 304]);
		await create('W');
		const after = await send();
		expect([after.status, after.data.isoAlpha2]).toEqual([200, 'XW']);
	});
});
