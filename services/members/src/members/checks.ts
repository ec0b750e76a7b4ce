import { ageOnDate, dayInVienna, latestBirthDate } from '@paddock/calendar';
import type { FieldError } from '@paddock/contract';
import { membersError } from '../errors.ts';
import type { MemberFields } from './schemas.ts';

const ageYearsMax = 110;
/** A member below this age needs a guardian. */
const fullAgeYears = 18;

/** `YYYY-MM-DD`; a member born later is under 18 today. */
export function minorsBornAfter(now: Date): string {
	return latestBirthDate(fullAgeYears, dayInVienna(now));
}

/** Validates the dates of a member. */
export function dateErrors(
	{ dateOfBirth, joinDate }: Pick<MemberFields, 'dateOfBirth' | 'joinDate'>,
	now: Date,
): FieldError[] {
	const today = dayInVienna(now);
	const outOfRange = (field: string, message: string): FieldError[] => [
		{ field, code: 'INVALID_RANGE', message },
	];
	if (dateOfBirth >= today) return outOfRange('dateOfBirth', 'must lie in the past');
	if (ageOnDate(dateOfBirth, today) > ageYearsMax)
		return outOfRange('dateOfBirth', `must not be more than ${ageYearsMax} years ago`);
	return joinDate < dateOfBirth ? outOfRange('joinDate', 'must not lie before the birth') : [];
}

/** @throws ApiError GUARDIAN_REQUIRED for a minor without a guardian. */
export function requireGuardian(
	{ dateOfBirth, guardian }: Pick<MemberFields, 'dateOfBirth' | 'guardian'>,
	now: Date,
): void {
	if (guardian !== null || ageOnDate(dateOfBirth, dayInVienna(now)) >= fullAgeYears) return;
	throw membersError('GUARDIAN_REQUIRED');
}
