import { searchLines } from '@paddock/database';
import { crudTable, invalidReference, unknownCountry } from '../errors.ts';
import { type State, type StateBody, stateQuery } from './schemas.ts';

export const states = crudTable('states', {
	noun: 'state',
	toRecord: (row): State => row,
	toRow: stateRow,
	query: stateQuery,
	defaultSort: ['countryCode', 'name'],
	alphabetical: ['name'],
	taken: {
		states_iso3166_2_key: 'STATE_CODE_TAKEN',
		// The same column leads both constraints, and PostgreSQL may check either one first.
		states_iso3166_2_country_code_key: 'STATE_CODE_TAKEN',
		states_federation_code_key: 'FEDERATION_CODE_TAKEN',
	},
	refusals: { states_country_code_fkey: invalidReference(unknownCountry) },
	inUse: 'STATE_IN_USE',
	codeInUse: 'Other records refer to the state by the code, so it cannot change.',
});

export function stateRow(body: StateBody) {
	const { name, abbreviation, iso3166_2, federationCode } = body;
	return { ...body, searchText: searchLines(name, abbreviation, iso3166_2, federationCode) };
}
