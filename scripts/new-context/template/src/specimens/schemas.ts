import {
	bodyFields,
	collectionParameters,
	id,
	line,
	nullableLine,
	queryBoolean,
	recordTimes,
	version,
} from '@paddock/service';
import { z } from 'zod';

const fields = {
	name: line(1, 120).describe('Name of the specimen.'),
	city: nullableLine(100).describe('City; null if unknown.'),
	isActive: z.boolean().describe('Whether the specimen is offered for choice.'),
};

const exampleTimes = { createdAt: '2026-01-15T08:30:00.000Z', updatedAt: '2026-03-02T17:05:12.000Z' };
const example = { name: 'Specimen Musterau', city: 'Musterau', isActive: true };

export const specimen = z.strictObject({ id, ...fields, ...recordTimes, version }).meta({
	id: 'Specimen',
	description: 'One of the specimens.',
	example: { id: '7c1b1f0e-2f43-4c1c-9a35-4f5d7d1f2a10', ...example, ...exampleTimes, version: 1 },
});

export type Specimen = z.output<typeof specimen>;

export const specimenBody = z
	.strictObject(bodyFields(fields, { isActive: true }))
	.meta({ id: 'SpecimenBody', description: 'Writable fields of a specimen.', example });

export type SpecimenBody = z.output<typeof specimenBody>;

export const specimenQuery = z.strictObject({
	isActive: queryBoolean.optional().describe('Specimens that are offered for choice, or all others.'),
	...collectionParameters({
		of: 'Specimen',
		text: 'Part of the name or of the city; matches at the beginning come first.',
		sort: ['name', 'city'],
	}),
});
