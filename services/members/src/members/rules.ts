import { ageOnDate, dayInVienna, fullAgeYears, latestBirthDate } from '@paddock/calendar';
import { apiError, type FieldError } from '@paddock/contract';
import { actsFor, clubsCovered, isOfficer, type Principal } from '@paddock/identity';
import { membersError } from '../errors.ts';
import type { Member, MemberFields, MemberStatus, WholeMember } from './schemas.ts';

const ageYearsMax = 110;

/** `YYYY-MM-DD`; a member born later is under 18 today. */
export function minorsBornAfter(now: Date): string {
	return latestBirthDate(fullAgeYears, dayInVienna(now));
}

export function dateErrors(
	{ dateOfBirth, joinDate }: Pick<MemberFields, 'dateOfBirth' | 'joinDate'>,
	now: Date,
): FieldError[] {
	const today = dayInVienna(now);
	const outOfRange = (field: string, message: string): FieldError[] => [
		{ field, code: 'INVALID_RANGE', message },
	];
	if (dateOfBirth >= today) return outOfRange('dateOfBirth', 'must lie in the past');
	if (ageOnDate(dateOfBirth, today) > ageYearsMax)
		return outOfRange('dateOfBirth', `must not be more than ${ageYearsMax} years ago`);
	return joinDate < dateOfBirth ? outOfRange('joinDate', 'must not lie before the birth') : [];
}

/** @throws ApiError GUARDIAN_REQUIRED for a minor without a guardian. */
export function requireGuardian(
	{ dateOfBirth, guardian }: Pick<MemberFields, 'dateOfBirth' | 'guardian'>,
	now: Date,
): void {
	if (guardian !== null || ageOnDate(dateOfBirth, dayInVienna(now)) >= fullAgeYears) return;
	throw membersError('GUARDIAN_REQUIRED');
}

export interface Viewer {
	/** The federation's office, which sees all members. */
	readonly isOffice: boolean;
	readonly clubIds: readonly string[];
	/** The caller's own record; undefined for an account without one, or with a deleted one. */
	readonly memberId: string | undefined;
	/** Minors for whom the account is guardian by a confirmed link. */
	readonly guardianOf: readonly string[];
	/** INACTIVE if the linked record does not exist; undefined for an account without one, and for the office. */
	readonly memberStatus: MemberStatus | undefined;
	/** `YYYY-MM-DD`; a member born later is under 18 today. */
	readonly minorsBornAfter: string;
}

/** `memberStatus` is that of `principal.memberId`, see `Viewer`. */
export function viewerOf(principal: Principal, memberStatus: MemberStatus | undefined, now: Date): Viewer {
	return {
		isOffice: isOfficer(principal),
		clubIds: clubsCovered(principal, 'CLUB_OFFICIAL'),
		memberId: memberStatus === 'INACTIVE' ? undefined : principal.memberId,
		guardianOf: principal.guardianOf,
		memberStatus,
		minorsBornAfter: minorsBornAfter(now),
	};
}

/** Of the office, an official of the home club, the member, or the last two; a guardian has the rights of a member under 18. */
export type Rights = 'office' | 'club' | 'own' | 'clubAndOwn';

/** Undefined if the caller must not learn that the member exists. Only the office has rights over deleted members. */
export function rightsOver(
	viewer: Viewer,
	member: Pick<Member, 'id' | 'homeClubId' | 'status' | 'dateOfBirth' | 'guardian'>,
): Rights | undefined {
	if (viewer.isOffice) return 'office';
	if (member.status === 'INACTIVE') return undefined;
	const isOfClub = member.homeClubId !== null && viewer.clubIds.includes(member.homeClubId);
	if (isOwnOrWard(viewer, member)) return isOfClub ? 'clubAndOwn' : 'own';
	return isOfClub ? 'club' : undefined;
}

/** By the present birth date: a correction ends a guardianship at once. */
function isOwnOrWard(viewer: Viewer, { id, dateOfBirth, guardian }: Person): boolean {
	if (id === viewer.memberId) return true;
	return dateOfBirth > viewer.minorsBornAfter && actsFor(viewer, id, guardian?.memberId ?? null);
}

export function isWard(viewer: Viewer, member: Person): boolean {
	return !viewer.isOffice && member.id !== viewer.memberId && isOwnOrWard(viewer, member);
}

type Person = Pick<Member, 'id' | 'dateOfBirth' | 'guardian'>;

export function shownTo(rights: Rights, member: WholeMember): Member {
	const { notes, duplicateSuspected, statusReason, ...common } = member;
	return {
		...common,
		...(rights === 'office' ? { notes, duplicateSuspected } : {}),
		...(rights === 'own' ? {} : { statusReason }),
	};
}

const ownFields: ReadonlySet<keyof MemberFields> = new Set([
	'address',
	'email',
	'phoneNumber',
	'emergencyContact',
	'consents',
] as const);
const officeFields: ReadonlySet<keyof MemberFields> = new Set([
	'membershipNumber',
	'federationNumber',
	'feiId',
	'feePaidForYear',
	'notes',
] as const);

export function maySee(rights: Rights, field: keyof MemberFields): boolean {
	return rights === 'office' || field !== 'notes';
}

/** Consents belong to the member or the guardian; the office enters those that it has on paper. */
export function mayWrite(rights: Rights, field: keyof MemberFields, status: MemberStatus): boolean {
	if (rights === 'office') return true;
	if (rights !== 'club' && ownFields.has(field)) return true;
	return rights !== 'own' && mayOfficialWrite(field, status);
}

function mayOfficialWrite(field: keyof MemberFields, status: MemberStatus): boolean {
	if (field === 'consents' || officeFields.has(field)) return false;
	// Age classes depend on the birth date, which the approval has confirmed.
	return field !== 'dateOfBirth' || status === 'PENDING';
}

/** The link gives the right to write consents; once the approval has confirmed it, an official could pass that right on. */
export function mayUnlinkGuardian(
	rights: Rights,
	{ guardian, status }: Pick<Member, 'guardian' | 'status'>,
): boolean {
	if (rights === 'office' || rights === 'own') return true;
	return status === 'PENDING' || (guardian?.memberId ?? null) === null;
}

/** @throws ApiError NOT_FOUND if the member does not exist or the caller may not see it. */
export function requireVisible(
	member: WholeMember | undefined,
	viewer: Viewer,
): { member: WholeMember; rights: Rights } {
	const rights = member === undefined ? undefined : rightsOver(viewer, member);
	if (member === undefined || rights === undefined)
		throw apiError('NOT_FOUND', { message: 'There is no such member.' });
	return { member, rights };
}

/** Pending members correct their contact data only; guardians by link can do no more than a suspended ward. @throws MEMBER_NOT_ACTIVE */
export function writingRights(
	{ memberStatus, guardianOf }: Viewer,
	rights: Rights,
	target?: Pick<WholeMember, 'id' | 'status'>,
): Rights {
	if (memberStatus === 'PENDING') return 'own';
	const isLimited = target?.status === 'SUSPENDED' && guardianOf.includes(target.id);
	if (!isLimited || rights === 'office' || rights === 'club') return rights;
	if (rights === 'clubAndOwn') return 'club';
	throw membersError('MEMBER_NOT_ACTIVE');
}

/** @throws ApiError OUT_OF_SCOPE if an official sets a home club outside of the own scope, or none. */
export function requireOwnClub(rights: Rights, viewer: Viewer, homeClubId: string | null): void {
	if (rights === 'office' || rights === 'own') return;
	if (homeClubId !== null && viewer.clubIds.includes(homeClubId)) return;
	throw apiError('OUT_OF_SCOPE', { message: 'The home club must be one of yours.' });
}
