import { describe, expect, test } from '@jest/globals';
import { entryRules, judgeByRules, ridersPerHorse } from './entry-rules.ts';
import type { RuledCompetition } from './rule.ts';
import type { RuledEntry, RuledStart } from './ruled-entry.ts';

let running = 0;

function start(changes: Partial<RuledStart> = {}): RuledStart {
	running += 1;
	return {
		id: `c${running}`,
		title: `Prüfung (no. ${running})`,
		discipline: 'JUMPING',
		kind: 'STANDARD',
		level: 'A',
		heightCm: null,
		distanceKm: null,
		task: null,
		ponyOnly: false,
		championship: null,
		date: '2026-06-12',
		...changes,
	};
}

const dressage = (level: string, task: string | null = null) =>
	start({ discipline: 'DRESSAGE', level, task });

function entry(starts: readonly RuledStart[], changes: Partial<RuledEntry> = {}): RuledEntry {
	return {
		event: { category: 'CSN-B', officials: [] },
		rider: { id: 'rider', name: 'Eva', birthYear: 1992, nationality: 'AT' },
		horse: { name: 'Wichtel', headNumber: 'D001', feePaidForYear: 2026 },
		isLate: false,
		starts,
		others: [],
		elsewhere: [],
		championships: [],
		...changes,
	};
}

const found = (ruled: RuledEntry) =>
	judgeByRules(ruled).map(({ rule: { code, level, paragraph } }) => `${level} ${code} ${paragraph}`);

describe('starts a day', () => {
	const tooMany = 'ERROR HORSE_TOO_MANY_STARTS';
	test.each<[string, RuledEntry, readonly string[]]>([
		['three', entry([start(), start(), start()]), []],
		['four', entry([start(), start(), start(), start()]), [`${tooMany} 55.1.1`]],
		['four on two days', entry([start(), start(), start(), start({ date: '2026-06-13' })]), []],
		[
			'three and one of another entry',
			entry([start()], { others: [start(), start(), start()] }),
			[`${tooMany} 55.1.1`],
		],
		['eventing alone', entry([start({ discipline: 'EVENTING', level: 'V90' })]), []],
		[
			'eventing and jumping',
			entry([start({ discipline: 'EVENTING', level: 'V90' }), start()]),
			[`${tooMany} 55.1.3`],
		],
		['two M', entry([dressage('M'), dressage('LP')]), []],
		['three M', entry([dressage('M'), dressage('M'), dressage('LP')]), [`${tooMany} 108.2.2`]],
		['one S', entry([dressage('S')]), []],
		['two S', entry([dressage('S'), dressage('S')]), [`${tooMany} 108.2.2`]],
		['S and M', entry([dressage('S'), dressage('M')]), [`${tooMany} 108.2.2`]],
		['St. Georg and M', entry([dressage('S', 'St. Georg'), dressage('M')]), []],
		[
			'St. Georg and two M',
			entry([dressage('S', 'St. Georg'), dressage('M'), dressage('M')]),
			[`${tooMany} 108.2.2`],
		],
	])('%s', (_name, ruled, expected) => {
		expect(found(ruled)).toEqual(expected);
	});
});

describe('class range of one event', () => {
	const outside = ['ERROR HORSE_CLASS_RANGE 53.1'];
	const days = (levels: readonly string[], discipline: RuledStart['discipline'] = 'JUMPING') =>
		levels.map((level, index) => start({ level, discipline, date: `2026-06-1${index}` }));
	test.each<[string, readonly RuledStart[], readonly string[]]>([
		['E to LM', days(['E', 'A', 'LM']), []],
		['L to M', days(['L', 'M']), []],
		['LM to S', days(['LM', 'S**']), []],
		['A and M', days(['A', 'M']), outside],
		['L and S', days(['L', 'S*']), outside],
		['M and S in dressage', days(['M', 'S'], 'DRESSAGE'), []],
		['LM and S in dressage', days(['LM', 'S'], 'DRESSAGE'), outside],
		['Einlauf and M', days(['E0', 'M']), []],
		['licence-free and M', [start({ kind: 'LICENCE_FREE', level: 'A' }), start({ level: 'M' })], []],
		['two disciplines', [start(), dressage('M')], []],
	])('%s', (_name, starts, expected) => {
		expect(found(entry(starts))).toEqual(expected);
		const [first, ...others] = starts;
		if (first !== undefined) expect(found(entry([first], { others }))).toEqual(expected);
	});
});

test('a horse does not start at two events on one day in one discipline', () => {
	const elsewhere = (discipline: RuledStart['discipline'], date = '2026-06-12') => ({ discipline, date });
	expect(found(entry([start()], { elsewhere: [elsewhere('JUMPING')] }))).toEqual([
		'ERROR HORSE_AT_TWO_EVENTS 28.5',
	]);
	const others = [elsewhere('DRESSAGE'), elsewhere('JUMPING', '2026-06-13')];
	expect(found(entry([start()], { elsewhere: others }))).toEqual([]);
});

test.each([
	['JUDGE', true],
	['STEWARD', true],
	['COURSE_DESIGNER', true],
	['SHOW_OFFICE', false],
])('a %s rides: refused %p', (role, isRefused) => {
	const event = { category: 'CSN-B', officials: [{ role, memberId: 'rider' }] };
	expect(found(entry([start()], { event }))).toEqual(isRefused ? ['ERROR OFFICIAL_MUST_NOT_RIDE 32.3'] : []);
	const others = { category: 'CSN-B', officials: [{ role, memberId: null }] };
	expect(found(entry([start()], { event: others }))).toEqual([]);
});

test.each([
	[2011, ['ERROR YOUTH_NOT_ALLOWED 54.1.6']],
	[2010, []],
])('a rider born %i in Mächtigkeit', (birthYear, expected) => {
	const rider = { id: 'rider', name: 'Ivo', birthYear, nationality: 'AT' };
	expect(found(entry([start({ kind: 'POWER_AND_SKILL', level: 'S' })], { rider }))).toEqual(expected);
	expect(found(entry([start()], { rider }))).toEqual([]);
});

describe('registration of the horse', () => {
	const horse = { name: 'Wichtel', headNumber: null, feePaidForYear: 2026 };
	const missing = ['WARNING HORSE_NOT_REGISTERED 10.1'];
	const neu = { category: 'CSN-C-NEU', officials: [] };
	test.each<[string, RuledEntry, readonly string[]]>([
		['is missing', entry([start()], { horse }), missing],
		['is not needed up to 90 cm at C-NEU', entry([start({ heightCm: 90 })], { horse, event: neu }), []],
		['is needed from 95 cm', entry([start({ heightCm: 95 })], { horse, event: neu }), missing],
		['is not needed in R4', entry([dressage('L', 'R4')], { horse, event: neu }), []],
		['is needed in R5', entry([dressage('L', 'R5')], { horse, event: neu }), missing],
		['is not needed for 40 km', entry([start({ discipline: 'ENDURANCE', distanceKm: 40 })], { horse }), []],
	])('%s', (_name, ruled, expected) => {
		expect(found(ruled)).toEqual(expected);
	});

	test('lapses after more than three years without the fee', () => {
		const paid = (feePaidForYear: number | null) =>
			found(entry([start()], { horse: { ...horse, headNumber: 'D1', feePaidForYear } }));
		expect([paid(2023), paid(null)]).toEqual([[], []]);
		expect(paid(2022)).toEqual(['ERROR HORSE_LAPSED 10.5']);
	});
});

describe('championships', () => {
	const part = (championship: string | null, changes: Partial<RuledStart> = {}) =>
		start({ championship, ...changes });
	const started = (championship: string, changes: object = {}) => ({
		championship,
		discipline: 'JUMPING' as const,
		date: '2026-05-01',
		...changes,
	});
	const german = { id: 'rider', name: 'Eva', birthYear: 1992, nationality: 'DE' };
	const refused = ['ERROR CHAMPIONSHIP_NOT_ALLOWED 1301'];
	test.each<[string, RuledEntry, readonly string[]]>([
		['a citizen', entry([part('ÖM Junioren')]), []],
		['a foreigner', entry([part('ÖM Junioren')], { rider: german }), refused],
		['a foreigner elsewhere', entry([part(null)], { rider: german }), []],
		['two rounds of one', entry([part('ÖM'), part('ÖM', { date: '2026-06-13' })]), []],
		['two at one event', entry([part('ÖM'), part('ÖM U25')]), [...refused, ...refused]],
		['another one that year', entry([part('ÖM')], { championships: [started('ÖM U25')] }), refused],
		['the same elsewhere', entry([part('ÖM')], { championships: [started('ÖM')] }), []],
		[
			'another one in another discipline or year',
			entry([part('ÖM')], {
				championships: [
					started('ÖM U25', { discipline: 'DRESSAGE' }),
					started('ÖM U25', { date: '2025-05-01' }),
				],
			}),
			[],
		],
	])('%s', (_name, ruled, expected) => {
		expect(found(ruled)).toEqual(expected);
	});
});

test('a late entry is named', () => {
	expect(found(entry([start()], { isLate: true }))).toEqual(['WARNING LATE_ENTRY 29']);
});

test.each<[string, Partial<RuledCompetition>, string, number]>([
	['a standard test', {}, 'CSN-B', 1],
	['a licence-free test', { kind: 'LICENCE_FREE' }, 'CSN-B', 3],
	['R6 at C-NEU', { discipline: 'DRESSAGE', task: 'R6' }, 'CDN-C-NEU', 2],
	['R6 elsewhere', { discipline: 'DRESSAGE', task: 'R6' }, 'CDN-C', 1],
	['95 cm at C-NEU', { heightCm: 95 }, 'CSN-C-NEU', 2],
	['100 cm at C-NEU', { heightCm: 100 }, 'CSN-C-NEU', 1],
])('riders of a horse in %s', (_name, changes, category, most) => {
	expect(ridersPerHorse(start(changes), category)).toBe(most);
});

test('an edition is further rows: 2027 allows two starts a day', () => {
	const rule = entryRules.find(({ paragraph }) => paragraph === '55.1.1');
	if (rule === undefined) throw new TypeError('no such rule');
	const table = [...entryRules, { ...rule, max: 2, validFrom: '2027-01-01' }];
	const three = (date: string) =>
		judgeByRules(entry([start({ date }), start({ date }), start({ date })]), table).map(
			({ rule: row }) => row.max,
		);
	expect([three('2026-12-31'), three('2027-01-01')]).toEqual([[], [2]]);
});
