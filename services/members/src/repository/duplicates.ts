import type { MembersQueryable } from '../database-schema.ts';
import { failMembers } from '../errors.ts';
import { nameKey } from '../rules/member-names.ts';
import { rightsOver, type Viewer } from '../rules/member-rights.ts';
import type { MemberFields } from '../schemas/member.ts';
import { holdKey } from './hold-key.ts';
import { toMember } from './member-row.ts';

type Person = Pick<MemberFields, 'firstName' | 'lastName' | 'dateOfBirth'>;

export interface DuplicateQuestion {
	readonly person: Person;
	/** The record that is being changed. */
	readonly exceptId?: string;
	/** Who is told about the candidates; of others only the number is told. */
	readonly viewer: Viewer;
	readonly now: Date;
}

/**
 * Refuses a person whom somebody here may already be, deleted members included. Until the transaction ends nobody else
 * gets this name and birth date, so of two who come at the same moment the second is refused.
 * @throws ApiError POSSIBLE_DUPLICATE with `candidates` and the number of `otherCandidates`.
 */
export async function requireNoDuplicate(
	db: MembersQueryable,
	{ person, exceptId, viewer, now }: DuplicateQuestion,
): Promise<void> {
	const key = nameKey(person);
	await holdKey(db, `person ${person.dateOfBirth} ${key}`);
	let query = db
		.selectFrom('members')
		.selectAll()
		.where('date_of_birth', '=', person.dateOfBirth)
		.where('name_key', '=', key);
	if (exceptId !== undefined) query = query.where('id', '!=', exceptId);
	const found = (await query.orderBy('membership_number').execute()).map((row) => toMember(row, now));
	if (found.length === 0) return;
	const visible = found.filter((candidate) => rightsOver(viewer, candidate) !== undefined);
	throw failMembers('POSSIBLE_DUPLICATE', {
		context: {
			candidates: visible.map(({ id, membershipNumber, firstName, lastName, homeClubId }) => ({
				id,
				membershipNumber,
				firstName,
				lastName,
				homeClubId,
			})),
			otherCandidates: found.length - visible.length,
		},
	});
}

/** Whether two are the same person by what `requireNoDuplicate` looks at. */
export function isSamePerson(one: Person, other: Person): boolean {
	return one.dateOfBirth === other.dateOfBirth && nameKey(one) === nameKey(other);
}
