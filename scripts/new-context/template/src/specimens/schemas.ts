import {
	bodyFields,
	id,
	line,
	nullableLine,
	pageParameters,
	queryBoolean,
	searchText,
	sortParameter,
	version,
} from '@paddock/service';
import { z } from 'zod';

const fields = {
	name: line(1, 120).describe('Name of the specimen.'),
	city: nullableLine(100).describe('City; null if unknown.'),
	isActive: z.boolean().describe('Whether the specimen is offered for choice.'),
};

const example = { name: 'Specimen Musterau', city: 'Musterau', isActive: true };

export const specimen = z.strictObject({ id, ...fields, version }).meta({
	id: 'Specimen',
	description: 'One of the specimens.',
	example: { id: '7c1b1f0e-2f43-4c1c-9a35-4f5d7d1f2a10', ...example, version: 1 },
});

export type Specimen = z.output<typeof specimen>;

export const specimenBody = z
	.strictObject(bodyFields(fields, { isActive: true }))
	.meta({ id: 'SpecimenBody', description: 'Writable fields of a specimen.', example });

export type SpecimenBody = z.output<typeof specimenBody>;

export const specimenQuery = z.strictObject({
	isActive: queryBoolean.optional().describe('Specimens that are offered for choice, or all others.'),
	q: searchText.optional().describe('Part of the name or of the city. Matches at the beginning come first.'),
	sort: sortParameter(['name', 'city']).optional(),
	...pageParameters,
});
