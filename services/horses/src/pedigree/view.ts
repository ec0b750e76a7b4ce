import { type Ancestor, type Pedigree, type PedigreeNode, unknownAnimal } from './schemas.ts';
import type { PedigreeRow } from './store.ts';

/** An unlinked parent has the name in the child's record, a dam's sire only if the dam's record has none. @throws TypeError */
export function pedigreeOf(rows: readonly PedigreeRow[], generations: number): Pedigree {
	const byNumber = new Map(rows.map((row) => [row.number, row]));
	const horse = nodeAt(1, { byNumber, generations });
	if (horse === undefined) throw new TypeError('A pedigree has a horse.');
	const ancestors = flattened(horse).filter(({ number }) => number > 1);
	return { generations, horse, ancestors: ancestors.sort((a, b) => a.number - b.number) };
}

/** The pedigree for accounts without a member. */
export function withoutIdentifiers({ generations, horse, ancestors }: Pedigree): Pedigree {
	const shown = ({ ueln, ...animal }: Ancestor): Ancestor => animal;
	const node = ({ sire, dam, ...animal }: PedigreeNode): PedigreeNode => ({
		...shown(animal),
		...(sire === undefined ? {} : { sire: node(sire) }),
		...(dam === undefined ? {} : { dam: node(dam) }),
	});
	return { generations, horse: node(horse), ancestors: ancestors.map(shown) };
}

interface Known {
	readonly byNumber: ReadonlyMap<number, PedigreeRow>;
	readonly generations: number;
}

interface Hearsay {
	readonly name?: string | null | undefined;
	readonly sireName?: string | null | undefined;
}

function nodeAt(number: number, known: Known, hearsay: Hearsay = {}): PedigreeNode | undefined {
	const generation = Math.floor(Math.log2(number));
	if (generation > known.generations) return undefined;
	const row = known.byNumber.get(number);
	const animal = row === undefined ? namedOnly(number, generation, hearsay.name) : registered(row);
	if (animal === undefined) return undefined;
	const sire = nodeAt(2 * number, known, { name: row?.sireName ?? hearsay.sireName });
	const dam = nodeAt(2 * number + 1, known, { name: row?.damName, sireName: row?.damSireName });
	return { ...animal, ...(sire === undefined ? {} : { sire }), ...(dam === undefined ? {} : { dam }) };
}

function registered({ sireId, sireName, damId, damName, damSireName, ...animal }: PedigreeRow): Ancestor {
	return animal;
}

function namedOnly(number: number, generation: number, name: string | null = null): Ancestor | undefined {
	return name === null ? undefined : { ...unknownAnimal, number, generation, name };
}

function flattened({ sire, dam, ...animal }: PedigreeNode): Ancestor[] {
	return [animal, ...[sire, dam].flatMap((parent) => (parent === undefined ? [] : flattened(parent)))];
}
