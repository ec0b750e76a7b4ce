import { expect } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Country } from '../src/countries/schemas.ts';
import { inventedCountry } from './invented-country.ts';
import type { RunningMasterdata } from './running-masterdata.ts';

export const path = '/api/masterdata/countries';

export type CountryRecords = ReturnType<typeof countryRecords>;

/** The countries of a running service. */
export function countryRecords({ call, officer, db }: RunningMasterdata) {
	return {
		create: async (letter: string, changes: Partial<Country> = {}): Promise<Country> => {
			const body = inventedCountry(letter, changes);
			const { status, data } = await call<Country>('POST', path, { token: officer, body });
			expect(status).toBe(201);
			return data;
		},
		byCode: async (code: string) => (await call<Country>('GET', `${path}/by-code/${code}`)).data,
		listed: async (query: string) => (await call<Page<Country>>('GET', `${path}${query}`)).data.items,
		storedRow: (id: string) => db.selectFrom('countries').selectAll().where('id', '=', id).executeTakeFirst(),
	};
}
