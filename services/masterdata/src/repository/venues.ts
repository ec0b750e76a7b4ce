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
import type { MasterdataQueryable, NewVenueRow, VenueRow } from '../database-schema.ts';
import type { Venue, VenueBody, VenueQuery } from '../schemas/venue.ts';
import { unknownCountry, unknownState, withKnownReferences } from './references.ts';

type SortField = NonNullable<VenueQuery['sort']>[number]['field'];

const ordering: Ordering<SortField> = {
	name: alphabetical('name'),
	city: alphabetical('city'),
	countryCode: sql.ref('country_code'),
	stateCode: sql.ref('state_code'),
	stableBoxes: sql.ref('stable_boxes'),
};
const defaultSort = [{ field: 'name', descending: false }] as const;

/** Without `sort`: hits at the beginning of name or city before others, then by name. */
export async function listVenues(db: MasterdataQueryable, query: VenueQuery): Promise<Page<Venue>> {
	let select = db.selectFrom('venues').selectAll();
	if (query.countryCode !== undefined) select = select.where('country_code', '=', query.countryCode);
	if (query.stateCode !== undefined) select = select.where('state_code', '=', query.stateCode);
	if (query.isActive !== undefined) select = select.where('is_active', '=', query.isActive);
	if (query.q !== undefined) {
		const { prefix, infix } = searchPatterns(query.q);
		select = select.where(sql<boolean>`search_text like any (${infix})`);
		if (query.sort === undefined) select = select.orderBy(sql`search_text like any (${prefix})`, 'desc');
	}
	const ordered = sorted(select, query.sort ?? defaultSort, ordering).orderBy('id');
	return listPage(ordered, pageRequest(query), toVenue);
}

/** @throws ApiError NOT_FOUND */
export async function getVenue(db: MasterdataQueryable, id: string): Promise<Venue> {
	const row = await db.selectFrom('venues').selectAll().where('id', '=', id).executeTakeFirst();
	return toVenue(orNotFound(row));
}

/**
 * Holds the row until the end of the transaction. Not against those who only ask whether it is there: whoever deletes its
 * state does, and a change of the venue may be waiting for that state in turn. @throws ApiError NOT_FOUND
 */
export async function lockVenue(db: MasterdataQueryable, id: string): Promise<Venue> {
	const venue = db.selectFrom('venues').selectAll().where('id', '=', id);
	const row = await venue.forNoKeyUpdate().executeTakeFirst();
	return toVenue(orNotFound(row));
}

/**
 * Country and state must be kept here, the state in that country; both are asked for at once so that both are reported.
 * The foreign keys hold the same against whatever happens until the row is written.
 * @throws ApiError VALIDATION_ERROR
 */
export async function requireReferences(
	db: MasterdataQueryable,
	{ countryCode, stateCode }: Pick<VenueBody, 'countryCode' | 'stateCode'>,
): Promise<void> {
	const { country_known, state_known } = await db
		.selectNoFrom((eb) => [
			eb
				.exists(eb.selectFrom('countries').select('id').where('iso_alpha2', '=', countryCode))
				.as('country_known'),
			eb
				.exists(
					eb
						.selectFrom('states')
						.select('id')
						.where('iso3166_2', '=', stateCode)
						.where('country_code', '=', countryCode),
				)
				.as('state_known'),
		])
		.executeTakeFirstOrThrow();
	const errors = [
		...(country_known ? [] : [unknownCountry]),
		...(stateCode === null || state_known ? [] : [unknownState]),
	];
	if (errors.length > 0) throw fail('VALIDATION_ERROR', { errors });
}

/** @throws ApiError VALIDATION_ERROR when country or state are unknown. */
export async function insertVenue(db: MasterdataQueryable, body: VenueBody): Promise<Venue> {
	const insert = db.insertInto('venues').values(venueRow(body)).returningAll();
	return toVenue(await withKnownPlace(insert.executeTakeFirstOrThrow()));
}

/** @throws ApiError VALIDATION_ERROR when country or state are unknown. */
export async function updateVenue(db: MasterdataQueryable, id: string, body: VenueBody): Promise<Venue> {
	const update = db
		.updateTable('venues')
		.set({ ...venueRow(body), version: sql`version + 1` })
		.where('id', '=', id)
		.returningAll();
	return toVenue(await withKnownPlace(update.executeTakeFirstOrThrow()));
}

/** With its arenas. */
export async function deleteVenue(db: MasterdataQueryable, id: string): Promise<void> {
	await db.deleteFrom('venues').where('id', '=', id).execute();
}

function withKnownPlace<Result>(write: Promise<Result>): Promise<Result> {
	return withKnownReferences(write, {
		venues_country_code_fkey: unknownCountry,
		venues_state_code_fkey: unknownState,
	});
}

/** The row of what a client or the demo writes. */
export function venueRow(body: VenueBody): NewVenueRow {
	return {
		name: body.name,
		street: body.address?.street ?? null,
		postal_code: body.address?.postalCode ?? null,
		city: body.address?.city ?? null,
		country_code: body.countryCode,
		state_code: body.stateCode,
		latitude: body.latitude,
		longitude: body.longitude,
		time_zone: body.timeZone,
		website: body.website,
		stable_boxes: body.stableBoxes,
		is_active: body.isActive,
		search_text: searchLines(body.name, body.address?.city ?? null),
	};
}

function toVenue(row: VenueRow): Venue {
	return {
		id: row.id,
		name: row.name,
		address: row.city === null ? null : { street: row.street, postalCode: row.postal_code, city: row.city },
		countryCode: row.country_code,
		stateCode: row.state_code,
		latitude: row.latitude,
		longitude: row.longitude,
		timeZone: row.time_zone,
		website: row.website,
		stableBoxes: row.stable_boxes,
		isActive: row.is_active,
		version: row.version,
	};
}

function orNotFound(row: VenueRow | undefined): VenueRow {
	if (row === undefined) throw fail('NOT_FOUND', { message: 'There is no such venue.' });
	return row;
}
