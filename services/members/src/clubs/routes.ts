import { refuseInvalid } from '@paddock/contract';
import { crudRoutesWith } from '@paddock/crud';
import { type Call, officersOnly } from '@paddock/service';
import type { MembersSchema } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import { membersError } from '../errors.ts';
import { clubReferenceErrors } from '../peers/references.ts';
import { type Club, type ClubBody, club, clubBody } from './schemas.ts';
import { clubs } from './store.ts';

const crudRoutes = crudRoutesWith<MembersDeps, MembersSchema>({
	tag: 'members',
	access: { read: 'signedIn', write: officersOnly },
	cacheControl: { list: 'private, no-cache', record: 'private, no-cache' },
	db: ({ db }) => db,
	referenceCounter: (deps) => deps.referenceCounter,
});

export const clubRoutes = crudRoutes({
	path: '/api/members/clubs',
	plural: 'clubs',
	table: clubs,
	record: club,
	body: clubBody,
	replacing: 'Membership numbers that were given stay.',
	deleting:
		'A club is in use while members, deleted ones too, horses, events, drafts included, entries or roles of accounts refer to it. It is taken out of use by `status: INACTIVE`.',
	referencedAs: ({ id }) => ({ type: 'CLUB', id, codes: [] }),
	check: checkClub,
});

/** @throws ApiError VALIDATION_ERROR, or CLUB_NUMBER_TAKEN for the federation's own number. */
async function checkClub(
	deps: MembersDeps,
	body: ClubBody,
	stored: Club | undefined,
	request: Call,
): Promise<void> {
	const errors = await clubReferenceErrors(deps, body, stored, request);
	refuseInvalid(errors);
	if (body.clubNumber === deps.federationClubNumber)
		throw membersError('CLUB_NUMBER_TAKEN', {
			message: 'This number is the federation’s own, for members without a club.',
		});
}
