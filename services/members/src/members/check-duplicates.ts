import { advisoryLock } from '@paddock/database';
import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { nameKey } from './names.ts';
import { toMember } from './rows.ts';
import { rightsOver, type Viewer } from './rules.ts';
import type { WholeMember } from './schemas.ts';

export interface DuplicateSearch {
	readonly person: Person;
	readonly exceptId?: string;
	readonly viewer: Viewer;
	readonly confirmed: boolean;
	readonly now: Date;
}

/**
 * Resolves with whether a match exists that the caller may not see: the response must be the same either way, only the office learns
 * of it. @throws ApiError POSSIBLE_DUPLICATE with the `candidates` that the caller may see, unless confirmed.
 */
export async function checkDuplicates(
	db: MembersQueryable,
	{ person, exceptId, viewer, confirmed, now }: DuplicateSearch,
): Promise<boolean> {
	const found = await listNamesakes(db, person, exceptId, now);
	const visible = found.filter((candidate) => rightsOver(viewer, candidate) !== undefined);
	if (visible.length > 0 && !confirmed) {
		throw membersError('POSSIBLE_DUPLICATE', {
			context: {
				candidates: visible.map(({ id, membershipNumber, firstName, lastName, homeClubId }) => ({
					id,
					membershipNumber,
					firstName,
					lastName,
					homeClubId,
				})),
			},
		});
	}
	return visible.length < found.length;
}

/** The identifying data of a member; members of the same name and birth date are suspected duplicates. */
export type Person = Pick<WholeMember, 'firstName' | 'lastName' | 'dateOfBirth'>;

export function isSamePerson(one: Person, other: Person): boolean {
	return one.dateOfBirth === other.dateOfBirth && nameKey(one) === nameKey(other);
}

/** Deleted ones too. Locks name and birth date, so that the second of two concurrent requests finds the first. */
async function listNamesakes(
	db: MembersQueryable,
	person: Person,
	exceptId: string | undefined,
	now: Date,
): Promise<WholeMember[]> {
	const key = nameKey(person);
	await advisoryLock(db, `person ${person.dateOfBirth} ${key}`);
	let query = db
		.selectFrom('members')
		.selectAll()
		.where('dateOfBirth', '=', person.dateOfBirth)
		.where('nameKey', '=', key);
	if (exceptId !== undefined) query = query.where('id', '!=', exceptId);
	return (await query.orderBy('membershipNumber').execute()).map((row) => toMember(row, now));
}
