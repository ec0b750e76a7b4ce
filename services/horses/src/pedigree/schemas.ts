import { id, queryInteger } from '@paddock/service';
import { z } from 'zod';
import { horseStatus, sex } from '../horses/words.ts';

const generationsMax = 6;
export const generationsDefault = 4;

const text = z.string();

const animal = {
	number: z
		.int()
		.min(1)
		.describe('Ahnentafel number (Kekule): the horse is 1, the sire of n is 2n, the dam of n is 2n + 1.'),
	generation: z.int().min(0).max(generationsMax).describe('0 for the horse, 1 for its parents, and so on.'),
	id: id.nullable().describe('UUID in this registry; null if it is not registered.'),
	name: text.describe('Registered name.'),
	sex: sex.nullable().describe('Sex; null if it is not registered.'),
	birthYear: z.int().nullable().describe('Year of birth; null if unknown.'),
	breed: text.nullable().describe('Breed; null if unknown.'),
	studbook: text.nullable().describe('Studbook of the breed; null if unknown.'),
	colour: text.nullable().describe('Colour of the coat; null if unknown.'),
	countryOfBirth: text.nullable().describe('Country of birth, ISO 3166-1 alpha-2; null if unknown.'),
	ueln: text.nullable().optional().describe('UELN; null if unknown. Absent for accounts without a member.'),
	status: horseStatus.nullable().describe('Status; null if it is not registered.'),
};

const ancestor = z
	.strictObject(animal)
	.meta({ id: 'Ancestor', description: 'One animal of a pedigree, without its parents.' });

export type Ancestor = z.output<typeof ancestor>;

export interface PedigreeNode extends Ancestor {
	sire?: PedigreeNode | undefined;
	dam?: PedigreeNode | undefined;
}

// Optional rather than nullable: OpenAPI 3.0 cannot express a nullable reference to a recursive schema.
const pedigreeNode: z.ZodType<PedigreeNode> = z
	.strictObject({
		...animal,
		sire: z.lazy(() => pedigreeNode).optional(),
		dam: z.lazy(() => pedigreeNode).optional(),
	})
	.meta({
		id: 'PedigreeNode',
		extends: 'Ancestor',
		description: 'One animal of a pedigree with its parents; an unknown parent is absent.',
	});

export const unknownAnimal = {
	id: null,
	sex: null,
	birthYear: null,
	breed: null,
	studbook: null,
	colour: null,
	countryOfBirth: null,
	ueln: null,
	status: null,
};
const daughter = {
	...unknownAnimal,
	number: 1,
	generation: 0,
	id: '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80',
	name: 'Federleicht',
	sex: 'MARE',
	birthYear: 2016,
	status: 'ACTIVE',
};
const sire = { ...unknownAnimal, number: 2, generation: 1, name: 'Windspiel' };

export const pedigree = z
	.strictObject({
		generations: z.int().min(1).max(generationsMax).describe('Number of generations of parents.'),
		horse: pedigreeNode,
		ancestors: z.array(ancestor).describe('All known ancestors by number, without the horse itself.'),
	})
	.meta({
		id: 'Pedigree',
		description: 'Ancestors of a horse, as a tree and as a list.',
		example: { generations: 1, horse: { ...daughter, sire }, ancestors: [sire] },
	});

export type Pedigree = z.output<typeof pedigree>;

export const pedigreeQuery = z.strictObject({
	generations: queryInteger(1, generationsMax)
		.optional()
		.describe(`Generations of parents; ${generationsDefault} if absent.`),
});
