import { isOfficer } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { MembersQueryable } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import { membersError } from '../errors.ts';
import { type Viewer, viewerOf } from './rules.ts';
import { findMemberStatus } from './store.ts';

export interface Caller extends Call {
	readonly viewer: Viewer;
}

/** The `readers` of members and their data: the handler gets the caller's visibility as `viewer`. */
export function memberReaders(call: Pick<Call, 'principal' | 'now'>, { db }: Pick<MembersDeps, 'db'>) {
	return viewerFor(db, call);
}

export async function viewerFor(
	db: MembersQueryable,
	{ principal, now }: Pick<Call, 'principal' | 'now'>,
): Promise<Viewer> {
	const { memberId } = principal;
	const own =
		memberId === undefined || isOfficer(principal) ? undefined : await findMemberStatus(db, memberId, now);
	return viewerOf(principal, own, now);
}

/** @throws ApiError MEMBER_NOT_ACTIVE unless the member is active, or pending and the record is the own one if that will do. */
export async function requireActiveCaller(
	db: MembersQueryable,
	call: Pick<Call, 'principal' | 'now'>,
	ownRecord?: string,
): Promise<void> {
	const { memberId, memberStatus } = await viewerFor(db, call);
	if (memberStatus === undefined || memberStatus === 'ACTIVE') return;
	if (memberStatus === 'PENDING' && ownRecord !== undefined && ownRecord === memberId) return;
	throw membersError('MEMBER_NOT_ACTIVE');
}

export async function callerOf(db: MembersQueryable, call: Call): Promise<Caller> {
	return { ...call, viewer: await viewerFor(db, call) };
}
