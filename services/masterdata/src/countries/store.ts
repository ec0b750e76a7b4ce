import { searchLines } from '@paddock/database';
import type { MasterdataQueryable } from '../database-schema.ts';
import { crudTable } from '../errors.ts';
import { type Country, type CountryBody, countryQuery } from './schemas.ts';

export const countries = crudTable('countries', {
	noun: 'country',
	toRecord: ({ searchText, ...country }): Country => country,
	toRow: countryRow,
	query: countryQuery,
	defaultSort: ['sortOrder', 'nameEn'],
	alphabetical: ['nameEn', 'nameDe'],
	taken: {
		countries_iso_alpha2_key: 'ISO_ALPHA2_TAKEN',
		countries_iso_alpha3_key: 'ISO_ALPHA3_TAKEN',
		countries_iso_numeric_key: 'ISO_NUMERIC_TAKEN',
		countries_ioc_code_key: 'IOC_CODE_TAKEN',
	},
	inUse: 'COUNTRY_IN_USE',
	codeInUse: 'Other records refer to the country by the code, so it cannot change.',
});

export function countryRow(body: CountryBody) {
	const { nameEn, nameDe, isoAlpha2, isoAlpha3, isoNumeric, iocCode } = body;
	return { ...body, searchText: searchLines(nameEn, nameDe, isoAlpha2, isoAlpha3, isoNumeric, iocCode) };
}

/** By any of its four codes, in capitals. BRN is Brunei (ISO 3166-1 alpha-3), not Bahrain (IOC). @throws ApiError NOT_FOUND */
export async function getCountryByCode(db: MasterdataQueryable, code: string): Promise<Country> {
	const row = await db
		.selectFrom('countries')
		.select('id')
		.where((eb) =>
			eb.or([
				eb('isoAlpha2', '=', code),
				eb('isoAlpha3', '=', code),
				eb('isoNumeric', '=', code),
				eb('iocCode', '=', code),
			]),
		)
		.orderBy((eb) => eb('isoAlpha3', '=', code), 'desc')
		.limit(1)
		.executeTakeFirst();
	if (row === undefined) throw countries.notFound();
	return countries.get(db, row);
}
