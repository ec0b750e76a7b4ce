import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Country } from '../src/countries/schemas.ts';
import { type CountryRecords, countryRecords, path } from './country-records.ts';
import { useMasterdata } from './running-masterdata.ts';

const masterdata = useMasterdata();
const { call } = masterdata;
let create: CountryRecords['create'];
let byCode: CountryRecords['byCode'];
let storedRow: CountryRecords['storedRow'];

beforeAll(() => {
	({ create, byCode, storedRow } = countryRecords(masterdata));
});

describe('DELETE /countries/{id}', () => {
	test('removes an unreferenced record and returns it', async () => {
		const country = await create('N');
		const { status, data } = await call<Country>('DELETE', `${path}/${country.id}`, {
			token: masterdata.officer,
		});
		expect(status).toBe(200);
		expect(data).toEqual(country);
		expect(await storedRow(country.id)).toBeUndefined();
		expect((await call('DELETE', `${path}/${country.id}`, { token: masterdata.officer })).status).toBe(404);
	});

	test('refuses a country with states', async () => {
		const austria = await byCode('AT');
		const { status, data } = await call('DELETE', `${path}/${austria.id}`, { token: masterdata.officer });
		expect([status, data.code]).toEqual([409, 'COUNTRY_IN_USE']);
		expect(await byCode('AT')).toEqual(austria);
	});

	test('refuses a country with a venue', async () => {
		const country = await create('O');
		const venue = await call<{ id: string }>('POST', '/api/masterdata/venues', {
			token: masterdata.officer,
			body: { name: 'Hippodrome', countryCode: 'XO' },
		});
		expect(venue.status).toBe(201);
		const refused = await call('DELETE', `${path}/${country.id}`, { token: masterdata.officer });
		expect([refused.status, refused.data.code]).toEqual([409, 'COUNTRY_IN_USE']);
		await call('DELETE', `/api/masterdata/venues/${venue.data.id}`, { token: masterdata.officer });
		expect((await call('DELETE', `${path}/${country.id}`, { token: masterdata.officer })).status).toBe(200);
	});

	test('never leaves a venue behind that is added at the same moment', async () => {
		for (let round = 0; round < 10; round++) {
			const country = await create('P');
			const [deleted, added] = await Promise.all([
				call('DELETE', `${path}/${country.id}`, { token: masterdata.officer }),
				call<{ id: string }>('POST', '/api/masterdata/venues', {
					token: masterdata.officer,
					body: { name: 'Hippodrome', countryCode: 'XP' },
				}),
			]);
			expect([
				[200, 400],
				[409, 201],
			]).toContainEqual([deleted.status, added.status]);
			if (added.status === 201)
				await call('DELETE', `/api/masterdata/venues/${added.data.id}`, { token: masterdata.officer });
			await masterdata.db.deleteFrom('countries').where('id', '=', country.id).execute();
		}
	});

	test('honours If-Match', async () => {
		const country = await create('Q');
		const stale = await call('DELETE', `${path}/${country.id}`, {
			token: masterdata.officer,
			headers: { 'If-Match': '"2"' },
		});
		expect(stale.status).toBe(412);
		expect(await storedRow(country.id)).toBeDefined();
	});
});
