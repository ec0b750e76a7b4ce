import type { ComputedColumn, JsonColumn, NarrowedSchema, Queryable } from '@paddock/database';
import type { Insertable, Selectable } from 'kysely';
import type { Club } from './clubs/schemas.ts';
import type { EmergencyContact, Guardian } from './contact-schemas.ts';
import type { DB } from './database-schema.generated.ts';
import type { ConsentEvent } from './members/consents.ts';
import type { Member } from './members/schemas.ts';

/** The state as last set, before deletion and the end of a suspension are applied; see `currentState`. */
type StoredStatus = Exclude<Member['status'], 'INACTIVE'>;

interface StoredMember extends Pick<Member, 'gender' | 'membershipType'> {
	status: StoredStatus;
	/** Start of the day after the last day of a suspension, in Vienna. */
	suspensionEndsAt: ComputedColumn<Date | null>;
	/** Without `memberId`, which has its own column. */
	guardian: JsonColumn<StoredContact<Omit<Guardian, 'memberId'>>>;
	emergencyContact: JsonColumn<StoredContact<EmergencyContact>>;
}

/** Under the former name of the phone number: instances of the version before read it. */
export type StoredContact<Contact extends { phoneNumber: string | null }> = Omit<Contact, 'phoneNumber'> & {
	phone: Contact['phoneNumber'];
};

export type MembersSchema = NarrowedSchema<
	DB,
	{
		clubs: Pick<Club, 'status'>;
		consentEvents: Pick<ConsentEvent, 'consent' | 'actingAs'>;
		members: StoredMember;
		/** Only the columns that search reads: narrow rows keep searches for common words fast. */
		memberSearch: Pick<StoredMember, 'membershipType' | 'status'>;
	}
>;

export type MembersQueryable = Queryable<MembersSchema>;

export type MemberRow = Selectable<MembersSchema['members']>;
export type NewMemberRow = Insertable<MembersSchema['members']>;
export type NewMemberSearchRow = Insertable<MembersSchema['memberSearch']>;
