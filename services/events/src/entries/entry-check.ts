/** What can be found at an entry. An ERROR refuses it, a WARNING stays on it for the organiser to see. */
export const entryCheckCodes = [
	'EVENT_NOT_OPEN',
	'LATE_ONLY_BY_ORGANISER',
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
	'HORSE_ALREADY_ENTERED',
	'TOO_MANY_HORSES',
	'FEE_UNPAID',
	'HOME_CLUB_MISSING',
] as const;

export type EntryCheckCode = (typeof entryCheckCodes)[number];

export interface EntryCheck {
	readonly code: EntryCheckCode;
	readonly level: 'ERROR' | 'WARNING';
	/** For the rider: with names, ages and days. */
	readonly message: string;
}

export function errorCheck(code: EntryCheckCode, message: string): EntryCheck {
	return { code, level: 'ERROR', message };
}

export function warningCheck(code: EntryCheckCode, message: string): EntryCheck {
	return { code, level: 'WARNING', message };
}

/** Whether the entry may be stored. */
export function isAcceptable(checks: readonly EntryCheck[]): boolean {
	return checks.every(({ level }) => level !== 'ERROR');
}
