import { apiError, type FieldError } from '@paddock/contract';
import type { CallingRequest } from '@paddock/peers';
import type { Club } from '../clubs/schemas.ts';
import { holdActiveClub, isActiveClub } from '../clubs/store.ts';
import type { MembersQueryable } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import type { Caller } from '../members/caller.ts';
import type { MemberFields } from '../members/schemas.ts';
import { isMemberBornBy } from '../members/store.ts';

type Deps = Pick<MembersDeps, 'db' | 'placeCodes'>;
type Referring = Pick<MemberFields, 'nationality' | 'address' | 'homeClubId' | 'guardian'> & {
	readonly id?: string;
};

/** Unchanged references are not looked up: a new phone number must not depend on the masterdata service. */
export async function referenceErrors(
	{ db, placeCodes }: Deps,
	fields: Referring,
	stored: Referring | undefined,
	caller: Caller,
): Promise<FieldError[]> {
	const hasCountry: IsKnown = (code) => placeCodes.hasCountry(code, caller);
	const hasState: IsKnown = (code) => placeCodes.hasState(code, caller);
	const mayGuard: IsKnown = async (id) => id !== stored?.id && mayBeGuardian(db, id, caller.viewer);
	const { nationality, address, homeClubId, guardian } = fields;
	const errors = await Promise.all([
		unknown(country('nationality'), nationality, stored?.nationality, hasCountry),
		unknown(country('address.countryCode'), address?.countryCode, stored?.address?.countryCode, hasCountry),
		unknown(state('address.stateCode'), address?.stateCode, stored?.address?.stateCode, hasState),
		unknown(homeClub, homeClubId, stored?.homeClubId, (id) => isActiveClub(db, id)),
		unknown(noGuardian, guardian?.memberId, stored?.guardian?.memberId, mayGuard),
	]);
	return errors.flat();
}

type IsKnown = (value: string) => Promise<boolean>;

/** `error` if the value is new and unknown. */
async function unknown(
	error: FieldError,
	value: string | null | undefined,
	stored: string | null | undefined,
	isKnown: IsKnown,
): Promise<FieldError[]> {
	if (value === null || value === undefined || value === stored || (await isKnown(value))) return [];
	return [error];
}

/** Not the calling official: a guardian writes consents, which an official must not. */
async function mayBeGuardian(
	db: Deps['db'],
	id: string,
	{ isOffice, memberId, minorsBornAfter }: Caller['viewer'],
): Promise<boolean> {
	if (!isOffice && id === memberId) return false;
	return isMemberBornBy(db, id, minorsBornAfter);
}

const invalid = (field: string, message: string): FieldError => ({
	field,
	code: 'INVALID_REFERENCE',
	message,
});
const country = (field: string) =>
	invalid(field, 'is not the alpha-2 code of a country that the master data has');
const state = (field: string) =>
	invalid(field, 'is not the ISO 3166-2 code of a state that the master data has');
const homeClub = invalid('homeClubId', 'is not an active club');
// One message for every cause: it must not disclose members of other clubs to an official.
const noGuardian = invalid('guardian.memberId', 'must be the id of another member, of full age');

/** Stays active until the transaction ends; `referenceErrors` checks before. @throws ApiError VALIDATION_ERROR if it is closed since. */
export async function holdHomeClub(db: MembersQueryable, id: string): Promise<Pick<Club, 'clubNumber'>> {
	const club = await holdActiveClub(db, id);
	if (club === undefined) throw apiError('VALIDATION_ERROR', { errors: [homeClub] });
	return club;
}

type ReferringClub = Pick<Club, 'stateCode' | 'address'>;

/** Validates the references of a club; unchanged references are not looked up. */
export async function clubReferenceErrors(
	{ placeCodes }: Deps,
	{ stateCode, address }: ReferringClub,
	stored: ReferringClub | undefined,
	context: CallingRequest,
): Promise<FieldError[]> {
	const errors = await Promise.all([
		unknown(country('address.countryCode'), address?.countryCode, stored?.address?.countryCode, (code) =>
			placeCodes.hasCountry(code, context),
		),
		unknown(state('stateCode'), stateCode, stored?.stateCode, (code) => placeCodes.hasState(code, context)),
	]);
	return errors.flat();
}
