import { searchLines } from '@paddock/database';
import { crudTable } from '../errors.ts';
import { venues } from '../venues/store.ts';
import { type Arena, type ArenaBody, arenaQuery } from './schemas.ts';

export const arenas = crudTable('arenas', {
	noun: 'arena',
	toRecord: (row): Arena => row,
	toRow: arenaRow,
	query: arenaQuery,
	defaultSort: ['name'],
	alphabetical: ['name'],
	parent: { column: 'venueId', foreignKey: 'arenas_venue_id_fkey', table: venues },
	taken: { arenas_venue_id_name_key: 'ARENA_NAME_TAKEN' },
	inUse: 'ARENA_IN_USE',
});

/** Returns the row for a body from a client or the demo data. */
export function arenaRow(body: ArenaBody) {
	return { ...body, searchText: searchLines(body.name) };
}
