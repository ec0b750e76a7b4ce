import type { Principal } from '@paddock/identity';
import { mayManage } from '../event-access.ts';
import { type EntryCheck, errorCheck } from './entry-check.ts';
import { type EntryParties, sidesOf } from './entry-scope.ts';

/** Which findings of an entry the caller may read in detail. */
export interface Disclosure {
	readonly rider: boolean;
	readonly horse: boolean;
}

const riderNotEligible = errorCheck(
	'RIDER',
	'RIDER_NOT_ELIGIBLE',
	'This rider cannot be entered here. The rider, a guardian and the home club can see the reasons.',
);
const horseNotEligible = errorCheck(
	'HORSE',
	'HORSE_NOT_ELIGIBLE',
	'This horse cannot be entered here. Its owners and its club can see the reasons.',
);

/**
 * Before an entry is stored. The event's organiser reads no details here either: a rider who isn't entered has nothing to
 * do with the event, and any organiser could read the whole register.
 */
export function disclosureBefore(principal: Principal, parties: EntryParties): Disclosure {
	const sides = sidesOf(principal, parties);
	return { rider: sides.includes('RIDER'), horse: sides.includes('HORSE') };
}

/** Of a stored entry. Once both sides agreed, the organiser sees the warnings too, which are settled at the show office. */
export function disclosureOfStored(
	principal: Principal,
	parties: EntryParties,
	isConfirmed: boolean,
): Disclosure {
	if (isConfirmed && mayManage(principal, parties.organiserClubId)) return { rider: true, horse: true };
	return disclosureBefore(principal, parties);
}

/**
 * The checks as the caller may read them. For a rider or horse that isn't the caller's business all errors become one,
 * the same whatever they are and at the same place, and warnings are left out: an unknown id gets the same response
 * as a member of another club.
 */
export function disclosedChecks(
	checks: readonly EntryCheck[],
	disclosure: Disclosure,
): readonly EntryCheck[] {
	const isReadable = ({ about }: EntryCheck) =>
		about === 'EVENT' || (about === 'RIDER' ? disclosure.rider : disclosure.horse);
	const hiddenErrors = checks.filter((check) => !isReadable(check) && check.level === 'ERROR');
	return [
		...checks.filter(isReadable),
		...(hiddenErrors.some(({ about }) => about === 'RIDER') ? [riderNotEligible] : []),
		...(hiddenErrors.some(({ about }) => about === 'HORSE') ? [horseNotEligible] : []),
	];
}
