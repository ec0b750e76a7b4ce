import type { MemberRow, NewMemberRow } from '../database-schema.ts';
import { nameKey, sortName } from '../rules/member-names.ts';
import { currentState } from '../rules/member-state.ts';
import type { MemberFields, WholeMember } from '../schemas/member.ts';
import { addressColumns, toAddress } from './address-columns.ts';

type FieldColumns = Omit<
	NewMemberRow,
	| 'id'
	| 'status'
	| 'status_reason'
	| 'suspended_until'
	| 'duplicate_suspected'
	| 'created_at'
	| 'updated_at'
	| 'deleted_at'
	| 'version'
>;

/** The columns of what can be written of a member. */
export function memberColumns(fields: MemberFields): FieldColumns {
	return {
		membership_number: fields.membershipNumber,
		federation_number: fields.federationNumber,
		fei_id: fields.feiId,
		title: fields.title,
		first_name: fields.firstName,
		last_name: fields.lastName,
		date_of_birth: fields.dateOfBirth,
		gender: fields.gender,
		nationality: fields.nationality,
		...addressColumns(fields.address),
		state_code: fields.address?.stateCode ?? null,
		email: fields.email,
		phone: fields.phone,
		home_club_id: fields.homeClubId,
		membership_type: fields.membershipType,
		join_date: fields.joinDate,
		fee_paid_for_year: fields.feePaidForYear,
		...guardianColumns(fields.guardian),
		emergency_contact: json(fields.emergencyContact),
		publish_results_given: fields.consents.publishResults.given,
		publish_results_at: dateOf(fields.consents.publishResults.at),
		newsletter_given: fields.consents.newsletter.given,
		newsletter_at: dateOf(fields.consents.newsletter.at),
		notes: fields.notes,
		name_key: nameKey(fields),
		sort_name: sortName(fields),
	};
}

function guardianColumns(guardian: MemberFields['guardian']) {
	if (guardian === null) return { guardian: null, guardian_member_id: null };
	const { memberId, ...contact } = guardian;
	return { guardian: json(contact), guardian_member_id: memberId };
}

function json(value: object | null): string | null {
	return value === null ? null : JSON.stringify(value);
}

function dateOf(instant: string | null): Date | null {
	return instant === null ? null : new Date(instant);
}

/** The member as it is at that instant, see `currentState`. */
export function toMember(row: MemberRow, now: Date): WholeMember {
	const { status, statusReason, suspendedUntil, updatedAt, version } = currentState(row, now);
	const address = toAddress(row);
	return {
		id: row.id,
		membershipNumber: row.membership_number,
		federationNumber: row.federation_number,
		feiId: row.fei_id,
		title: row.title,
		firstName: row.first_name,
		lastName: row.last_name,
		dateOfBirth: row.date_of_birth,
		gender: row.gender,
		nationality: row.nationality,
		address: address === null ? null : { ...address, stateCode: row.state_code },
		email: row.email,
		phone: row.phone,
		homeClubId: row.home_club_id,
		membershipType: row.membership_type,
		joinDate: row.join_date,
		feePaidForYear: row.fee_paid_for_year,
		guardian: row.guardian === null ? null : { ...row.guardian, memberId: row.guardian_member_id },
		emergencyContact: row.emergency_contact,
		consents: {
			publishResults: { given: row.publish_results_given, at: instantOf(row.publish_results_at) },
			newsletter: { given: row.newsletter_given, at: instantOf(row.newsletter_at) },
		},
		notes: row.notes,
		duplicateSuspected: row.duplicate_suspected,
		status,
		statusReason,
		suspendedUntil,
		createdAt: row.created_at.toISOString(),
		updatedAt: updatedAt.toISOString(),
		deletedAt: instantOf(row.deleted_at),
		version,
	};
}

function instantOf(date: Date | null): string | null {
	return date?.toISOString() ?? null;
}
