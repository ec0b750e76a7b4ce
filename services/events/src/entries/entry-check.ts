import { fullAgeAt, yearOf } from '@paddock/calendar';
import type { Principal } from '@paddock/identity';
import { fullName } from '@paddock/text';
import type { EntryCheck, EventRow, JudgedBy } from '../database-schema.ts';
import { mayManage } from '../events/access.ts';
import type { HorseRecord, MemberRecord } from '../peers/records.ts';
import { ruleOf } from '../rules/entry-rules.ts';
import type { Rule } from '../rules/rule.ts';
import { type EntryParties, sidesOf } from './rights/sides.ts';
import type { Entry } from './view-schemas.ts';

/** A rule of the federation that a finding violates, and what an override of it is about. */
interface Violated {
	readonly rule: Rule | undefined;
	readonly subject?: string;
}

export function errorCheck(
	about: EntryCheck['about'],
	code: string,
	message: string,
	violated?: Violated,
): EntryCheck {
	return { code, level: 'ERROR', about, message, ...violatedRule(violated) };
}

export function warningCheck(
	about: EntryCheck['about'],
	code: string,
	message: string,
	violated?: Violated,
): EntryCheck {
	return { code, level: 'WARNING', about, message, ...violatedRule(violated) };
}

function violatedRule(violated: Violated | undefined): Partial<EntryCheck> {
	if (violated?.rule === undefined) return {};
	const { paragraph, overridable, level } = violated.rule;
	return {
		rule: { source: 'OETO', paragraph },
		overridable: overridable && level === 'ERROR',
		subject: violated.subject ?? 'entry',
	};
}

/** The findings with a warning that an amount stays due, which replaces an earlier one of its paragraph. */
export function withNoRefund(
	checks: readonly EntryCheck[],
	paragraph: '23.4' | '28.7',
	{ startDate, ruleset }: Pick<EventRow, 'startDate' | 'ruleset'>,
): readonly EntryCheck[] {
	const code = 'NO_REFUND';
	const text =
		paragraph === '23.4'
			? 'Boxes that are given back less than ten days before the event stay due.'
			: 'Fees stay due after a withdrawal that is later than the entry deadline.';
	const rule = ruleset === 'OETO' ? ruleOf(code, startDate, paragraph) : undefined;
	return [
		...checks.filter((check) => check.code !== code || check.message !== text),
		warningCheck('EVENT', code, text, { rule }),
	];
}

export function isAcceptable(checks: readonly EntryCheck[]): boolean {
	return checks.every(({ level }) => level !== 'ERROR');
}

export function toCheck(check: EntryCheck): Entry['checks'][number] {
	const { code, level, message, rule, overridable, overridden } = check;
	return {
		code,
		level,
		message,
		...(rule === undefined ? {} : { rule }),
		...(overridable === undefined ? {} : { overridable }),
		...(overridden === undefined ? {} : { overridden }),
	};
}

/** The entry no longer fits its event, or could not be checked. Must match `needsAttention` of rights/visibility.ts, in SQL. */
export function isInDoubt(checks: readonly EntryCheck[]): boolean {
	return checks.some(({ level, code }) => level === 'ERROR' || code === 'NOT_RECHECKED');
}

type Named = Pick<MemberRecord, 'firstName' | 'lastName'>;

export function riderFacts<Member extends Named & Pick<MemberRecord, 'dateOfBirth'>>(member: Member) {
	return { ...member, name: fullName(member), birthYear: yearOf(member.dateOfBirth) };
}

export function judgedBy(
	rider: Pick<MemberRecord, 'dateOfBirth' | 'feePaidForYear'>,
	horse: Pick<HorseRecord, 'isPony' | 'heightCm' | 'feePaidForYear'>,
): JudgedBy {
	return {
		riderBirthYear: yearOf(rider.dateOfBirth),
		riderOfAgeAt: fullAgeAt(rider.dateOfBirth).toISOString(),
		riderFeePaidForYear: rider.feePaidForYear,
		horseIsPony: horse.isPony,
		horseHeightCm: horse.heightCm,
		horseFeePaidForYear: horse.feePaidForYear,
	};
}

export interface Disclosure {
	readonly rider: boolean;
	readonly horse: boolean;
	/** Whether also the findings about the horse that the caller may pass; signed-in callers read horses anyway. */
	readonly overridable?: boolean;
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

/** No details for the organiser: any organiser could query the whole member register with riders who are not entered. */
export function disclosureBefore(principal: Principal, parties: EntryParties): Disclosure {
	const sides = sidesOf(principal, parties);
	return {
		rider: sides.includes('RIDER'),
		horse: sides.includes('HORSE'),
		overridable: mayManage(principal, parties.organiserClubId),
	};
}

/** Once both sides agreed, the organiser also reads the warnings, which are settled at the show office. */
export function disclosureOfStored(
	principal: Principal,
	parties: EntryParties,
	isConfirmed: boolean,
): Disclosure {
	if (isConfirmed && mayManage(principal, parties.organiserClubId)) return { rider: true, horse: true };
	return disclosureBefore(principal, parties);
}

/** About others only one generic error: an unknown id and a member of another club get the same response. */
export function disclosedChecks(checks: readonly EntryCheck[], disclosure: Disclosure): Entry['checks'] {
	const isReadable = ({ about, overridable }: EntryCheck) => {
		if (about === 'RIDER') return disclosure.rider;
		return about === 'EVENT' || disclosure.horse || (overridable === true && disclosure.overridable === true);
	};
	const hiddenErrors = checks.filter((check) => !isReadable(check) && check.level === 'ERROR');
	return [
		...checks.filter(isReadable),
		...(hiddenErrors.some(({ about }) => about === 'RIDER') ? [riderNotEligible] : []),
		...(hiddenErrors.some(({ about }) => about === 'HORSE') ? [horseNotEligible] : []),
	].map(toCheck);
}
