import { id, queryInteger } from '@paddock/service';
import { z } from 'zod';
import { horseStatuses } from '../horse-status.ts';
import { sexes } from '../parent-rules.ts';

export const generationsMax = 6;
export const generationsDefault = 4;

const text = z.string();

const animal = {
	number: z.int().min(1).describe('By Kekule: the horse is 1, the sire of n is 2n, the dam of n is 2n + 1.'),
	generation: z.int().min(0).max(generationsMax).describe('0 is the horse, 1 are its parents.'),
	id: id.nullable().describe('Null where only a name is known.'),
	name: text,
	sex: z.enum(sexes).nullable(),
	birthYear: z.int().nullable(),
	breed: text.nullable(),
	studbook: text.nullable(),
	colour: text.nullable(),
	countryOfBirth: text.nullable(),
	ueln: text.nullable().describe('Null for accounts without a member, too.'),
	status: z.enum(horseStatuses).nullable(),
};

/** One animal of a pedigree, without its parents. */
export const ancestor = z.strictObject(animal).meta({ id: 'Ancestor' });

export type Ancestor = z.output<typeof ancestor>;

/** One animal of a pedigree with its own parents. */
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
	.meta({ id: 'PedigreeNode', description: 'A parent of whom nothing is known is left out.' });

const unknown = {
	breed: null,
	studbook: null,
	colour: null,
	countryOfBirth: null,
	ueln: null,
};
const son = {
	...unknown,
	number: 1,
	generation: 0,
	id: '5d0f3a0e-8c2b-4f5e-9a3d-2b1c4e6f7a80',
	name: 'Federleicht',
	sex: 'MARE',
	birthYear: 2016,
	status: 'ACTIVE',
};
const sire = {
	...unknown,
	number: 2,
	generation: 1,
	id: null,
	name: 'Windspiel',
	sex: null,
	birthYear: null,
	status: null,
};

/** A horse's ancestors, as a tree and as a list. */
export const pedigree = z
	.strictObject({
		generations: z.int().min(1).max(generationsMax),
		horse: pedigreeNode,
		ancestors: z.array(ancestor).describe('All that are known, by number, without the horse itself.'),
	})
	.meta({
		id: 'Pedigree',
		example: { generations: 1, horse: { ...son, sire }, ancestors: [sire] },
	});

export type Pedigree = z.output<typeof pedigree>;

export const pedigreeQuery = z.strictObject({
	generations: queryInteger(1, generationsMax)
		.optional()
		.describe(`How far back; ${generationsDefault} where it is not given.`),
});
