import type { MembersQueryable } from '../database-schema.ts';
import { membersError } from '../errors.ts';
import { listNamesakes, type Person } from './namesakes.ts';
import { rightsOver, type Viewer } from './rules.ts';

export interface DuplicateSearch {
	readonly person: Person;
	/** Record being changed, which is excluded from the search. */
	readonly exceptId?: string;
	readonly viewer: Viewer;
	/** The caller has confirmed that it is another person. */
	readonly confirmed: boolean;
	readonly now: Date;
}

/**
 * Searches for members of the same name and birth date, see `listNamesakes`. Resolves with whether a match exists that
 * the caller may not see: the response must be the same either way, and only the office may learn of it.
 * @throws ApiError POSSIBLE_DUPLICATE with the `candidates` that the caller may see, unless confirmed.
 */
export async function checkDuplicates(
	db: MembersQueryable,
	{ person, exceptId, viewer, confirmed, now }: DuplicateSearch,
): Promise<boolean> {
	const found = await listNamesakes(db, person, exceptId, now);
	const visible = found.filter((candidate) => rightsOver(viewer, candidate) !== undefined);
	if (visible.length > 0 && !confirmed) {
		throw membersError('POSSIBLE_DUPLICATE', {
			context: {
				candidates: visible.map(({ id, membershipNumber, firstName, lastName, homeClubId }) => ({
					id,
					membershipNumber,
					firstName,
					lastName,
					homeClubId,
				})),
			},
		});
	}
	return visible.length < found.length;
}
