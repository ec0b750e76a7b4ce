import { apiError, type Page } from '@paddock/contract';
import { listPage, rowsOfPage, sorted } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import { changedSince, hasStatus, sharedConditions } from './conditions.ts';
import type { MemberQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import type { WholeMember } from './schemas.ts';
import { listMembersByIds } from './store.ts';

const order = {
	defaultSort: ['lastName'],
	alphabetical: ['firstName'],
	expressions: { lastName: sql.ref('sortName') },
} as const;

/**
 * The members that the caller may see. Count and page come from the index alone; only the rows of the page are fetched.
 * @throws ApiError FORBIDDEN when a caller other than the office queries deleted members or suspected duplicates.
 */
export async function listMembers(
	db: MembersQueryable,
	query: MemberQuery,
	viewer: Viewer,
	now: Date,
): Promise<Page<WholeMember>> {
	const matching = matchingMembers(db, query, viewer, now).select('id');
	const ordered = sorted(matching, query.sort, order).orderBy('id');
	const page = await listPage(ordered, pageRequest(query), ({ id }) => id);
	return rowsOfPage(page, (ids) => listMembersByIds(db, ids, now));
}

function matchingMembers(db: MembersQueryable, query: MemberQuery, viewer: Viewer, now: Date) {
	const { stateCode, nationality, feePaidForYear, duplicateSuspected, updatedSince } = query;
	if (duplicateSuspected !== undefined && !viewer.isOffice) throw apiError('FORBIDDEN');
	const othersWanted = query.status !== undefined || query.includeInactive === true;
	const activeOnly = query.activeOnly ?? !othersWanted;
	const conditions = [
		...sharedConditions(query, viewer, now),
		...(activeOnly ? [hasStatus('ACTIVE', now)] : []),
		...(stateCode === undefined ? [] : [sql<boolean>`state_code = ${stateCode}`]),
		...(nationality === undefined ? [] : [sql<boolean>`nationality = ${nationality}`]),
		...(feePaidForYear === undefined ? [] : [sql<boolean>`fee_paid_for_year = ${feePaidForYear}`]),
		...(duplicateSuspected === undefined ? [] : [sql<boolean>`duplicate_suspected = ${duplicateSuspected}`]),
		...(updatedSince === undefined ? [] : [changedSince(new Date(updatedSince), now)]),
	];
	return conditions.reduce((select, condition) => select.where(condition), db.selectFrom('members'));
}
