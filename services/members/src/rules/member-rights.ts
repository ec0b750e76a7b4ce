import { clubsCovered, hasRole, type Principal } from '@paddock/identity';
import type { Member, MemberFields, WholeMember } from '../schemas/member.ts';

/** Whose members somebody may see. */
export interface Viewer {
	/** The federation's office: everybody. */
	readonly isOffice: boolean;
	/** The clubs whose official the caller is. */
	readonly clubIds: readonly string[];
	/** The caller's own record. */
	readonly memberId: string | undefined;
}

export function viewerOf(principal: Principal): Viewer {
	return {
		isOffice: hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN'),
		clubIds: clubsCovered(principal, 'CLUB_OFFICIAL'),
		memberId: principal.memberId,
	};
}

/** In which quality somebody sees a member: as the office, as an official of the home club, or as the member. */
export type Rights = 'office' | 'club' | 'own';

/** Undefined = the caller may not even know that the member exists. Deleted ones are there for the office only. */
export function rightsOver(
	viewer: Viewer,
	member: Pick<Member, 'id' | 'homeClubId' | 'status'>,
): Rights | undefined {
	if (viewer.isOffice) return 'office';
	if (member.status === 'INACTIVE') return undefined;
	if (member.homeClubId !== null && viewer.clubIds.includes(member.homeClubId)) return 'club';
	return member.id === viewer.memberId ? 'own' : undefined;
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
