import { refuseInvalid } from '@paddock/contract';
import { searchLines } from '@paddock/database';
import type { MasterdataQueryable } from '../database-schema.ts';
import { crudTable, invalidReference, unknownCountry, unknownState } from '../errors.ts';
import { type Venue, type VenueBody, venueQuery } from './schemas.ts';

export const venues = crudTable('venues', {
	noun: 'venue',
	toRecord: ({ street, postalCode, city, searchText, isDemo, ...venue }): Venue => ({
		...venue,
		address: city === null ? null : { street, postalCode, city },
	}),
	toRow: venueRow,
	query: venueQuery,
	defaultSort: ['name'],
	alphabetical: ['name', 'city'],
	refusals: {
		venues_country_code_fkey: invalidReference(unknownCountry),
		venues_state_code_fkey: invalidReference(unknownState),
	},
	inUse: 'VENUE_IN_USE',
	beforeWrite: requireReferences,
});

export function venueRow({ address, ...body }: VenueBody) {
	return {
		...body,
		street: address?.street ?? null,
		postalCode: address?.postalCode ?? null,
		city: address?.city ?? null,
		searchText: searchLines(body.name, address?.city ?? null),
	};
}

/** One query checks both, so that both are reported; the foreign keys cover the time until the row is written. */
async function requireReferences(
	db: MasterdataQueryable,
	{ countryCode, stateCode }: Pick<VenueBody, 'countryCode' | 'stateCode'>,
): Promise<void> {
	const { isCountryKnown, isStateKnown } = await db
		.selectNoFrom((eb) => [
			eb
				.exists(eb.selectFrom('countries').select('id').where('isoAlpha2', '=', countryCode))
				.as('isCountryKnown'),
			eb
				.exists(
					eb
						.selectFrom('states')
						.select('id')
						.where('iso3166_2', '=', stateCode)
						.where('countryCode', '=', countryCode),
				)
				.as('isStateKnown'),
		])
		.executeTakeFirstOrThrow();
	const errors = [
		...(isCountryKnown ? [] : [unknownCountry]),
		...(stateCode === null || isStateKnown ? [] : [unknownState]),
	];
	refuseInvalid(errors);
}
