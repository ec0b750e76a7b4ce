import { isOfficer } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { type Viewer, viewerOf } from './rules.ts';
import { findMemberStatus } from './store.ts';

export interface Caller extends Call {
	readonly viewer: Viewer;
}

/** The caller's visibility, by the state of the own record; the `readers` of members and their data. */
export async function viewerFor(
	{ principal, now }: Pick<Call, 'principal' | 'now'>,
	{ db }: { readonly db: MembersQueryable },
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
	const { memberId, memberStatus } = await viewerFor(call, { db });
	if (memberStatus === undefined || memberStatus === 'ACTIVE') return;
	if (memberStatus === 'PENDING' && ownRecord !== undefined && ownRecord === memberId) return;
	throw membersError('MEMBER_NOT_ACTIVE');
}

export async function callerOf(db: MembersQueryable, call: Call): Promise<Caller> {
	return { ...call, viewer: await viewerFor(call, { db }) };
}
