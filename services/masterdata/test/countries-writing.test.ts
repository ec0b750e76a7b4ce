import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { timesOf } from '@paddock/testing';
import type { Country } from '../src/countries/schemas.ts';
import { type CountryRecords, countryRecords, path } from './country-records.ts';
import { inventedCountry as invented } from './invented-country.ts';
import { useMasterdata } from './running-masterdata.ts';

const masterdata = useMasterdata();
const { call } = masterdata;
let create: CountryRecords['create'];
let byCode: CountryRecords['byCode'];
let listed: CountryRecords['listed'];
let storedRow: CountryRecords['storedRow'];

beforeAll(() => {
	({ create, byCode, listed, storedRow } = countryRecords(masterdata));
});

describe('POST /countries', () => {
	test('creates, and says where', async () => {
		const body = invented('B', { iocCode: 'XIB', nameEn: '  Sylvania ' });
		const { status, data, headers } = await call<Country>('POST', path, { token: masterdata.officer, body });
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(headers.get('etag')).toBe('"1"');
		expect(data).toEqual({ ...body, nameEn: 'Sylvania', id: data.id, ...timesOf(data), version: 1 });
		expect((await call<Country>('GET', `${path}/${data.id}`)).data).toEqual(data);
		expect(await storedRow(data.id)).toMatchObject({
			isoAlpha2: 'XB',
			iocCode: 'XIB',
			nameEn: 'Sylvania',
		});
		expect(await listed('?q=sylvania')).toEqual([data]);
	});

	test('fills omitted fields with their defaults', async () => {
		const { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe } = invented('C');
		const body = { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe };
		const { data } = await call<Country>('POST', path, { token: masterdata.officer, body });
		expect(data).toMatchObject({ iocCode: null, isEuMember: false, isActive: true, sortOrder: 1_000 });
	});

	test('reports all bad fields at once and stores nothing', async () => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
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
			token: masterdata.officer,
			body: invented('E', { [field]: value }),
		});
		expect([status, data.code]).toEqual([409, code]);
		expect((await call('GET', `${path}/by-code/XXE`)).status).toBe(404);
	});

	test('creates one of several concurrent duplicates', async () => {
		const attempts = Array.from({ length: 10 }, () =>
			call('POST', path, { token: masterdata.officer, body: invented('F') }),
		);
		const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
		expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
		const rows = await masterdata.db
			.selectFrom('countries')
			.select('id')
			.where('isoAlpha2', '=', 'XF')
			.execute();
		expect(rows).toHaveLength(1);
	});
});

describe('PUT /countries/{id}', () => {
	test('replaces, counts the version up, and is found under the new name only', async () => {
		const country = await create('G', { nameEn: 'Ruritania', iocCode: 'XIG' });
		const body = invented('G', { nameEn: 'Graustark', isEuMember: true });
		const { status, data, headers } = await call<Country>('PUT', `${path}/${country.id}`, {
			token: masterdata.officer,
			body,
		});
		expect(status).toBe(200);
		expect(data).toEqual({ ...body, id: country.id, ...timesOf(data), version: 2 });
		expect(headers.get('etag')).toBe('"2"');
		expect(await storedRow(country.id)).toMatchObject({ iocCode: null, isEuMember: true, version: 2 });
		expect(await listed('?q=Ruritania')).toEqual([]);
		expect(await listed('?q=Graustark')).toEqual([data]);
	});

	test('keeps omitted fields', async () => {
		const country = await create('H', { iocCode: 'XIH', isActive: false, sortOrder: 5 });
		const { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe } = country;
		const { data } = await call<Country>('PUT', `${path}/${country.id}`, {
			token: masterdata.officer,
			body: { isoAlpha2, isoAlpha3, isoNumeric, nameEn, nameDe },
		});
		expect(data).toMatchObject({ iocCode: 'XIH', isActive: false, sortOrder: 5 });
	});

	test('accepts server-owned fields only unchanged', async () => {
		const country = await create('I');
		const put = (body: object) => call('PUT', `${path}/${country.id}`, { token: masterdata.officer, body });
		const refused = await put({ ...country, id: randomUUID(), version: 99 });
		expect([refused.status, refused.data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(refused.data.errors?.map(({ field }) => field)).toEqual(['id', 'version']);
		expect((await storedRow(country.id))?.version).toBe(1);
		expect((await put(country)).status).toBe(200);
	});

	test('refuses a stale If-Match, and accepts one of two concurrent changes', async () => {
		const country = await create('J');
		const put = (ifMatch: string, nameEn: string) =>
			call('PUT', `${path}/${country.id}`, {
				token: masterdata.officer,
				headers: { 'If-Match': ifMatch },
				body: { ...invented('J'), nameEn },
			});
		const stale = await put('"7"', 'Stale');
		expect(stale.status).toBe(412);
		expect(stale.data).toMatchObject({ code: 'PRECONDITION_FAILED', currentVersion: 1 });
		const both = await Promise.all([put('"1"', 'One'), put('"1"', 'Other')]);
		expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
		expect((await storedRow(country.id))?.version).toBe(2);
	});

	test('refuses If-None-Match: * because the country exists', async () => {
		const country = await create('Y');
		const { status, data } = await call('PUT', `${path}/${country.id}`, {
			token: masterdata.officer,
			headers: { 'If-None-Match': '*' },
			body: invented('Y', { nameEn: 'Overwritten' }),
		});
		expect([status, data.code]).toEqual([412, 'PRECONDITION_FAILED']);
		expect(await storedRow(country.id)).toMatchObject({ version: 1, nameEn: country.nameEn });
	});

	test('refuses the code of another country, and an unknown id', async () => {
		const country = await create('K');
		const taken = await call('PUT', `${path}/${country.id}`, {
			token: masterdata.officer,
			body: invented('K', { isoAlpha3: 'DEU' }),
		});
		expect([taken.status, taken.data.code]).toEqual([409, 'ISO_ALPHA3_TAKEN']);
		expect((await storedRow(country.id))?.isoAlpha3).toBe('XXK');
		const unknown = await call('PUT', `${path}/${randomUUID()}`, {
			token: masterdata.officer,
			body: invented('L'),
		});
		expect([unknown.status, unknown.data.code]).toEqual([404, 'NOT_FOUND']);
	});

	test('refuses to change the alpha-2 code of a country that states refer to', async () => {
		const austria = await byCode('AT');
		const { status, data } = await call('PUT', `${path}/${austria.id}`, {
			token: masterdata.officer,
			body: { ...austria, isoAlpha2: 'XM' },
		});
		expect([status, data.code]).toEqual([409, 'COUNTRY_IN_USE']);
		expect(await byCode('AT')).toEqual(austria);
	});
});
