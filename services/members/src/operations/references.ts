import { apiError, type FieldError } from '@paddock/contract';
import type { CallContext } from '@paddock/peers';
import type { MembersQueryable } from '../database-schema.ts';
import type { MembersDeps } from '../deps.ts';
import { holdActiveClub, isActiveClub } from '../repository/clubs.ts';
import type { Club } from '../schemas/club.ts';
import type { MemberFields } from '../schemas/member.ts';
import type { Caller } from './caller.ts';

type Deps = Pick<MembersDeps, 'db' | 'placeCodes'>;
type Referring = Pick<MemberFields, 'nationality' | 'address' | 'homeClubId' | 'guardian'> & {
	/** Undefined for a new member. */
	readonly id?: string;
};

/**
 * Validates the references of a member. Unchanged references are not looked up: a new phone number must not depend on
 * the masterdata service.
 */
export async function referenceErrors(
	{ db, placeCodes }: Deps,
	fields: Referring,
	stored: Referring | undefined,
	caller: Caller,
): Promise<FieldError[]> {
	const { nationality, address, homeClubId, guardian } = fields;
	const guardianId = guardian?.memberId ?? null;
	const countryCode = address?.countryCode;
	const stateCode = address?.stateCode ?? undefined;
	const found = await Promise.all([
		nationality === stored?.nationality || placeCodes.hasCountry(nationality, caller),
		countryCode === undefined ||
			countryCode === stored?.address?.countryCode ||
			placeCodes.hasCountry(countryCode, caller),
		stateCode === undefined ||
			stateCode === stored?.address?.stateCode ||
			placeCodes.hasState(stateCode, caller),
		homeClubId === null || homeClubId === stored?.homeClubId || isActiveClub(db, homeClubId),
		guardianId === null ||
			guardianId === (stored?.guardian?.memberId ?? null) ||
			(guardianId !== stored?.id && mayBeGuardian(db, guardianId, caller.viewer)),
	]);
	return references.filter((_, index) => found[index] === false);
}

/**
 * Whether the member exists, is of full age, and is not the calling official: a guardian writes consents, which an
 * official must not.
 */
async function mayBeGuardian(
	db: Deps['db'],
	id: string,
	{ isOffice, memberId, minorsBornAfter }: Caller['viewer'],
): Promise<boolean> {
	if (!isOffice && id === memberId) return false;
	const row = await db
		.selectFrom('members')
		.select('id')
		.where('id', '=', id)
		.where('deletedAt', 'is', null)
		.where('dateOfBirth', '<=', minorsBornAfter)
		.executeTakeFirst();
	return row !== undefined;
}

const country = 'is not the alpha-2 code of a country that the master data has';
const state = 'is not the ISO 3166-2 code of a state that the master data has';

const homeClub: FieldError = {
	field: 'homeClubId',
	code: 'INVALID_REFERENCE',
	message: 'is not an active club',
};

const references: readonly FieldError[] = [
	{ field: 'nationality', code: 'INVALID_REFERENCE', message: country },
	{ field: 'address.countryCode', code: 'INVALID_REFERENCE', message: country },
	{ field: 'address.stateCode', code: 'INVALID_REFERENCE', message: state },
	homeClub,
	// One message for every cause: it must not disclose members of other clubs to an official.
	{
		field: 'guardian.memberId',
		code: 'INVALID_REFERENCE',
		message: 'must be the id of another member, of full age',
	},
];

/**
 * Locks the home club of a joining member, so that it stays active until the transaction ends. `referenceErrors` checks
 * it before the transaction begins.
 * @throws ApiError VALIDATION_ERROR if the club has been closed or deleted since.
 */
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
	context: CallContext,
): Promise<FieldError[]> {
	const countryCode = address?.countryCode;
	const [countryFound, stateFound] = await Promise.all([
		countryCode === undefined ||
			countryCode === stored?.address?.countryCode ||
			placeCodes.hasCountry(countryCode, context),
		stateCode === null || stateCode === stored?.stateCode || placeCodes.hasState(stateCode, context),
	]);
	return [
		...(countryFound
			? []
			: [{ field: 'address.countryCode', code: 'INVALID_REFERENCE', message: country } as const]),
		...(stateFound ? [] : [{ field: 'stateCode', code: 'INVALID_REFERENCE', message: state } as const]),
	];
}
