import { ageInYear } from '@paddock/calendar';
import type { Discipline } from '../enumerations.ts';
import { categoryLetters } from './classes-by-category.ts';
import { classes, classOf } from './levels.ts';
import {
	type Criteria,
	edition2026,
	inForce,
	meets,
	type Rule,
	type RuledCompetition,
	taskKey,
} from './rule.ts';

/** A start as far as rules speak of it. */
export interface RuledStart extends RuledCompetition {
	readonly id: string;
	/** Name and number, for people. */
	readonly title: string;
}

/** A start of the horse at another event. */
export interface StartElsewhere {
	readonly date: string;
	readonly discipline: Discipline;
}

/** What the rules about entries judge; of an event under the OeTO. */
export interface RuledEntry {
	readonly event: {
		readonly category: string;
		readonly officials: readonly { readonly role: string; readonly memberId?: string | null }[];
	};
	readonly rider: { readonly id: string; readonly name: string; readonly birthYear: number } | undefined;
	readonly horse:
		| {
				readonly name: string;
				readonly headNumber: string | null;
				readonly feePaidForYear: number | null;
		  }
		| undefined;
	readonly isLate: boolean;
	/** The starts that are judged. */
	readonly starts: readonly RuledStart[];
	/** Further starts of the horse at the event. */
	readonly others: readonly RuledStart[];
	readonly elsewhere: readonly StartElsewhere[];
}

/** One violation of a rule. */
export interface Finding {
	/** Id of a competition, a day or a discipline: what an override of the finding is about. */
	readonly subject: string;
	readonly message: string;
}

/** A rule about entries with the function that finds its violations. */
export interface EntryRule extends Rule {
	/** Whose data the findings contain. */
	readonly about: 'EVENT' | 'RIDER' | 'HORSE';
	readonly judge: (entry: RuledEntry, rule: Rule) => readonly Finding[];
}

type Row = Pick<EntryRule, 'code' | 'paragraph' | 'text' | 'about'> & Partial<EntryRule>;

const found = (subject: string, message: string): Finding => ({ subject, message });
const starts = (count: number) => `${count} start${count === 1 ? '' : 's'}`;

/** One row of the table; without a function if entries/check-*.ts finds its violations. */
function row({ judge = () => [], ...rule }: Row): EntryRule {
	return { level: 'ERROR', validFrom: edition2026, overridable: true, criteria: {}, ...rule, judge };
}

/** The days of the judged starts, with all starts of the horse on them. */
function byDay({ starts: judged, others }: RuledEntry): ReadonlyMap<string, readonly RuledStart[]> {
	const days = [...new Set(judged.map(({ date }) => date))];
	return new Map(days.map((day) => [day, [...judged, ...others].filter(({ date }) => date === day)]));
}

function tooManyStarts(entry: RuledEntry, { max = 0 }: Rule): readonly Finding[] {
	return [...byDay(entry)].flatMap(([day, onDay]) => {
		const count = onDay.length + entry.elsewhere.filter(({ date }) => date === day).length;
		const text = `${entry.horse?.name} would have ${starts(count)} on ${day}; ${max} are allowed.`;
		return count > max ? [found(day, text)] : [];
	});
}

/** Tests of class S that may be combined with one of class M (§108.2.2). */
const easierTasks =
	/^(ST|SANKT|SAINT) ?GEORGE?|^PSG|^PRIX ST|^YR|YOUNG RIDER|JUNGE REITER|7 ?(-|JÄHRIG|YEAR)/;

function tooManyDressageClasses(entry: RuledEntry, { max = 0 }: Rule): readonly Finding[] {
	return [...byDay(entry)].flatMap(([day, onDay]) => {
		const dressage = onDay.filter(({ discipline }) => discipline === 'DRESSAGE');
		const ofM = dressage.filter((start) => classOf(start) === 'M').length;
		const ofS = dressage.filter((start) => classOf(start) === 'S');
		const isEasier = ofS.every(({ task }) => task !== null && easierTasks.test(taskKey(task)));
		const isAllowed = ofS.length === 0 ? ofM <= max : ofS.length === 1 && ofM <= (isEasier ? 1 : 0);
		const text = `${entry.horse?.name} would have ${starts(ofM)} of class M (with LP) and ${ofS.length} of class S in dressage on ${day}.`;
		return isAllowed ? [] : [found(day, text)];
	});
}

function afterCrossCountry(entry: RuledEntry, { max = 0 }: Rule): readonly Finding[] {
	return [...byDay(entry)].flatMap(([day, onDay]) => {
		const eventing = onDay.filter(({ discipline }) => discipline === 'EVENTING').length;
		if (eventing === 0 || (eventing === onDay.length && eventing <= max)) return [];
		return [
			found(
				day,
				`${entry.horse?.name} starts in eventing on ${day} and has ${starts(onDay.length)} that day.`,
			),
		];
	});
}

/** Neighbouring classes in which a horse may start at one event. */
const windows: readonly (readonly [lowest: string, highest: string])[] = [
	['E', 'LM'],
	['L', 'M'],
	['LM', 'S'],
];
const dressageWindows = [...windows.slice(0, 2), ['M', 'S']] as const;

function outsideClassRange(entry: RuledEntry): readonly Finding[] {
	const counted = (list: readonly RuledStart[], discipline: Discipline) =>
		list
			.filter((start) => start.discipline === discipline)
			.filter(({ kind }) => kind !== 'LICENCE_FREE' && kind !== 'INTRODUCTORY')
			.flatMap((start) => classOf(start) ?? []);
	const disciplines = [...new Set(entry.starts.map(({ discipline }) => discipline))];
	return disciplines.flatMap((discipline) => {
		const judged = counted(entry.starts, discipline);
		const names = [...judged, ...counted(entry.others, discipline)];
		const allowed = discipline === 'DRESSAGE' ? dressageWindows : windows;
		const isWithin = allowed.some(([lowest, highest]) =>
			names.every(
				(name) =>
					classes.indexOf(lowest) <= classes.indexOf(name) &&
					classes.indexOf(name) <= classes.indexOf(highest),
			),
		);
		if (judged.length === 0 || isWithin) return [];
		const ranges = allowed.map(([lowest, highest]) => `${lowest} to ${highest}`).join(' or ');
		const list = [...new Set(names)].toSorted((a, b) => classes.indexOf(a) - classes.indexOf(b)).join(', ');
		return [
			found(discipline, `${entry.horse?.name} would start in the classes ${list}; allowed are ${ranges}.`),
		];
	});
}

function atTwoEvents({ horse, starts: judged, elsewhere }: RuledEntry): readonly Finding[] {
	return judged.flatMap(({ id, title, date, discipline }) => {
		const other = elsewhere.find((start) => start.date === date && start.discipline === discipline);
		// The other event is not named: who starts there is not public.
		const text = `${horse?.name} starts at another event on ${date}, the day of ${title}.`;
		return other === undefined ? [] : [found(id, text)];
	});
}

const ruling = ['JUDGE', 'STEWARD', 'COURSE_DESIGNER'];

function ridesAsOfficial({ event, rider }: RuledEntry): readonly Finding[] {
	const roles = event.officials
		.filter(({ role, memberId }) => ruling.includes(role) && memberId === rider?.id)
		.map(({ role }) => role);
	if (rider === undefined || roles.length === 0) return [];
	return [found('officials', `${rider.name} is ${roles.join(', ')} of the event.`)];
}

function tooYoungForPower(
	{ rider, starts: judged }: RuledEntry,
	{ max = 0, criteria }: Rule,
): readonly Finding[] {
	if (rider === undefined) return [];
	return judged.flatMap((start) => {
		const age = ageInYear(rider.birthYear, start.date);
		if (age > max || !meets(criteria, start, start)) return [];
		return [found(start.id, `${rider.name} counts as ${age}; ${start.title} is not for the youth.`)];
	});
}

/** Tests that horses without a registration may start in (§10.6). */
function needsRegistration({ event, starts: judged }: RuledEntry): boolean {
	const isNew = categoryLetters(event.category) === 'C-NEU';
	return judged.some(({ discipline, heightCm, distanceKm, task }) => {
		if (discipline === 'VAULTING') return false;
		if (discipline === 'ENDURANCE') return distanceKm === null || distanceKm > 40;
		if (!isNew) return true;
		if (discipline === 'JUMPING') return heightCm === null || heightCm > 90;
		return !(discipline === 'DRESSAGE' && task !== null && /^R ?[1-4]$/.test(taskKey(task)));
	});
}

function isNotRegistered(entry: RuledEntry): readonly Finding[] {
	const { horse } = entry;
	if (horse === undefined || horse.headNumber !== null || !needsRegistration(entry)) return [];
	return [found('horse', `${horse.name} has no head number of the federation.`)];
}

function hasLapsed({ horse, starts: judged }: RuledEntry, { max = 0 }: Rule): readonly Finding[] {
	const year = Math.max(...judged.map(({ date }) => Number(date.slice(0, 4))));
	if (horse === undefined || horse.feePaidForYear === null || year - horse.feePaidForYear <= max) return [];
	return [found('horse', `The registration fee of ${horse.name} was last paid for ${horse.feePaidForYear}.`)];
}

const power: Criteria = { kinds: ['POWER_AND_SKILL'] };

/** Rules about entries (OeTO parts A and B). A further rule is a row here with its function above, and its test. */
export const entryRules: readonly EntryRule[] = [
	row({
		code: 'HORSE_NOT_REGISTERED',
		paragraph: '10.1',
		level: 'WARNING',
		about: 'HORSE',
		judge: isNotRegistered,
		text: 'A horse is registered with the federation. Not needed at C-NEU in dressage R1 to R4 and jumping up to 90 cm, in vaulting, and in endurance up to 40 km (§10.6).',
	}),
	row({
		code: 'HORSE_FEE_UNPAID',
		paragraph: '10.4',
		level: 'WARNING',
		about: 'HORSE',
		text: 'The yearly fee of the horse is paid.',
	}),
	row({
		code: 'HORSE_LAPSED',
		paragraph: '10.5',
		about: 'HORSE',
		max: 3,
		judge: hasLapsed,
		text: 'Years without the yearly fee after which the registration lapses.',
	}),
	row({
		code: 'AGE_CLASS_MISMATCH',
		paragraph: '12.2',
		about: 'RIDER',
		text: 'The rider belongs to an age class of the competition, by the calendar year of the first day of the event (§41.1). The classes are in the master data.',
	}),
	row({
		code: 'HOME_CLUB_MISSING',
		paragraph: '13',
		level: 'WARNING',
		about: 'RIDER',
		text: 'The rider has a home club of the federation.',
	}),
	row({
		code: 'ENTRY_DUPLICATE',
		paragraph: '26.1',
		about: 'HORSE',
		overridable: false,
		text: 'One entry and one entry fee per horse. A second rider of the horse has an entry without entry fee, for competitions in which §55.1.2 allows several riders.',
	}),
	row({
		code: 'HORSE_AT_TWO_EVENTS',
		paragraph: '28.5',
		about: 'HORSE',
		judge: atTwoEvents,
		text: 'A horse does not start at two events on the same day in the same discipline.',
	}),
	row({
		code: 'LATE_ENTRY',
		paragraph: '29',
		level: 'WARNING',
		about: 'EVENT',
		judge: ({ isLate }) => (isLate ? [found('entry', 'The entry is late; the surcharge is due.')] : []),
		text: 'A late entry costs the surcharge (§29.6).',
	}),
	row({
		code: 'OFFICIAL_MUST_NOT_RIDE',
		paragraph: '32.3',
		about: 'EVENT',
		judge: ridesAsOfficial,
		text: 'Judges, stewards and course designers do not start at their event (§50.4).',
	}),
	row({
		code: 'HORSE_CLASS_RANGE',
		paragraph: '53.1',
		about: 'HORSE',
		judge: outsideClassRange,
		text: 'Per event and discipline a horse starts within E to LM, L to M, or LM to S (dressage: M to S). Einlauf (E0, A0) and licence-free tests (§801) do not count.',
	}),
	row({
		code: 'YOUTH_NOT_ALLOWED',
		paragraph: '54.1.6',
		about: 'RIDER',
		criteria: power,
		max: 15,
		judge: tooYoungForPower,
		text: 'The youth does not start in Mächtigkeit and Barrieren; age in years up to which a rider belongs to it.',
	}),
	row({
		code: 'RIDER_TOO_MANY_HORSES',
		paragraph: '54.1.7',
		about: 'RIDER',
		max: 3,
		text: 'Horses of a rider in a competition.',
	}),
	row({
		code: 'HORSE_TOO_MANY_STARTS',
		paragraph: '55.1.1',
		about: 'HORSE',
		max: 3,
		judge: tooManyStarts,
		text: 'Starts of a horse a day.',
	}),
	row({
		code: 'HORSE_TWICE_IN_COMPETITION',
		paragraph: '55.1.2',
		about: 'HORSE',
		overridable: false,
		max: 1,
		text: 'Starts of a horse in a competition, each with another rider.',
	}),
	riders(3, { kinds: ['LICENCE_FREE'] }),
	riders(2, { discipline: 'DRESSAGE', categories: ['C-NEU'], tasks: ['R1', 'R2', 'R3', 'R4', 'R5', 'R6'] }),
	riders(2, { discipline: 'JUMPING', categories: ['C-NEU'], heightCm: [0, 95] }),
	row({
		code: 'HORSE_TOO_MANY_STARTS',
		paragraph: '55.1.3',
		about: 'HORSE',
		max: 2,
		judge: afterCrossCountry,
		text: 'A horse that starts in eventing has no other start that day; cross-country tests a day.',
	}),
	row({
		code: 'HORSE_TOO_MANY_STARTS',
		paragraph: '108.2.2',
		about: 'HORSE',
		max: 2,
		judge: tooManyDressageClasses,
		text: 'Dressage tests of class M (with LP) a day; instead one of class S, with one of class M if it is St. Georg, a young riders’ or a seven-year-olds’ test.',
	}),
	row({
		code: 'NOT_A_PONY',
		paragraph: '900.2',
		about: 'HORSE',
		text: 'Only ponies, up to 148 cm, start in competitions for ponies.',
	}),
];

function riders(max: number, criteria: Criteria): EntryRule {
	return row({
		code: 'HORSE_TWICE_IN_COMPETITION',
		paragraph: '55.1.2',
		about: 'HORSE',
		overridable: false,
		criteria,
		max,
		text: 'Starts of a horse in a competition, each with another rider.',
	});
}

/** The last day of the judged starts decides which edition applies. */
const dayOf = (judged: readonly RuledStart[]) =>
	judged
		.map(({ date }) => date)
		.toSorted()
		.at(-1) ?? edition2026;

/** All violations, in the order of the table. */
export function judgeByRules(
	entry: RuledEntry,
	table: readonly EntryRule[] = entryRules,
): readonly (Finding & { readonly rule: EntryRule })[] {
	return inForce(table, dayOf(entry.starts)).flatMap((rule) =>
		rule.judge(entry, rule).map((finding) => ({ ...finding, rule })),
	);
}

/** The row without criteria of a code; undefined if the rules do not know it on that day. */
export function ruleOf(code: string, date: string): Rule | undefined {
	return inForce(entryRules, date).find(
		({ code: own, criteria }) => own === code && Object.keys(criteria).length === 0,
	);
}

/** How many riders may start with the same horse in a competition (§55.1.2). */
export function ridersPerHorse(competition: RuledCompetition, category: string): number {
	const { heightCm } = competition;
	const rows = inForce(entryRules, competition.date).filter(
		({ code, criteria }) =>
			code === 'HORSE_TWICE_IN_COMPETITION' &&
			meets(criteria, competition, { heightCm, category: categoryLetters(category) }),
	);
	return Math.max(1, ...rows.map(({ max = 1 }) => max));
}
