import { dayInVienna, latestBirthDate } from '@paddock/calendar';
import { clubsCovered, hasRole, type Principal } from '@paddock/identity';
import type { Member, MemberFields, MemberStatus, WholeMember } from '../schemas/member.ts';
import { fullAgeYears } from './member-checks.ts';

/** Which members the caller may see. */
export interface Viewer {
	/** The federation's office: everybody. */
	readonly isOffice: boolean;
	/** The clubs whose official the caller is. */
	readonly clubIds: readonly string[];
	/** The caller's own record; undefined for an account without one, or with a deleted one. */
	readonly memberId: string | undefined;
	/** Of the linked record, INACTIVE where it does not exist; undefined for an account without one, and for the office. */
	readonly memberStatus: MemberStatus | undefined;
	/** `YYYY-MM-DD`; a member born later is under 18 today. */
	readonly minorsBornAfter: string;
}

/** `memberStatus` is that of `principal.memberId`, see `Viewer`. */
export function viewerOf(principal: Principal, memberStatus: MemberStatus | undefined, now: Date): Viewer {
	return {
		isOffice: isOffice(principal),
		clubIds: clubsCovered(principal, 'CLUB_OFFICIAL'),
		memberId: memberStatus === 'INACTIVE' ? undefined : principal.memberId,
		memberStatus,
		minorsBornAfter: latestBirthDate(fullAgeYears, dayInVienna(now)),
	};
}

/** The federation's office. */
export function isOffice(principal: Principal): boolean {
	return hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
}

/** As the office, as an official of the home club, or as the member; a guardian has the rights of a member under 18. */
export type Rights = 'office' | 'club' | 'own';

/** Undefined = the caller may not even know that the member exists. Deleted ones are there for the office only. */
export function rightsOver(
	viewer: Viewer,
	member: Pick<Member, 'id' | 'homeClubId' | 'status' | 'dateOfBirth' | 'guardian'>,
): Rights | undefined {
	if (viewer.isOffice) return 'office';
	if (member.status === 'INACTIVE') return undefined;
	if (member.homeClubId !== null && viewer.clubIds.includes(member.homeClubId)) return 'club';
	if (viewer.memberId === undefined) return undefined;
	if (member.id === viewer.memberId) return 'own';
	const isWard = member.guardian?.memberId === viewer.memberId && member.dateOfBirth > viewer.minorsBornAfter;
	return isWard ? 'own' : undefined;
}

/** The member as the caller may see it. */
export function shownTo(rights: Rights, member: WholeMember): Member {
	const { notes, statusReason, ...common } = member;
	return {
		...common,
		...(maySee(rights, 'notes') ? { notes } : {}),
		...(rights === 'own' ? {} : { statusReason }),
	};
}

const ownFields: ReadonlySet<keyof MemberFields> = new Set([
	'address',
	'email',
	'phone',
	'emergencyContact',
	'consents',
] as const);
const officeFields: ReadonlySet<keyof MemberFields> = new Set(['membershipNumber', 'notes'] as const);

/** Whether the caller is shown the field. */
export function maySee(rights: Rights, field: keyof MemberFields): boolean {
	return rights === 'office' || field !== 'notes';
}

/** Whether the field is the caller's to write. */
export function mayWrite(rights: Rights, field: keyof MemberFields): boolean {
	if (rights === 'own') return ownFields.has(field);
	return rights === 'office' || !officeFields.has(field);
}
