import { describe, expect, test } from '@jest/globals';
import { pedigree } from './schemas.ts';
import type { PedigreeRow } from './store.ts';
import { pedigreeOf } from './view.ts';

function row(number: number, changes: Partial<PedigreeRow> = {}): PedigreeRow {
	return {
		number,
		generation: Math.floor(Math.log2(number)),
		id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
		name: `H${number}`,
		sex: number % 2 === 0 ? 'STALLION' : 'MARE',
		birthYear: 2020 - 4 * Math.floor(Math.log2(number)),
		breed: null,
		studbook: null,
		colour: null,
		countryOfBirth: null,
		ueln: null,
		status: 'ACTIVE',
		sireId: null,
		sireName: null,
		damId: null,
		damName: null,
		damSireName: null,
		...changes,
	};
}

const named = (rows: readonly PedigreeRow[], generations: number) =>
	pedigreeOf(rows, generations).ancestors.map(({ number, name }) => `${number} ${name}`);

describe('a pedigree', () => {
	test('nests parents in parents, and numbers them as Kekule does', () => {
		const { horse, ancestors } = pedigreeOf(
			[1, 2, 3, 5, 10, 11].map((number) => row(number)),
			3,
		);
		expect(horse.sire?.dam?.sire?.number).toBe(10);
		expect(horse.sire?.dam?.dam?.name).toBe('H11');
		expect(horse.dam).not.toHaveProperty('sire');
		expect(ancestors.map(({ number, generation }) => [number, generation])).toEqual([
			[2, 1],
			[3, 1],
			[5, 2],
			[10, 3],
			[11, 3],
		]);
		expect(ancestors[0]).not.toHaveProperty('dam');
	});

	test('shows the name in a record if no horse is linked, without an id', () => {
		const rows = [row(1, { sireName: 'Vater', damName: 'Mutter', damSireName: 'Großvater' })];
		expect(named(rows, 2)).toEqual(['2 Vater', '3 Mutter', '6 Großvater']);
		expect(pedigreeOf(rows, 2).horse.sire).toMatchObject({ id: null, sex: null, birthYear: null });
		expect(named(rows, 1)).toEqual(['2 Vater', '3 Mutter']);
	});

	test('believes the dam’s own record more than what her foal’s says of her sire', () => {
		const foal = row(1, { damSireName: 'Gehört' });
		expect(named([foal, row(3)], 2)).toEqual(['3 H3', '6 Gehört']);
		expect(named([foal, row(3, { sireName: 'Genannt' })], 2)).toEqual(['3 H3', '6 Genannt']);
		expect(named([foal, row(3, { sireName: null }), row(6)], 2)).toEqual(['3 H3', '6 H6']);
	});

	test('shows no sire of a dam that is not known', () => {
		expect(named([row(1, { damSireName: 'Großvater' })], 2)).toEqual([]);
	});

	test('of six full generations is what its schema says', () => {
		const all = Array.from({ length: 127 }, (_, index) => row(index + 1));
		const built = pedigreeOf(all, 6);
		expect(built.ancestors).toHaveLength(126);
		expect(pedigree.safeParse(built).error?.issues).toBeUndefined();
	});
});
