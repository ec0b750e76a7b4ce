import { ageInYear } from '@paddock/calendar';
import { meets, type Rule } from './rule.ts';
import { type EntryRule, entryRule, type Finding, found, type RuledEntry } from './ruled-entry.ts';

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

function mayNotBeChampion({ rider, starts: judged, championships }: RuledEntry): readonly Finding[] {
	if (rider === undefined) return [];
	const yearOf = ({ date }: { readonly date: string }) => date.slice(0, 4);
	return judged.flatMap((start) => {
		const { id, title, championship, discipline } = start;
		if (championship === null) return [];
		const text = `${title} is part of a championship; ${rider.name}`;
		if (rider.nationality !== 'AT') return [found(id, `${text} is not an Austrian citizen.`)];
		const other = [...championships, ...judged].find(
			(one) =>
				one.championship !== null &&
				one.championship !== championship &&
				one.discipline === discipline &&
				yearOf(one) === yearOf(start),
		);
		return other === undefined
			? []
			: [found(id, `${text} starts in another one of the discipline in ${yearOf(start)}.`)];
	});
}

/** Who may ride (OeTO §§12, 13, 32, 54). */
export const riderRules: readonly EntryRule[] = [
	entryRule({
		code: 'AGE_CLASS_MISMATCH',
		paragraph: '12.2',
		about: 'RIDER',
		text: 'The rider belongs to an age class of the competition, by the calendar year of the first day of the event (§41.1). The classes are in the master data.',
	}),
	entryRule({
		code: 'HOME_CLUB_MISSING',
		paragraph: '13',
		level: 'WARNING',
		about: 'RIDER',
		text: 'The rider has a home club of the federation.',
	}),
	entryRule({
		code: 'OFFICIAL_MUST_NOT_RIDE',
		paragraph: '32.3',
		about: 'EVENT',
		judge: ridesAsOfficial,
		text: 'Judges, stewards and course designers do not start at their event (§50.4).',
	}),
	entryRule({
		code: 'RIDER_ON_SUSPENSION_LIST',
		paragraph: '54.1.1',
		about: 'RIDER',
		overridable: false,
		text: 'Suspended riders do not start until the office ends the suspension (§28.1, §2028.2).',
	}),
	entryRule({
		code: 'YOUTH_NOT_ALLOWED',
		paragraph: '54.1.6',
		about: 'RIDER',
		criteria: { kinds: ['POWER_AND_SKILL'] },
		max: 15,
		judge: tooYoungForPower,
		text: 'The youth does not start in Mächtigkeit and Barrieren; age in years up to which a rider belongs to it.',
	}),
	entryRule({
		code: 'RIDER_TOO_MANY_HORSES',
		paragraph: '54.1.7',
		about: 'RIDER',
		max: 3,
		text: 'Horses of a rider in a competition.',
	}),
	entryRule({
		code: 'CHAMPIONSHIP_NOT_ALLOWED',
		paragraph: '1301',
		about: 'RIDER',
		judge: mayNotBeChampion,
		text: 'Championships are for Austrian citizens, who start in one of them (age class and tour) per discipline and year.',
	}),
];
