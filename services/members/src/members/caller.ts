import { isOfficer } from '@paddock/identity';
import type { Call } from '@paddock/service';
import type { MembersQueryable } from '../database-schema.ts';
import { type Viewer, viewerOf } from './rules.ts';
import { findMemberStatus } from './store.ts';

/** A request with the caller's visibility. */
export interface Caller extends Call {
	readonly viewer: Viewer;
}

/** Returns the caller's current visibility; reads the state of the caller's own record. */
export async function viewerFor(
	db: MembersQueryable,
	{ principal, now }: Pick<Call, 'principal' | 'now'>,
): Promise<Viewer> {
	const { memberId } = principal;
	const own =
		memberId === undefined || isOfficer(principal) ? undefined : await findMemberStatus(db, memberId, now);
	return viewerOf(principal, own, now);
}

export async function callerOf(db: MembersQueryable, call: Call): Promise<Caller> {
	return { ...call, viewer: await viewerFor(db, call) };
}
