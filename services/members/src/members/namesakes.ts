import { advisoryLock } from '@paddock/database';
import type { MembersQueryable } from '../database-schema.ts';
import { nameKey } from './names.ts';
import { toMember } from './rows.ts';
import type { WholeMember } from './schemas.ts';

/** The identifying data of a member; members of the same name and birth date are suspected duplicates. */
export type Person = Pick<WholeMember, 'firstName' | 'lastName' | 'dateOfBirth'>;

/** Whether two records are the same person by name and birth date. */
export function isSamePerson(one: Person, other: Person): boolean {
	return one.dateOfBirth === other.dateOfBirth && nameKey(one) === nameKey(other);
}

/**
 * Members of the same name and birth date, deleted ones included. Locks name and birth date until the transaction ends,
 * so that the second of two concurrent requests finds the first.
 */
export async function listNamesakes(
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
