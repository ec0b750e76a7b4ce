import { ageOnDate, dayInVienna, fullAgeAt, fullAgeYears } from '@paddock/calendar';
import { apiError } from '@paddock/contract';
import {
	type ClubMembers,
	isClubOfficial,
	isOfficer,
	type Principal,
	representedMax,
} from '@paddock/identity';
import type { MemberLinkRow, Relationship } from '../database-schema.ts';
import { authError } from '../errors.ts';
import type { LinkedMember } from '../peers/members.ts';
import type { User } from '../users/store.ts';

const dayMs = 24 * 60 * 60_000;
/** A request that is not decided by then lapses. */
const requestMs = 30 * dayMs;

/** Claims of one account in `claimWindowMs`: a limit for guesses, whether they match or not. */
export const claimsMax = 10;
export const claimWindowMs = dayMs;

/**
 * Clubs whose contact an account can be: each adds an id to the access token, which must stay below `tokenCharsMax` for an
 * account with roles over many clubs as well.
 */
const contactClubsMax = 5;

/** The last day on which a request that is open today was made, as an instant. */
export function openSince(now: Date): Date {
	return new Date(now.getTime() - requestMs);
}

/** Status and end at `now`: a request lapses and a guardianship ends by the clock, without a job. */
export function currentLink({ status, endedAt, createdAt, holdsUntil }: LinkState, now: Date) {
	const lapsesAt = status === 'REQUESTED' ? new Date(createdAt.getTime() + requestMs) : holdsUntil;
	const isOver = (status === 'REQUESTED' || status === 'CONFIRMED') && lapsesAt !== null && lapsesAt <= now;
	return isOver ? ({ status: 'ENDED', endedAt: lapsesAt } as const) : { status, endedAt };
}

type LinkState = Pick<MemberLinkRow, 'status' | 'endedAt' | 'createdAt' | 'holdsUntil'>;

/**
 * Club and end of a link that is confirmed now.
 * @throws ApiError MEMBER_OF_AGE, MEMBER_WITHOUT_CLUB
 */
export function confirmedTerms(
	relationship: Relationship,
	{ dateOfBirth, homeClubId }: Pick<LinkedMember, 'dateOfBirth' | 'homeClubId'>,
	now: Date,
): Pick<MemberLinkRow, 'clubId' | 'holdsUntil'> {
	if (relationship === 'CLUB_CONTACT' && homeClubId === null) throw authError('MEMBER_WITHOUT_CLUB');
	if (relationship !== 'GUARDIAN') return { clubId: homeClubId, holdsUntil: null };
	if (ageOnDate(dateOfBirth, dayInVienna(now)) >= fullAgeYears) throw authError('MEMBER_OF_AGE');
	return { clubId: homeClubId, holdsUntil: fullAgeAt(dateOfBirth) };
}

/** Members that an account represents, besides its own. */
export interface Represented {
	readonly guardianOf: readonly string[];
	readonly contactFor: readonly ClubMembers[];
	/** When the first guardianship ends; undefined without one. */
	readonly holdsUntil: Date | undefined;
}

/** @throws ApiError TOO_MANY_LINKS if the account would represent too many members for its access token. */
export function requireRoom({ guardianOf, contactFor }: Represented): void {
	const members = guardianOf.length + contactFor.flatMap(({ memberIds }) => memberIds).length;
	if (members > representedMax || contactFor.length > contactClubsMax)
		throw authError('TOO_MANY_LINKS', { context: { representedMax, contactClubsMax } });
}

/**
 * Whether the caller decides on links to a member of that club: its officials, and the federation's office. Requests that
 * match no member are the office's.
 */
export function decidesOn(principal: Principal, clubId: string | null): boolean {
	return isOfficer(principal) || isClubOfficial(principal, clubId);
}

/** Refuses the confirmation of an own request: an official could become guardian of any child of the club. @throws ApiError FORBIDDEN */
export function requireOtherAccount(principal: Principal, { userId }: Pick<MemberLinkRow, 'userId'>): void {
	if (principal.userId !== userId) return;
	throw apiError('FORBIDDEN', {
		message: 'Another official or the federation’s office decides on your request.',
	});
}

/** As for roles: only an administrator changes an account of the office. @throws ApiError FORBIDDEN */
export function requireOrdinaryAccount(principal: Principal, { roles }: Pick<User, 'roles'>): void {
	if (principal.roles.includes('ADMIN')) return;
	if (!roles.some((role) => role === 'ADMIN' || role === 'FEDERATION_OFFICER')) return;
	throw apiError('FORBIDDEN', { message: 'Only an administrator changes an account of the office.' });
}
