import {
	bodyFields,
	collectionParameters,
	filterValues,
	id,
	line,
	recordTimes,
	version,
} from '@paddock/service';
import { z } from 'zod';

/** Metres with two decimals, which the column stores exactly. */
const metres = z
	.number()
	.min(0.01)
	.max(9_999.99)
	.refine((value) => Number(value.toFixed(2)) === value, {
		message: 'must have at most two decimals',
		params: { code: 'INVALID_RANGE' },
	})
	.meta({ 'x-decimals': 2 });

const fields = {
	name: line(1, 100).describe('Unique within the venue.'),
	type: z
		.enum(['COMPETITION', 'WARM_UP', 'LUNGING'])
		.meta({ id: 'ArenaType', description: 'Use of the arena.' }),
	lengthM: metres.nullable().describe('Length in metres, two decimals at most; null if unknown.'),
	widthM: metres.nullable().describe('Width in metres, two decimals at most; null if unknown.'),
	surface: z
		.enum(['SAND', 'GRASS', 'TEXTILE', 'OTHER'])
		.meta({ id: 'ArenaSurface', description: 'Material of the ground.' }),
	indoor: z.boolean().describe('Whether it has a roof.'),
	floodlit: z.boolean().describe('Whether it has floodlights.'),
	isActive: z.boolean().describe('An inactive arena is not offered to new competitions.'),
};

const example = {
	name: 'Nordplatz',
	type: 'COMPETITION' as const,
	lengthM: 80,
	widthM: 60.5,
	surface: 'SAND' as const,
	indoor: false,
	floodlit: true,
	isActive: true,
};

export const arena = z
	.strictObject({ id, venueId: id.describe('UUID of its venue.'), ...fields, ...recordTimes, version })
	.meta({
		id: 'Arena',
		description: 'A riding ground of a venue.',
		example: {
			id: '2c3d8d5e-0a2b-4e7e-8f0d-7a6b5c4d3e05',
			venueId: '6f1c7c52-4f0a-4a57-9d4c-0e6a2b9d8c04',
			...example,
			createdAt: '2026-01-15T08:30:00.000Z',
			updatedAt: '2026-03-02T17:05:12.000Z',
			version: 1,
		},
	});

export type Arena = z.output<typeof arena>;

export const arenaBody = z
	.strictObject(bodyFields(fields, { indoor: false, floodlit: false, isActive: true }))
	.meta({
		id: 'ArenaBody',
		description: 'Writable fields of an arena.',
		example,
		'x-fresh-example': { name: 'Nordplatz ######' },
	});

export type ArenaBody = z.output<typeof arenaBody>;

export const arenaQuery = z.strictObject({
	type: filterValues(fields.type).optional().describe('Arenas of this use.'),
	...collectionParameters({
		of: 'Arena',
		text: 'Part of the name; matches at the beginning come first.',
		sort: ['name', 'type', 'lengthM', 'widthM'],
	}),
});
