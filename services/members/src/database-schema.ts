import type { IdempotencyTables, Queryable } from '@paddock/database';
import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { EmergencyContact, Guardian } from './schemas/contact.ts';
import type { Gender, MembershipType } from './schemas/member.ts';

interface ClubsTable {
	id: Generated<string>;
	club_number: string;
	name: string;
	short_name: string | null;
	state_code: string | null;
	street: string | null;
	postal_code: string | null;
	/** Null = no address. */
	city: string | null;
	country_code: string | null;
	email: string | null;
	website: string | null;
	status: 'ACTIVE' | 'INACTIVE';
	is_demo: Generated<boolean>;
	/** See `searchLines`. */
	search_text: string;
	version: Generated<number>;
}

/** JSON that keeps the order of its keys. */
type Json<T> = ColumnType<T | null, string | null, string | null>;

interface MembersTable {
	id: Generated<string>;
	membership_number: string;
	federation_number: string | null;
	fei_id: string | null;
	title: string | null;
	first_name: string;
	last_name: string;
	/** `YYYY-MM-DD` */
	date_of_birth: string;
	gender: Gender;
	nationality: string;
	street: string | null;
	postal_code: string | null;
	/** Null = no address. */
	city: string | null;
	/** Of the address. */
	state_code: string | null;
	country_code: string | null;
	email: string | null;
	phone: string | null;
	home_club_id: string | null;
	membership_type: MembershipType;
	/** As it was last set, whatever clock and deletion make of it; see `currentState`. */
	status: StoredStatus;
	status_reason: string | null;
	/** The last day of a suspension. */
	suspended_until: string | null;
	/** Made by the database: when the day after begins in Vienna. */
	suspension_ends_at: ColumnType<Date | null, never, never>;
	join_date: string;
	fee_paid_for_year: number | null;
	/** Without `memberId`, which is a column of its own. */
	guardian: Json<Omit<Guardian, 'memberId'>>;
	guardian_member_id: string | null;
	emergency_contact: Json<EmergencyContact>;
	publish_results_given: boolean;
	publish_results_at: Date | null;
	newsletter_given: boolean;
	newsletter_at: Date | null;
	notes: string | null;
	duplicate_suspected: Generated<boolean>;
	created_at: Date;
	updated_at: Date;
	deleted_at: Date | null;
	/** See `nameKey`. */
	name_key: string;
	/** See `sortName`. */
	sort_name: string;
	is_demo: Generated<boolean>;
	version: Generated<number>;
}

export type StoredStatus = 'PENDING' | 'ACTIVE' | 'SUSPENDED';

/** What search reads of a member: so few bytes that a common word's many hits are looked through in time. */
interface MemberSearchTable {
	/** The member's. */
	id: string;
	search_text: string;
	sort_name: string;
	status: StoredStatus;
	suspension_ends_at: Date | null;
	deleted_at: Date | null;
	membership_type: MembershipType;
	home_club_id: string | null;
}

interface SeedMarksTable {
	name: string;
	applied_at: Generated<Date>;
}

/** The tables of this context, as the migrations leave them. */
export interface MembersSchema extends IdempotencyTables {
	clubs: ClubsTable;
	members: MembersTable;
	member_search: MemberSearchTable;
	seed_marks: SeedMarksTable;
}

export type MembersQueryable = Queryable<MembersSchema>;

export type ClubRow = Selectable<ClubsTable>;
export type NewClubRow = Insertable<ClubsTable>;
export type MemberRow = Selectable<MembersTable>;
export type NewMemberRow = Insertable<MembersTable>;
export type NewMemberSearchRow = Insertable<MemberSearchTable>;
