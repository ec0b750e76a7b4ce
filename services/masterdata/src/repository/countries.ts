import { fail, type Page } from '@paddock/contract';
import {
	alphabetical,
	listPage,
	type Ordering,
	searchLines,
	searchPatterns,
	sorted,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { CountryRow, MasterdataQueryable, NewCountryRow } from '../database-schema.ts';
import type { Country, CountryBody, CountryQuery } from '../schemas/country.ts';
import { orInUse, orTaken } from './refusals.ts';

type SortField = NonNullable<CountryQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	sortOrder: sql.ref('sort_order'),
	nameEn: alphabetical('name_en'),
	nameDe: alphabetical('name_de'),
	isoAlpha2: sql.ref('iso_alpha2'),
	isoAlpha3: sql.ref('iso_alpha3'),
	isoNumeric: sql.ref('iso_numeric'),
	iocCode: sql.ref('ioc_code'),
};
const defaultSort = [
	{ field: 'sortOrder', descending: false },
	{ field: 'nameEn', descending: false },
] as const;
const takenCodes = {
	countries_iso_alpha2_key: 'ISO_ALPHA2_TAKEN',
	countries_iso_alpha3_key: 'ISO_ALPHA3_TAKEN',
	countries_iso_numeric_key: 'ISO_NUMERIC_TAKEN',
	countries_ioc_code_key: 'IOC_CODE_TAKEN',
} as const;

/** Without `sort`: hits at the beginning of a name before others, then by sortOrder and English name. */
export async function listCountries(db: MasterdataQueryable, query: CountryQuery): Promise<Page<Country>> {
	let select = db.selectFrom('countries').selectAll();
	if (query.isActive !== undefined) select = select.where('is_active', '=', query.isActive);
	if (query.isEuMember !== undefined) select = select.where('is_eu_member', '=', query.isEuMember);
	if (query.isEeaMember !== undefined) select = select.where('is_eea_member', '=', query.isEeaMember);
	if (query.q !== undefined) {
		const { prefix, infix } = searchPatterns(query.q);
		select = select.where(sql<boolean>`search_text like any (${infix})`);
		if (query.sort === undefined) select = select.orderBy(sql`search_text like any (${prefix})`, 'desc');
	}
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	return listPage(ordered, pageRequest(query), toCountry);
}

/** @throws ApiError NOT_FOUND */
export async function getCountry(db: MasterdataQueryable, id: string): Promise<Country> {
	const row = await db.selectFrom('countries').selectAll().where('id', '=', id).executeTakeFirst();
	return toCountry(orNotFound(row));
}

/**
 * By any of the four codes, in capitals. The only letters that two systems give to two countries are resolved in favour
 * of ISO: BRN is Brunei (ISO 3166-1 alpha-3), not Bahrain (IOC).
 * @throws ApiError NOT_FOUND
 */
export async function getCountryByCode(db: MasterdataQueryable, code: string): Promise<Country> {
	const row = await db
		.selectFrom('countries')
		.selectAll()
		.where((eb) =>
			eb.or([
				eb('iso_alpha2', '=', code),
				eb('iso_alpha3', '=', code),
				eb('iso_numeric', '=', code),
				eb('ioc_code', '=', code),
			]),
		)
		.orderBy((eb) => eb('iso_alpha3', '=', code), 'desc')
		.limit(1)
		.executeTakeFirst();
	return toCountry(orNotFound(row));
}

/** Holds the row until the end of the transaction. @throws ApiError NOT_FOUND */
export async function lockCountry(db: MasterdataQueryable, id: string): Promise<Country> {
	const row = await db
		.selectFrom('countries')
		.selectAll()
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
	return toCountry(orNotFound(row));
}

/** @throws ApiError ISO_ALPHA2_TAKEN, ISO_ALPHA3_TAKEN, ISO_NUMERIC_TAKEN, IOC_CODE_TAKEN */
export async function insertCountry(db: MasterdataQueryable, body: CountryBody): Promise<Country> {
	const insert = db.insertInto('countries').values(countryRow(body)).returningAll();
	return toCountry(await orTaken(insert.executeTakeFirstOrThrow(), takenCodes));
}

/** @throws ApiError as insertCountry; COUNTRY_IN_USE when the alpha-2 code changes that others refer to. */
export async function updateCountry(
	db: MasterdataQueryable,
	id: string,
	body: CountryBody,
): Promise<Country> {
	const update = db
		.updateTable('countries')
		.set({ ...countryRow(body), version: sql`version + 1` })
		.where('id', '=', id)
		.returningAll();
	const written = orInUse(
		update.executeTakeFirstOrThrow(),
		'COUNTRY_IN_USE',
		'States or venues refer to the alpha-2 code of the country, so it cannot change.',
	);
	return toCountry(await orTaken(written, takenCodes));
}

/** @throws ApiError COUNTRY_IN_USE */
export async function deleteCountry(db: MasterdataQueryable, id: string): Promise<void> {
	await orInUse(db.deleteFrom('countries').where('id', '=', id).execute(), 'COUNTRY_IN_USE');
}

/** The row of what a client or the seed writes. */
export function countryRow(body: CountryBody): NewCountryRow {
	return {
		iso_alpha2: body.isoAlpha2,
		iso_alpha3: body.isoAlpha3,
		iso_numeric: body.isoNumeric,
		ioc_code: body.iocCode,
		name_en: body.nameEn,
		name_de: body.nameDe,
		is_eu_member: body.isEuMember,
		is_eea_member: body.isEeaMember,
		is_active: body.isActive,
		sort_order: body.sortOrder,
		search_text: searchLines(
			body.nameEn,
			body.nameDe,
			body.isoAlpha2,
			body.isoAlpha3,
			body.isoNumeric,
			body.iocCode,
		),
	};
}

function toCountry(row: CountryRow): Country {
	return {
		id: row.id,
		isoAlpha2: row.iso_alpha2,
		isoAlpha3: row.iso_alpha3,
		isoNumeric: row.iso_numeric,
		iocCode: row.ioc_code,
		nameEn: row.name_en,
		nameDe: row.name_de,
		isEuMember: row.is_eu_member,
		isEeaMember: row.is_eea_member,
		isActive: row.is_active,
		sortOrder: row.sort_order,
		version: row.version,
	};
}

function orNotFound(row: CountryRow | undefined): CountryRow {
	if (row === undefined) throw fail('NOT_FOUND', { message: 'There is no such country.' });
	return row;
}
