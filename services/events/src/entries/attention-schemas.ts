import { count, id } from '@paddock/service';
import { z } from 'zod';
import { entryCheck, entryStatus } from './schemas.ts';

/** Maximum number of entries in a response to a change; a page of a list has as many. */
export const attentionMax = 200;

const entryInDoubt = z
	.strictObject({
		id,
		entryNumber: z.int().min(1).describe('Running number within the event.'),
		status: entryStatus,
		riderName: z
			.string()
			.nullable()
			.describe('The rider; null until the rider’s side has confirmed the entry.'),
		horseName: z.string().describe('The horse.'),
		checks: z.array(entryCheck).describe('Findings that the caller may read.'),
	})
	.meta({ id: 'EntryInDoubt', description: 'An entry that no longer fits its event.' });

/** Part of the responses to changes of published events and their competitions. */
export const entriesNeedingAttention = z
	.strictObject({
		total: count.describe('All of them; `needsAttention=true` lists them too.'),
		items: z.array(entryInDoubt).describe(`The first ${attentionMax}, by number.`),
	})
	.meta({
		id: 'EntriesNeedingAttention',
		description:
			'Only in responses to changes of a published event or its competitions: the entries that do not fit the event as it is now, or could not be checked. They keep their places; the organiser decides.',
		example: {
			total: 1,
			items: [
				{
					id: 'e2d8b4f6-1a5c-4f39-b7e0-6c9d3a8f5e04',
					entryNumber: 41,
					status: 'ACCEPTED',
					riderName: 'Eva Zügelbauer',
					horseName: 'Lärchenglut',
					checks: [
						{
							code: 'NOT_A_PONY',
							level: 'ERROR',
							message: 'Ponyspringprüfung (no. 3) is for ponies; Lärchenglut is none (166 cm).',
						},
					],
				},
			],
		},
	});

export type EntriesNeedingAttention = z.output<typeof entriesNeedingAttention>;
