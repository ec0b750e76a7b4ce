import { type ApiError, apiError, errorTable, type FieldError } from '@paddock/contract';
import { crudTablesWith } from '@paddock/crud';
import type { MasterdataSchema } from './database-schema.ts';

const masterdataErrors = errorTable({
	409: {
		ISO_ALPHA2_TAKEN: 'Another country has this ISO alpha-2 code.',
		ISO_ALPHA3_TAKEN: 'Another country has this ISO alpha-3 code.',
		ISO_NUMERIC_TAKEN: 'Another country has this ISO numeric code.',
		IOC_CODE_TAKEN: 'Another country has this IOC code.',
		COUNTRY_IN_USE: 'The country is in use. Set isActive to false to take it out of use.',
		STATE_CODE_TAKEN: 'Another state has this ISO 3166-2 code.',
		FEDERATION_CODE_TAKEN: 'Another state has this federation code.',
		STATE_IN_USE: 'The state is in use. Set isActive to false to take it out of use.',
		AGE_CLASS_TAKEN:
			'This code has a definition in the same ruleset, category and discipline for some of these days.',
		AGE_CLASS_IN_USE: 'Competitions are open to the age class. Set validTo to end it.',
		VENUE_IN_USE: 'Events take place at the venue. Set isActive to false to take it out of use.',
		ARENA_IN_USE: 'Competitions take place in the arena. Set isActive to false to take it out of use.',
		ARENA_NAME_TAKEN: 'Another arena of the venue has this name.',
	},
});

export const crudTable = crudTablesWith<MasterdataSchema>()(masterdataErrors);

export const unknownCountry: FieldError = {
	field: 'countryCode',
	code: 'INVALID_REFERENCE',
	message: 'must be the alpha-2 code of a country in the master data',
};

export const unknownState: FieldError = {
	field: 'stateCode',
	code: 'INVALID_REFERENCE',
	message: 'must be the ISO 3166-2 code of a state of that country in the master data',
};

export function invalidReference(error: FieldError): (cause: unknown) => ApiError {
	return (cause) => apiError('VALIDATION_ERROR', { errors: [error], cause });
}
