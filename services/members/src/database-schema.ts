import type { ComputedColumn, JsonColumn, NarrowedSchema, Queryable } from '@paddock/database';
import type { Insertable, Selectable } from 'kysely';
import type { DB } from './database-schema.generated.ts';
import type { Club } from './schemas/club.ts';
import type { EmergencyContact, Guardian } from './schemas/contact.ts';
import type { Member } from './schemas/member.ts';

/** The state as it was last set, whatever clock and deletion make of it; see `currentState`. */
export type StoredStatus = Exclude<Member['status'], 'INACTIVE'>;

interface StoredMember extends Pick<Member, 'gender' | 'membershipType'> {
	status: StoredStatus;
	/** When the day after the last day of a suspension begins in Vienna. */
	suspensionEndsAt: ComputedColumn<Date | null>;
	/** Without `memberId`, which is a column of its own. */
	guardian: JsonColumn<Omit<Guardian, 'memberId'>>;
	emergencyContact: JsonColumn<EmergencyContact>;
}

/** The tables of this context, as the migrations leave them. */
export type MembersSchema = NarrowedSchema<
	DB,
	{
		clubs: Pick<Club, 'status'>;
		members: StoredMember;
		/** The columns that search reads: so few bytes that the many hits of a common word are read in time. */
		memberSearch: Pick<StoredMember, 'membershipType' | 'status'>;
	}
>;

export type MembersQueryable = Queryable<MembersSchema>;

export type MemberRow = Selectable<MembersSchema['members']>;
export type NewMemberRow = Insertable<MembersSchema['members']>;
export type NewMemberSearchRow = Insertable<MembersSchema['memberSearch']>;
