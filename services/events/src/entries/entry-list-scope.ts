import { apiError } from '@paddock/contract';
import { clubsCovered, type Principal } from '@paddock/identity';
import type { CallContext } from '../directory/call-context.ts';
import type { Directory } from '../directory/directory.ts';
import { isOfficer } from '../event-access.ts';
import type { EntriesQuery } from '../schemas/entry-query.ts';
import { actsForRider, riderParties } from './entry-scope.ts';
import { keptHorsesOf } from './kept-horses.ts';

/**
 * The entries of all events that the caller may list: all that match the query, or only those of riders of the own
 * clubs.
 */
export type EntryListScope = 'all' | 'clubs';

/**
 * Officers list all entries, a member the own entries, a guardian those of the ward, an owner or responsible person
 * those of the horse, a club official those of riders who entered for the club. Any other query is refused rather than
 * filtered: a caller that checks whether a horse is entered anywhere would take an empty list for a no.
 * @throws ApiError OUT_OF_SCOPE; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if members (guardian) or horses (owners) do
 * not respond.
 */
export async function entryListScope(
	{ memberId, clubId, horseId }: EntriesQuery,
	{ principal, ...context }: CallContext & { readonly principal: Principal },
	directory: Pick<Directory, 'members' | 'keptHorses'>,
): Promise<EntryListScope> {
	if (isOfficer(principal)) return 'all';
	if (memberId !== undefined && memberId === principal.memberId) return 'all';
	const clubs = clubsCovered(principal, 'CLUB_OFFICIAL');
	if (clubId !== undefined && clubs.includes(clubId)) return 'clubs';
	if (memberId !== undefined) {
		const rider = (await directory.members([memberId], context)).get(memberId);
		if (actsForRider(principal, riderParties(memberId, rider))) return 'all';
	}
	if (horseId !== undefined && (await keptHorsesOf({ principal, ...context }, directory)).has(horseId))
		return 'all';
	const namesNothing = memberId === undefined && clubId === undefined && horseId === undefined;
	if (clubs.length > 0 && namesNothing) return 'clubs';
	throw apiError('OUT_OF_SCOPE', {
		message: 'Name your own memberId, that of your ward, a horseId or a clubId of yours.',
	});
}
