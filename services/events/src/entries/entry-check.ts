/** Finding codes. An ERROR refuses the entry; a WARNING is stored with it for the organiser. */
export const entryCheckCodes = [
	'EVENT_NOT_OPEN',
	'LATE_ONLY_BY_ORGANISER',
	'CONFIRMATION_PENDING',
	'RIDER_UNKNOWN',
	'RIDER_NOT_ACTIVE',
	'HORSE_UNKNOWN',
	'HORSE_NOT_ACTIVE',
	'COMPETITION_UNKNOWN',
	'COMPETITION_CANCELLED',
	'COMPETITION_OVER',
	'AGE_CLASS',
	'HORSE_TOO_YOUNG',
	'NOT_A_PONY',
	'ENTRY_DUPLICATE',
	'HORSE_ALREADY_ENTERED',
	'TOO_MANY_HORSES',
	'FEE_UNPAID',
	'HOME_CLUB_MISSING',
	'RIDER_NOT_ELIGIBLE',
	'HORSE_NOT_ELIGIBLE',
] as const;

export type EntryCheckCode = (typeof entryCheckCodes)[number];

export interface EntryCheck {
	readonly code: EntryCheckCode;
	readonly level: 'ERROR' | 'WARNING';
	/** Whose data the message contains; decides who may read it. */
	readonly about: 'EVENT' | 'RIDER' | 'HORSE';
	/** Contains names, ages and dates. */
	readonly message: string;
}

export function errorCheck(about: EntryCheck['about'], code: EntryCheckCode, message: string): EntryCheck {
	return { code, level: 'ERROR', about, message };
}

export function warningCheck(about: EntryCheck['about'], code: EntryCheckCode, message: string): EntryCheck {
	return { code, level: 'WARNING', about, message };
}

/** Whether the entry may be stored. */
export function isAcceptable(checks: readonly EntryCheck[]): boolean {
	return checks.every(({ level }) => level !== 'ERROR');
}

export function riderName({
	firstName,
	lastName,
}: {
	readonly firstName: string;
	readonly lastName: string;
}): string {
	return `${firstName} ${lastName}`;
}
