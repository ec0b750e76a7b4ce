import { expect, test } from '@jest/globals';
import { rulesOn } from './catalogue.ts';
import type { Criteria, Range, Rule } from './rule.ts';

const range = (of: Range | undefined, unit: string) =>
	of === undefined ? [] : [`${of[0]}–${of[1]} ${unit}`];

function wheres({ discipline, ponyOnly, kinds, levels, tasks, heightCm, distanceKm, categories }: Criteria) {
	const riders = ponyOnly === undefined ? undefined : ponyOnly ? 'ponies' : 'horses';
	const tests = tasks === undefined ? undefined : `${tasks[0]}…`;
	const all = [
		discipline,
		riders,
		kinds,
		levels,
		tests,
		...range(heightCm, 'cm'),
		...range(distanceKm, 'km'),
		categories,
	];
	return all.filter((part) => part !== undefined).map(String);
}

/** A row as it is printed in the OeTO: bounds, and where they apply. */
function printed({ paragraph, code, level, overridable, min, max, allowed, criteria }: Rule): string {
	const bounds = [
		...(min === undefined ? [] : [`≥ ${min}`]),
		...(max === undefined ? [] : [`≤ ${max}`]),
		...(allowed === undefined ? [] : [allowed.join(', ')]),
	];
	const where = wheres(criteria).join(' · ') || 'all';
	return `§${paragraph} ${code} ${level}${overridable ? ', override' : ''}: ${bounds.join(' ') || '–'} · ${where}`;
}

// The other tests read the bounds from the rows; these are those of the text. A row of 2026 does not change: a later
// edition is another row with its own `validFrom`.
test('the rows of 2026 are those of the OeTO 2026', () => {
	expect(rulesOn('2026-06-12').map(printed)).toEqual([
		'§10.1 HORSE_NOT_REGISTERED WARNING, override: – · all',
		'§10.4 HORSE_FEE_UNPAID WARNING, override: – · all',
		'§10.5 HORSE_LAPSED ERROR, override: ≤ 3 · all',
		'§26.1 ENTRY_DUPLICATE ERROR: – · all',
		'§28.5 HORSE_AT_TWO_EVENTS ERROR, override: – · all',
		'§900.2 NOT_A_PONY ERROR, override: – · all',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 1 · all',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 3 · LICENCE_FREE',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 2 · DRESSAGE · R1… · C-NEU',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 2 · JUMPING · 0–95 cm · C-NEU',
		'§12.2 AGE_CLASS_MISMATCH ERROR, override: – · all',
		'§13 HOME_CLUB_MISSING WARNING, override: – · all',
		'§32.3 OFFICIAL_MUST_NOT_RIDE ERROR, override: – · all',
		'§54.1.1 RIDER_ON_SUSPENSION_LIST ERROR: – · all',
		'§54.1.6 YOUTH_NOT_ALLOWED ERROR, override: ≤ 15 · POWER_AND_SKILL',
		'§54.1.7 RIDER_TOO_MANY_HORSES ERROR, override: ≤ 3 · all',
		'§1301 CHAMPIONSHIP_NOT_ALLOWED ERROR, override: – · all',
		'§53.1 HORSE_CLASS_RANGE ERROR, override: – · all',
		'§55.1.1 HORSE_TOO_MANY_STARTS ERROR, override: ≤ 3 · all',
		'§55.1.3 HORSE_TOO_MANY_STARTS ERROR, override: ≤ 2 · all',
		'§108.2.2 HORSE_TOO_MANY_STARTS ERROR, override: ≤ 2 · all',
		'§29 LATE_ENTRY WARNING, override: – · all',
		'§23.4 NO_REFUND WARNING, override: ≥ 10 · all',
		'§28.7 NO_REFUND WARNING, override: – · all',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · all',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · L',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · LP,LM,M,M*,M**,M***,S,S*,S**,S***',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · EVENTING · 0–100 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · EVENTING · 101–105 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · EVENTING · 106–999 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · EVENTING · ponies · 86–90 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · EVENTING · ponies · 91–999 cm',
		'§108.2.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · DRESSAGE · LP',
		'§108.2.3 HORSE_TOO_YOUNG ERROR, override: ≥ 7 · DRESSAGE · S',
		'§108.2.3 HORSE_TOO_YOUNG ERROR, override: ≥ 8 · DRESSAGE · INTERMEDIATE A…',
		'§108.2.3 HORSE_TOO_YOUNG ERROR, override: ≥ 8 · DRESSAGE · S · INTERMEDIATE A…',
		'§200.7 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · JUMPING · 0–79 cm',
		'§200.7 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · JUMPING · 80–110 cm',
		'§200.7 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · JUMPING · 111–130 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · JUMPING · 131–999 cm',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 4 ≤ 6 · DRESSAGE · YOUNG_HORSE · A',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 5 ≤ 6 · DRESSAGE · YOUNG_HORSE · L',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 6 ≤ 7 · DRESSAGE · YOUNG_HORSE · LP,LM,M',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 7 ≤ 8 · DRESSAGE · YOUNG_HORSE · S',
		'§200.6 HORSE_TOO_OLD ERROR, override: ≥ 4 ≤ 6 · JUMPING · YOUNG_HORSE · 95–110 cm',
		'§200.6 HORSE_TOO_OLD ERROR, override: ≥ 5 ≤ 6 · JUMPING · YOUNG_HORSE · 111–130 cm',
		'§200.6 HORSE_TOO_OLD ERROR, override: ≥ 6 ≤ 7 · JUMPING · YOUNG_HORSE · 131–135 cm',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · ENDURANCE',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · ENDURANCE · 0–49 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · ENDURANCE · 50–99 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · ENDURANCE · 100–119 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 7 · ENDURANCE · 120–139 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 8 · ENDURANCE · 140–999 km',
		'§1102 HORSE_TOO_OLD ERROR, override: ≥ 3 ≤ 5 · RIDING_HORSE',
		'§1103 HORSE_TOO_OLD ERROR, override: ≥ 4 ≤ 6 · SUITABILITY',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: L, LP, LM, M, S · DRESSAGE · A*,A',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L, LP, LM, M, S · DRESSAGE · B*',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L, LP, LM, M · DRESSAGE · B',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L, LM · DRESSAGE · C',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L · DRESSAGE · C-NEU',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 115 ≤ 160 · JUMPING · A*',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 115 ≤ 145 · JUMPING · A',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 140 · JUMPING · B*',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 135 · JUMPING · B',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 130 · JUMPING · C',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 115 · JUMPING · C-NEU',
		'§300 CLASS_NOT_IN_CATEGORY ERROR: ≤ 100 · EVENTING · C',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: ≤ 1 · DRESSAGE · S · B*',
		'§27.1 DEADLINE_TOO_LATE WARNING: – · A*,A,B*,B',
		'§27.2 DEADLINE_TOO_LATE WARNING: – · C,C-NEU',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 3000 · C,C-NEU',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 3500 · B*,B',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 5000 · A*,A',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 5000 · EVENTING',
		'§29.6 LATE_SURCHARGE_OUT_OF_BOUNDS WARNING: ≤ 2500 · all',
		'§E BOX_FEE_OUT_OF_BOUNDS WARNING: ≤ 13000 · all',
		'§E SWAP_FEE_OUT_OF_BOUNDS WARNING: ≤ 1500 · all',
		'§22.2 PRIZE_NOT_ALLOWED ERROR: – · E,E0',
		'§22.2 PRIZE_NOT_ALLOWED ERROR: – · LICENCE_FREE',
		'§109 PRIZE_NOT_ALLOWED ERROR: – · DRESSAGE · C-NEU',
		'§231 PRIZE_NOT_ALLOWED ERROR: – · JUMPING · C-NEU',
		'§36.2 START_FEE_TOO_HIGH ERROR: – · all',
		'§E START_FEE_TOO_HIGH WARNING: ≤ 2000 · all',
		'§109 START_FEE_TOO_HIGH WARNING: ≤ 1500 · DRESSAGE · C-NEU',
		'§231 START_FEE_TOO_HIGH WARNING: ≤ 1500 · JUMPING · C-NEU',
		'§900.3 DIVISION_REQUIRED ERROR: RIDER_AGE · ponies',
		'§39.1 DIVISION_REQUIRED WARNING: LICENCE · DRESSAGE · horses · STANDARD,STYLE · A,L,LP',
		'§39.1 DIVISION_REQUIRED WARNING: LICENCE · JUMPING · horses · STANDARD,STYLE · A,L',
		'§231 DIVISION_REQUIRED WARNING: LICENCE · JUMPING · horses · STANDARD,STYLE · C-NEU',
		'§100.5 DIVISION_REQUIRED WARNING: HORSE_AGE · DRESSAGE · YOUNG_HORSE · A',
		'§200.6 DIVISION_REQUIRED WARNING: HORSE_AGE · JUMPING · YOUNG_HORSE · 95–110 cm',
		'§39.2 DIVISION_REQUIRED WARNING: ≤ 30 · JUMPING · STYLE,YOUNG_HORSE',
		'§39.3 DIVISION_REQUIRED WARNING: ≤ 30 LICENCE, PLACES · JUMPING · STYLE,YOUNG_HORSE',
		'§39.2 DIVISION_REQUIRED WARNING: ≤ 40 · EVENTING',
		'§39.3 DIVISION_REQUIRED WARNING: ≤ 40 LICENCE, PLACES · EVENTING',
		'§39.2 DIVISION_REQUIRED WARNING: ≤ 80 · JUMPING · STANDARD,INTRODUCTORY,LICENCE_FREE,POWER_AND_SKILL',
		'§39.3 DIVISION_REQUIRED WARNING: ≤ 80 LICENCE, PLACES · JUMPING · STANDARD,INTRODUCTORY,LICENCE_FREE,POWER_AND_SKILL',
		'§25.2 TOO_FEW_STARTERS WARNING: ≥ 3 · all',
		'§38.2 START_GAP_TOO_SMALL WARNING: ≥ 6 · all',
	]);
});
