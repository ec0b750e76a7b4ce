import type { Queryable } from '@paddock/database';
import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { EmergencyContact, Guardian } from './schemas/contact.ts';
import type { Gender, MembershipType } from './schemas/member.ts';

interface ClubsTable {
	id: Generated<string>;
	clubNumber: string;
	name: string;
	shortName: string | null;
	stateCode: string | null;
	street: string | null;
	postalCode: string | null;
	/** Null = no address. */
	city: string | null;
	countryCode: string | null;
	email: string | null;
	website: string | null;
	status: 'ACTIVE' | 'INACTIVE';
	isDemo: Generated<boolean>;
	/** See `searchLines`. */
	searchText: string;
	version: Generated<number>;
}

/** JSON that keeps the order of its keys. */
type Json<T> = ColumnType<T | null, string | null, string | null>;

interface MembersTable {
	id: Generated<string>;
	membershipNumber: string;
	federationNumber: string | null;
	feiId: string | null;
	title: string | null;
	firstName: string;
	lastName: string;
	/** `YYYY-MM-DD` */
	dateOfBirth: string;
	gender: Gender;
	nationality: string;
	street: string | null;
	postalCode: string | null;
	/** Null = no address. */
	city: string | null;
	/** Of the address. */
	stateCode: string | null;
	countryCode: string | null;
	email: string | null;
	phone: string | null;
	homeClubId: string | null;
	membershipType: MembershipType;
	/** As it was last set, whatever clock and deletion make of it; see `currentState`. */
	status: StoredStatus;
	statusReason: string | null;
	/** The last day of a suspension. */
	suspendedUntil: string | null;
	/** Made by the database: when the day after begins in Vienna. */
	suspensionEndsAt: ColumnType<Date | null, never, never>;
	joinDate: string;
	feePaidForYear: number | null;
	/** Without `memberId`, which is a column of its own. */
	guardian: Json<Omit<Guardian, 'memberId'>>;
	guardianMemberId: string | null;
	emergencyContact: Json<EmergencyContact>;
	publishResultsGiven: boolean;
	publishResultsAt: Date | null;
	newsletterGiven: boolean;
	newsletterAt: Date | null;
	notes: string | null;
	duplicateSuspected: Generated<boolean>;
	createdAt: Date;
	updatedAt: Date;
	deletedAt: Date | null;
	/** See `nameKey`. */
	nameKey: string;
	/** See `sortName`. */
	sortName: string;
	isDemo: Generated<boolean>;
	version: Generated<number>;
}

export type StoredStatus = 'PENDING' | 'ACTIVE' | 'SUSPENDED';

/** What search reads of a member: so few bytes that a common word's many hits are looked through in time. */
interface MemberSearchTable {
	/** The member's. */
	id: string;
	searchText: string;
	sortName: string;
	status: StoredStatus;
	suspensionEndsAt: Date | null;
	deletedAt: Date | null;
	membershipType: MembershipType;
	homeClubId: string | null;
}

interface SeedMarksTable {
	name: string;
	appliedAt: Generated<Date>;
}

/** The tables of this context, as the migrations leave them. */
export interface MembersSchema {
	idempotencyKeys: unknown;
	clubs: ClubsTable;
	members: MembersTable;
	memberSearch: MemberSearchTable;
	seedMarks: SeedMarksTable;
}

export type MembersQueryable = Queryable<MembersSchema>;

export type MemberRow = Selectable<MembersTable>;
export type NewMemberRow = Insertable<MembersTable>;
export type NewMemberSearchRow = Insertable<MemberSearchTable>;
