import { describe, expect, test } from '@jest/globals';
import type { AgeClassRecord } from '../peers/records.ts';
import type { CompetitionFacts, HorseFacts, RiderFacts } from './check-competition.ts';
import { checkEntry, type EntryFacts, entryTypeOf } from './check-entry.ts';
import { isAcceptable } from './entry-check.ts';

const open = { category: 'RIDER', discipline: null, validFrom: null, validTo: null } as const;
const ageClasses: readonly AgeClassRecord[] = [
	{ ...open, code: 'YOUTH', minAge: 8, maxAge: 15 },
	{ ...open, code: 'YOUTH', category: 'PONY', minAge: 8, maxAge: 16 },
	{ ...open, code: 'JUNIOR', minAge: 16, maxAge: 18 },
	{ ...open, code: 'SENIOR', minAge: 40, maxAge: null },
];
const event: EntryFacts['event'] = {
	status: 'PUBLISHED',
	startDate: '2026-05-09',
	entriesOpenAt: new Date('2026-04-01T06:00:00Z'),
	entryDeadline: new Date('2026-05-01T21:59:00Z'),
	lateEntryUntil: new Date('2026-05-08T10:00:00Z'),
	startsAt: new Date('2026-05-08T22:00:00Z'),
	ruleset: 'OETO',
	category: 'CSN-B',
	officials: [],
};
const rider: RiderFacts = {
	id: 'rider',
	name: 'Ivo Hufnagelsberg',
	birthYear: 2010,
	homeClubId: 'club',
	status: 'ACTIVE',
	feePaidForYear: 2026,
	nationality: 'AT',
};
const horse: HorseFacts = {
	name: 'Wichtel',
	birthYear: 2021,
	isPony: false,
	heightCm: 165,
	headNumber: 'D001',
	status: 'ACTIVE',
	feePaidForYear: 2027,
};
const competition: CompetitionFacts = {
	id: 'c3',
	kind: 'STANDARD',
	level: 'L',
	heightCm: null,
	distanceKm: null,
	task: null,
	horseMaxAge: null,
	championship: null,
	number: 3,
	name: 'Standardspringen L',
	discipline: 'JUMPING',
	date: '2026-05-10',
	ageClasses: [],
	horseMinAge: 5,
	ponyOnly: false,
	status: 'OPEN',
	horsesRiders: [],
	ridersHorses: 0,
};

function facts(changes: Partial<EntryFacts> = {}): EntryFacts {
	return {
		event,
		rider,
		horse,
		horseHasEntry: false,
		isFurtherEntry: false,
		otherStarts: [],
		elsewhere: [],
		championships: [],
		competitions: [competition],
		ageClasses,
		type: undefined,
		byOrganiser: false,
		confirmation: 'NOT_NEEDED',
		now: new Date('2026-04-20T10:00:00Z'),
		today: '2026-04-20',
		...changes,
	};
}

const inCompetition = (changes: Partial<CompetitionFacts>) =>
	facts({ competitions: [{ ...competition, ...changes }] });
const codes = (changed: EntryFacts) => checkEntry(changed).map(({ level, code }) => `${level} ${code}`);
const late = new Date('2026-05-05T10:00:00Z');

test('nothing speaks against a rider and a horse that fit', () => {
	expect(checkEntry(facts())).toEqual([]);
});

describe('rider and horse', () => {
	test.each([
		['an unknown rider', facts({ rider: undefined }), ['ERROR RIDER_UNKNOWN']],
		[
			'a suspended rider',
			facts({ rider: { ...rider, status: 'SUSPENDED' } }),
			['ERROR RIDER_ON_SUSPENSION_LIST'],
		],
		['a deleted rider', facts({ rider: { ...rider, status: 'INACTIVE' } }), ['ERROR RIDER_NOT_ACTIVE']],
		['last year’s fee', facts({ rider: { ...rider, feePaidForYear: 2025 } }), ['WARNING FEE_UNPAID']],
		['no fee at all', facts({ rider: { ...rider, feePaidForYear: null } }), ['WARNING FEE_UNPAID']],
		['no club', facts({ rider: { ...rider, homeClubId: null } }), ['WARNING HOME_CLUB_MISSING']],
		['an unknown horse', facts({ horse: undefined }), ['ERROR HORSE_UNKNOWN']],
		['a retired horse', facts({ horse: { ...horse, status: 'RETIRED' } }), ['ERROR HORSE_NOT_ACTIVE']],
		['an unpaid horse', facts({ horse: { ...horse, feePaidForYear: 2025 } }), ['WARNING HORSE_FEE_UNPAID']],
	])('%s', (_case, changed, expected) => {
		expect(codes(changed)).toEqual(expected);
	});
});

describe('a competition', () => {
	test.each([
		['of another event', facts({ competitions: ['c9'] }), ['ERROR COMPETITION_UNKNOWN']],
		['that is cancelled', inCompetition({ status: 'CANCELLED' }), ['ERROR COMPETITION_CANCELLED']],
		['of yesterday', facts({ today: '2026-05-11' }), ['ERROR COMPETITION_OVER']],
		['of today', facts({ today: '2026-05-10' }), []],
		['for the rider’s age', inCompetition({ ageClasses: ['YOUTH', 'JUNIOR'] }), []],
		['for other ages', inCompetition({ ageClasses: ['YOUTH', 'SENIOR'] }), ['ERROR AGE_CLASS_MISMATCH']],
		[
			'for an age that ponies’ riders have',
			inCompetition({ ageClasses: ['YOUTH'], ponyOnly: true }),
			['ERROR NOT_A_PONY'],
		],
		['for an unknown class', inCompetition({ ageClasses: ['VETERAN'] }), ['ERROR AGE_CLASS_MISMATCH']],
		['in the year in which the horse is old enough', inCompetition({ horseMinAge: 5 }), []],
		['a year too early for the horse', inCompetition({ horseMinAge: 6 }), ['ERROR HORSE_TOO_YOUNG']],
		['without a least age', inCompetition({ horseMinAge: null }), []],
		['for ponies', inCompetition({ ponyOnly: true }), ['ERROR NOT_A_PONY']],
		['that has the horse', inCompetition({ horsesRiders: ['other'] }), ['ERROR HORSE_TWICE_IN_COMPETITION']],
		['with two horses of the rider', inCompetition({ ridersHorses: 2 }), []],
		['with three horses of the rider', inCompetition({ ridersHorses: 3 }), ['ERROR RIDER_TOO_MANY_HORSES']],
	])('%s', (_case, changed, expected) => {
		expect(codes(changed)).toEqual(expected);
	});

	// The rider's age was counted by the day of the competition: a junior of the first day was none after New Year.
	test('counts the rider’s age on the first day of the event, the horse’s in its own year', () => {
		const begins = { event: { ...event, startDate: '2026-12-30' } };
		const nextYear = { date: '2027-01-02', horseMinAge: 6, ageClasses: ['JUNIOR'] };
		expect(codes({ ...inCompetition(nextYear), ...begins })).toEqual([]);
		const younger = { ...rider, birthYear: 2011 };
		expect(codes({ ...inCompetition(nextYear), ...begins, rider: younger })).toEqual([
			'ERROR AGE_CLASS_MISMATCH',
		]);
		const older = { ...rider, birthYear: 2008, feePaidForYear: 2027 };
		expect(codes({ ...inCompetition(nextYear), ...begins, rider: older })).toEqual([]);
		const next = { event: { ...event, startDate: '2027-01-02' } };
		expect(codes({ ...inCompetition(nextYear), ...next, rider: older })).toEqual([
			'ERROR AGE_CLASS_MISMATCH',
		]);
	});

	test('is for the age classes that exist on the first day of the event', () => {
		const changing = [
			{ ...open, code: 'U25', minAge: 16, maxAge: 25, validTo: '2026-05-09' },
			{ ...open, code: 'U25', minAge: 20, maxAge: 25, validFrom: '2026-05-10' },
		];
		const asked = { ...inCompetition({ ageClasses: ['U25'] }), ageClasses: changing };
		expect(codes(asked)).toEqual([]);
		const next = { event: { ...event, startDate: '2026-05-10' } };
		expect(codes({ ...asked, ...next })).toEqual(['ERROR AGE_CLASS_MISMATCH']);
	});
});

describe('the time', () => {
	const at = (now: string, changes: Partial<EntryFacts> = {}) =>
		codes(facts({ now: new Date(now), ...changes }));
	const byOrganiser = true;

	test.each([
		['too early', '2026-03-31T00:00:00Z', {}, ['ERROR EVENT_NOT_OPEN']],
		['too early for the organiser too', '2026-03-31T00:00:00Z', { byOrganiser }, ['ERROR EVENT_NOT_OPEN']],
		['late, by a rider', '2026-05-05T00:00:00Z', {}, ['ERROR LATE_ONLY_BY_ORGANISER']],
		['late, by the organiser', '2026-05-05T00:00:00Z', { byOrganiser }, ['WARNING LATE_ENTRY']],
		[
			'late, but sent as regular',
			'2026-05-05T00:00:00Z',
			{ byOrganiser, type: 'REGULAR' },
			['ERROR EVENT_NOT_OPEN'],
		],
		[
			'in time, but sent as late',
			'2026-04-20T00:00:00Z',
			{ byOrganiser, type: 'LATE' },
			['ERROR EVENT_NOT_OPEN'],
		],
		['later than late', '2026-05-08T12:00:00Z', { byOrganiser }, ['ERROR EVENT_NOT_OPEN']],
	] satisfies [string, string, Partial<EntryFacts>, string[]][])('%s', (_case, now, changes, expected) => {
		expect(at(now, changes)).toEqual(expected);
	});

	test('determines the type if none is requested', () => {
		expect(entryTypeOf(event, undefined, facts().now)).toBe('REGULAR');
		expect(entryTypeOf(event, undefined, late)).toBe('LATE');
		expect(entryTypeOf(event, 'REGULAR', late)).toBe('REGULAR');
	});

	test('is shown in the time zone of Vienna', () => {
		const [check] = checkEntry(facts({ now: late }));
		expect(check?.message).toContain('1 May 2026 at 23:59 (Vienna)');
		expect(check?.message).toContain('8 May 2026 at 12:00 (Vienna)');
	});
});

test('everything is reported together, event and rider and horse before the competitions', () => {
	const changed = facts({
		now: late,
		rider: { ...rider, status: 'SUSPENDED', homeClubId: null },
		horse: { ...horse, status: 'LAPSED', feePaidForYear: null },
		competitions: [
			{ ...competition, ageClasses: ['SENIOR'], horseMinAge: 7 },
			'c9',
			{ ...competition, horsesRiders: ['other'], ridersHorses: 3 },
		],
	});
	expect(codes(changed)).toEqual([
		'ERROR LATE_ONLY_BY_ORGANISER',
		'ERROR RIDER_ON_SUSPENSION_LIST',
		'WARNING HOME_CLUB_MISSING',
		'ERROR HORSE_NOT_ACTIVE',
		'WARNING HORSE_FEE_UNPAID',
		'ERROR AGE_CLASS_MISMATCH',
		'ERROR HORSE_TOO_YOUNG',
		'ERROR COMPETITION_UNKNOWN',
		'ERROR HORSE_TWICE_IN_COMPETITION',
	]);
	expect(isAcceptable(checkEntry(changed))).toBe(false);
	expect(isAcceptable(checkEntry(facts({ rider: { ...rider, homeClubId: null } })))).toBe(true);
});

test('messages have names, ages, years and classes', () => {
	const changed = inCompetition({ ageClasses: ['YOUTH', 'SENIOR'], horseMinAge: 6, ponyOnly: false });
	expect(checkEntry(changed).map(({ message }) => message)).toEqual([
		'Ivo Hufnagelsberg counts as 16 in 2026; Standardspringen L (no. 3) is for YOUTH (8 to 15), SENIOR (40 and older).',
		'Wichtel counts as 5 years old in 2026; in Standardspringen L (no. 3) horses must be 6 or older.',
	]);
});

test('a horse with another open entry at the event gets no second one', () => {
	const codes = checkEntry(facts({ horseHasEntry: true })).map(({ code, level, about }) => [
		code,
		level,
		about,
	]);
	expect(codes).toContainEqual(['ENTRY_DUPLICATE', 'ERROR', 'HORSE']);
	expect(checkEntry(facts()).map(({ code }) => code)).not.toContain('ENTRY_DUPLICATE');
});
