import { searchLines } from '@paddock/database';
import { crudTable } from '../errors.ts';
import { type Specimen, type SpecimenBody, specimenQuery } from './schemas.ts';

export const specimens = crudTable('specimens', {
	noun: 'specimen',
	toRecord: (row): Specimen => row,
	toRow: specimenRow,
	query: specimenQuery,
	defaultSort: ['name'],
	alphabetical: ['name', 'city'],
	taken: { specimens_name_key: 'SPECIMEN_NAME_TAKEN' },
});

export function specimenRow(body: SpecimenBody) {
	return { ...body, searchText: searchLines(body.name, body.city) };
}
