import { categoryLetters } from './classes-by-category.ts';
import { type Criteria, type Rule, taskKey } from './rule.ts';
import { type EntryRule, entryRule, type Finding, found, type RuledEntry } from './ruled-entry.ts';

function atTwoEvents({ horse, starts: judged, elsewhere }: RuledEntry): readonly Finding[] {
	return judged.flatMap(({ id, title, date, discipline }) => {
		const other = elsewhere.find((start) => start.date === date && start.discipline === discipline);
		// The other event is not named: who starts there is not public.
		const text = `${horse?.name} starts at another event on ${date}, the day of ${title}.`;
		return other === undefined ? [] : [found(id, text)];
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

function riders(max: number, criteria: Criteria): EntryRule {
	return entryRule({
		code: 'HORSE_TWICE_IN_COMPETITION',
		paragraph: '55.1.2',
		about: 'HORSE',
		overridable: false,
		criteria,
		max,
		text: 'Starts of a horse in a competition, each with another rider.',
	});
}

/** Registration of the horse, and where else it starts (OeTO §§10, 26, 28, 55.1.2, 900). */
export const horseRules: readonly EntryRule[] = [
	entryRule({
		code: 'HORSE_NOT_REGISTERED',
		paragraph: '10.1',
		level: 'WARNING',
		about: 'HORSE',
		judge: isNotRegistered,
		text: 'A horse is registered with the federation. Not needed at C-NEU in dressage R1 to R4 and jumping up to 90 cm, in vaulting, and in endurance up to 40 km (§10.6).',
	}),
	entryRule({
		code: 'HORSE_FEE_UNPAID',
		paragraph: '10.4',
		level: 'WARNING',
		about: 'HORSE',
		text: 'The yearly fee of the horse is paid.',
	}),
	entryRule({
		code: 'HORSE_LAPSED',
		paragraph: '10.5',
		about: 'HORSE',
		max: 3,
		judge: hasLapsed,
		text: 'Years without the yearly fee after which the registration lapses.',
	}),
	entryRule({
		code: 'ENTRY_DUPLICATE',
		paragraph: '26.1',
		about: 'HORSE',
		overridable: false,
		text: 'One entry and one entry fee per horse. A second rider of the horse has an entry without entry fee, for competitions in which §55.1.2 allows several riders.',
	}),
	entryRule({
		code: 'HORSE_AT_TWO_EVENTS',
		paragraph: '28.5',
		about: 'HORSE',
		judge: atTwoEvents,
		text: 'A horse does not start at two events on the same day in the same discipline.',
	}),
	entryRule({
		code: 'NOT_A_PONY',
		paragraph: '900.2',
		about: 'HORSE',
		text: 'Only ponies, up to 148 cm, start in competitions for ponies.',
	}),
	entryRule({
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
];
