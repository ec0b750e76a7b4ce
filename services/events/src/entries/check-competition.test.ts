import { describe, expect, test } from '@jest/globals';
import type { AgeClassRecord } from '../peers/records.ts';
import { admitsAge, ageClassCodes, definitionsOf } from './check-competition.ts';

function definition(changes: Partial<AgeClassRecord>): AgeClassRecord {
	return {
		code: 'YOUTH',
		category: 'RIDER',
		discipline: null,
		minAge: null,
		maxAge: null,
		validFrom: null,
		validTo: null,
		...changes,
	};
}

const use = { date: '2026-06-01', discipline: 'JUMPING', ponyOnly: false };

describe('the meaning of a code', () => {
	const riders = definition({ minAge: 8, maxAge: 15 });
	const ponies = definition({ category: 'PONY', minAge: 8, maxAge: 16 });
	const dressage = definition({ code: 'CHILDREN_DRESSAGE', discipline: 'DRESSAGE' });
	const onlyPony = definition({ code: 'PONY', category: 'PONY' });
	const former = definition({ code: 'U25', validTo: '2025-12-31' });
	const coming = definition({ code: 'U25', validFrom: '2026-06-02' });
	const driving = definition({ minAge: 8, maxAge: 13, discipline: 'DRIVING' });
	const all = [riders, ponies, dressage, onlyPony, former, coming, driving];

	test.each([
		['horses', 'YOUTH', use, [riders]],
		['ponies', 'YOUTH', { ...use, ponyOnly: true }, [ponies]],
		['the only table that has it', 'PONY', use, [onlyPony]],
		['another discipline', 'CHILDREN_DRESSAGE', use, []],
		['what its discipline defines anew', 'YOUTH', { ...use, discipline: 'DRIVING' }, [driving]],
		['its discipline', 'CHILDREN_DRESSAGE', { ...use, discipline: 'DRESSAGE' }, [dressage]],
		['between two definitions', 'U25', use, []],
		['the last day of the former', 'U25', { ...use, date: '2025-12-31' }, [former]],
		['the first day of the coming', 'U25', { ...use, date: '2026-06-02' }, [coming]],
		['an unknown code', 'VETERAN', use, []],
	])('%s', (_case, code, where, expected) => {
		expect(definitionsOf(code, all, where)).toEqual(expected);
	});
});

test('bounds are inclusive and null is open', () => {
	const youth = definition({ minAge: 8, maxAge: 15 });
	expect([7, 8, 15, 16].map((age) => admitsAge(youth, age))).toEqual([false, true, true, false]);
	expect(admitsAge(definition({ minAge: 19 }), 90)).toBe(true);
	expect(admitsAge(definition({ maxAge: 10 }), 3)).toBe(true);
});

test('a rider belongs to all classes of the age, each named once', () => {
	const all = [
		definition({ code: 'JUNIOR', minAge: 16, maxAge: 18 }),
		definition({ code: 'U25', minAge: 16, maxAge: 25 }),
		definition({ code: 'YOUTH', minAge: 8, maxAge: 15 }),
		definition({ code: 'YOUTH', category: 'PONY', minAge: 8, maxAge: 16 }),
		definition({ code: 'JUNIOR', discipline: 'DRIVING', minAge: 14, maxAge: 18 }),
		definition({ code: 'GONE', validTo: '2025-12-31' }),
	];
	const in2026 = (disciplines: readonly string[], age = 16) =>
		ageClassCodes(all, age, { date: '2026-06-01', disciplines });
	expect(in2026(['DRESSAGE'])).toEqual(['JUNIOR', 'U25', 'YOUTH']);
	expect(in2026(['DRIVING'], 14)).toEqual(['JUNIOR', 'YOUTH']);
	expect(in2026(['JUMPING'], 14)).toEqual(['YOUTH']);
	expect(in2026(['JUMPING', 'DRIVING'], 14)).toEqual(['JUNIOR', 'YOUTH']);
});
