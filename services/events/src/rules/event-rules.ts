import { dayAfter, dayIn, startOfDay, timeIn, yearOf } from '@paddock/calendar';
import { categoryLetters } from './classes-by-category.ts';
import { type CompetitionFinding, judgeCompetition, type OfferedCompetition } from './competition-rules.ts';
import { amountText, type Criteria, edition2026, inForce, type Rule } from './rule.ts';

export interface RuledEvent {
	readonly category: string;
	readonly startDate: string;
	readonly entryDeadline: Date | null;
	readonly venueTimeZone: string;
	/** Cents. */
	readonly entryFee: number;
	readonly lateSurcharge: number;
	readonly stableFee: number;
	readonly swapFee: number;
	readonly currency: string;
}

function row(code: string, paragraph: string, rule: Pick<Rule, 'criteria' | 'text'> & Partial<Rule>): Rule {
	return { code, paragraph, level: 'WARNING', validFrom: edition2026, overridable: false, ...rule };
}

const national = ['A*', 'A', 'B*', 'B'];
const open = ['C', 'C-NEU'];
const entryFee = 'Entry fee in cents (part E); the lower bound is that of one-day events.';
const deadline = (criteria: Criteria, text: string) => row('DEADLINE_TOO_LATE', '27.1', { criteria, text });

/** Rules about announcements: deadlines (§27) and the bounds of fees (part E), which are warnings. */
export const eventRules: readonly Rule[] = [
	deadline(
		{ categories: national },
		'Entries close on the third Monday before the first day, at the latest on the second; on the next working day after a holiday.',
	),
	row('DEADLINE_TOO_LATE', '27.2', {
		criteria: { categories: open },
		text: 'Entries close at the latest at 19:00 on the day before the first day (§35.1).',
	}),
	row('ENTRY_FEE_OUT_OF_BOUNDS', 'E', {
		criteria: { categories: open },
		min: 1_600,
		max: 3_000,
		text: entryFee,
	}),
	row('ENTRY_FEE_OUT_OF_BOUNDS', 'E', {
		criteria: { categories: ['B*', 'B'] },
		min: 1_600,
		max: 3_500,
		text: entryFee,
	}),
	row('ENTRY_FEE_OUT_OF_BOUNDS', 'E', {
		criteria: { categories: ['A*', 'A'] },
		min: 1_600,
		max: 5_000,
		text: entryFee,
	}),
	row('ENTRY_FEE_OUT_OF_BOUNDS', 'E', {
		criteria: { discipline: 'EVENTING' },
		min: 1_600,
		max: 5_000,
		text: entryFee,
	}),
	row('LATE_SURCHARGE_OUT_OF_BOUNDS', '29.6', {
		criteria: {},
		max: 2_500,
		text: 'Surcharge of a late entry in cents (part E).',
	}),
	row('BOX_FEE_OUT_OF_BOUNDS', 'E', {
		criteria: {},
		max: 13_000,
		text: 'Fee of a box in cents if boxes are compulsory.',
	}),
	row('SWAP_FEE_OUT_OF_BOUNDS', 'E', {
		criteria: {},
		max: 1_500,
		text: 'Fee in cents for passing an entry to another horse or rider (§28.3–4).',
	}),
];

/** The Monday `weeks` weeks before the first day, or the next working day after it if it is a holiday. */
export function deadlineDay(startDate: string, weeks: number): string {
	const weekday = (new Date(startDate).getUTCDay() + 6) % 7;
	const mondayBefore = dayAfter(startDate, weekday === 0 ? -7 : -weekday);
	return workingDayFrom(dayAfter(mondayBefore, -7 * (weeks - 1)));
}

/** The findings about an event and its competitions, which its managers read. */
export function judgeEvent(
	event: RuledEvent,
	competitions: readonly OfferedCompetition[],
): readonly CompetitionFinding[] {
	return [
		...judgeAnnouncement(event),
		...competitions.flatMap((one) => judgeCompetition({ ...one, currency: event.currency }, event.category)),
	];
}

function judgeAnnouncement(
	event: RuledEvent,
	table: readonly Rule[] = eventRules,
): readonly CompetitionFinding[] {
	const letters = categoryLetters(event.category);
	const isEventing = /^CCN/.test(event.category);
	const rows = inForce(table, event.startDate).filter(
		({ code, criteria }) =>
			(criteria.categories === undefined ||
				(letters !== undefined && criteria.categories.includes(letters))) &&
			(code !== 'ENTRY_FEE_OUT_OF_BOUNDS' || (criteria.discipline === 'EVENTING') === isEventing),
	);
	return rows.flatMap((rule) => {
		const exceeds = (cents: number) => cents > (rule.max ?? Infinity);
		if (rule.code === 'DEADLINE_TOO_LATE') return deadlineFindings(event, rule);
		const fee = feeOf(event, rule.code);
		// The bounds are in euros. A fee of 0 is one that is not announced yet, or that of licence-free tests.
		if (event.currency !== 'EUR' || fee.cents === 0 || (!exceeds(fee.cents) && fee.cents >= (rule.min ?? 0)))
			return [];
		const bounds = rule.min === undefined ? '' : `from ${amountText(rule.min)} `;
		return [
			{
				rule,
				message: `The ${fee.name} is ${amountText(fee.cents)}; allowed are ${bounds}up to ${amountText(rule.max)}.`,
			},
		];
	});
}

function feeOf(event: RuledEvent, code: string): { readonly name: string; readonly cents: number } {
	if (code === 'LATE_SURCHARGE_OUT_OF_BOUNDS') return { name: 'late surcharge', cents: event.lateSurcharge };
	if (code === 'BOX_FEE_OUT_OF_BOUNDS') return { name: 'fee of a box', cents: event.stableFee };
	if (code === 'SWAP_FEE_OUT_OF_BOUNDS') return { name: 'swap fee', cents: event.swapFee };
	return { name: 'entry fee', cents: event.entryFee };
}

/** From 19:00 to midnight. */
const fromEveningMs = 5 * 3_600_000;

function deadlineFindings(event: RuledEvent, rule: Rule): readonly CompetitionFinding[] {
	const { entryDeadline, startDate, venueTimeZone } = event;
	if (entryDeadline === null) return [];
	const day = dayIn(venueTimeZone, entryDeadline);
	if (rule.paragraph === '27.1') {
		const latest = deadlineDay(startDate, 2);
		const message = `Entries close on ${day}, at the latest allowed is ${latest}; usual is ${deadlineDay(startDate, 3)}.`;
		return day <= latest ? [] : [{ rule, message }];
	}
	const latest = new Date(startOfDay(venueTimeZone, startDate).getTime() - fromEveningMs);
	const at = (instant: Date) => timeIn(venueTimeZone, instant);
	const message = `Entries close on ${at(entryDeadline)}, at the latest allowed is ${at(latest)}.`;
	return entryDeadline <= latest ? [] : [{ rule, message }];
}

/** Holidays of Austria with a fixed day, `MM-DD` (Feiertagsruhegesetz §1). */
const fixed = ['01-01', '01-06', '05-01', '08-15', '10-26', '11-01', '12-08', '12-25', '12-26'];
/** Days after Easter Sunday: Easter Monday, Ascension, Whit Monday, Corpus Christi. */
const movable = [1, 39, 50, 60];

/** Easter Sunday by the Gregorian calendar (anonymous algorithm of Meeus, Jones and Butcher). */
export function easterSunday(year: number): string {
	const a = year % 19;
	const b = Math.floor(year / 100);
	const c = year % 100;
	const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
	const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
	const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
	return `${year}-${String(Math.floor(f / 31)).padStart(2, '0')}-${String((f % 31) + 1).padStart(2, '0')}`;
}

/** Whether `YYYY-MM-DD` is neither Saturday, Sunday nor a holiday. */
export function isWorkingDay(day: string): boolean {
	const weekday = new Date(day).getUTCDay();
	if (weekday === 0 || weekday === 6 || fixed.includes(day.slice(5))) return false;
	const easter = easterSunday(yearOf(day));
	return !movable.some((days) => dayAfter(easter, days) === day);
}

/** The day itself, or the first working day after it. */
export function workingDayFrom(day: string): string {
	return isWorkingDay(day) ? day : workingDayFrom(dayAfter(day));
}
