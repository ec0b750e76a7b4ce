import { searchLines } from '@paddock/database';
import type { MembersQueryable } from '../database-schema.ts';
import { crudTable } from '../errors.ts';
import { addressColumns, toAddress } from '../members/rows.ts';
import { type Club, type ClubBody, clubQuery } from './schemas.ts';

export const clubs = crudTable('clubs', {
	noun: 'club',
	toRecord: ({ street, postalCode, city, countryCode, searchText, isDemo, ...club }): Club => ({
		...club,
		address: toAddress({ street, postalCode, city, countryCode }),
	}),
	toRow: clubRow,
	query: clubQuery,
	defaultSort: ['name'],
	alphabetical: ['name'],
	taken: { clubs_club_number_key: 'CLUB_NUMBER_TAKEN' },
	inUse: 'CLUB_IN_USE',
});

export function clubRow({ address, ...body }: ClubBody) {
	return {
		...body,
		...addressColumns(address),
		searchText: searchLines(body.name, body.shortName, body.clubNumber),
	};
}

export async function isActiveClub(db: MembersQueryable, id: string): Promise<boolean> {
	return (await clubs.find(db, { id }))?.status === 'ACTIVE';
}

/** Locks the club against changes until the transaction ends; other transactions may share the lock. */
export async function holdActiveClub(
	db: MembersQueryable,
	id: string,
): Promise<Pick<Club, 'clubNumber'> | undefined> {
	const active = db
		.selectFrom('clubs')
		.select('clubNumber')
		.where('id', '=', id)
		.where('status', '=', 'ACTIVE');
	return active.forShare().executeTakeFirst();
}
