import type { Discipline } from '../enumerations.ts';
import { classes, classOf } from './levels.ts';
import { type Rule, taskKey } from './rule.ts';
import {
	byDay,
	type EntryRule,
	entryRule,
	type Finding,
	found,
	type RuledEntry,
	type RuledStart,
} from './ruled-entry.ts';

const starts = (count: number) => `${count} start${count === 1 ? '' : 's'}`;

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

/** What a horse may start in, per day and per event (OeTO §§53, 55, 108). */
export const startLimits: readonly EntryRule[] = [
	entryRule({
		code: 'HORSE_CLASS_RANGE',
		paragraph: '53.1',
		about: 'HORSE',
		judge: outsideClassRange,
		text: 'Per event and discipline a horse starts within E to LM, L to M, or LM to S (dressage: M to S). Einlauf (E0, A0) and licence-free tests (§801) do not count.',
	}),
	entryRule({
		code: 'HORSE_TOO_MANY_STARTS',
		paragraph: '55.1.1',
		about: 'HORSE',
		max: 3,
		judge: tooManyStarts,
		text: 'Starts of a horse a day.',
	}),
	entryRule({
		code: 'HORSE_TOO_MANY_STARTS',
		paragraph: '55.1.3',
		about: 'HORSE',
		max: 2,
		judge: afterCrossCountry,
		text: 'A horse that starts in eventing has no other start that day; cross-country tests a day.',
	}),
	entryRule({
		code: 'HORSE_TOO_MANY_STARTS',
		paragraph: '108.2.2',
		about: 'HORSE',
		max: 2,
		judge: tooManyDressageClasses,
		text: 'Dressage tests of class M (with LP) a day; instead one of class S, with one of class M if it is St. Georg, a young riders’ or a seven-year-olds’ test.',
	}),
];
