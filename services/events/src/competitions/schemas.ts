import {
	bodyFields,
	day,
	id,
	line,
	pageParameters,
	pageSchema,
	sortParameter,
	uniqueItems,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { entriesNeedingAttention } from '../entries/view-schemas.ts';
import { cents, discipline } from '../events/schemas.ts';

const horseMinAge = z.int().min(0).max(30);

const fields = {
	number: z.int().min(1).max(999).describe('Number of the competition, unique within the event.'),
	name: line(1, 120).describe('Name in the announcement.'),
	discipline: discipline.describe('One of the disciplines of the event.'),
	level: z
		.string()
		.regex(/^[A-Z][A-Z0-9]{0,9}([ *./-][A-Z0-9]{0,9})*$/, 'must be a level such as A, LM or S*')
		.max(20)
		.describe('Level of difficulty: nationally E, A, L, LP, LM, M, S, in eventing V80 to V120.'),
	date: day.describe('Day of the competition, one of the event.'),
	arenaId: id.nullable().describe('UUID of an arena of the venue; null if not yet known.'),
	ageClasses: uniqueItems(
		z.array(z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/, 'must be the code of an age class')).max(20),
		'must name each age class once',
	).describe(
		'Codes of age classes; a rider who belongs to any of them on the first day of the event may start (OeTO §41.1). Empty = open to all.',
	),
	ponyOnly: z.boolean().describe('Whether only ponies may start.'),
	maxStarters: z.int().min(1).max(1_000).nullable().describe('Largest number of starts; null = no limit.'),
	startFee: cents.describe('Fee per start, in cents.'),
};

const example = {
	number: 7,
	name: 'Standardspringprüfung 105 cm',
	discipline: 'JUMPING' as const,
	level: 'A',
	date: '2030-10-19',
	arenaId: null,
	ageClasses: ['YOUTH', 'JUNIOR'],
	horseMinAge: 4,
	ponyOnly: false,
	maxStarters: 40,
	startFee: 1800,
};

export const competition = z
	.strictObject({
		id,
		eventId: id.describe('UUID of the event.'),
		...fields,
		horseMinAge: horseMinAge.describe('Lowest age of the horse in years, by calendar year.'),
		arenaName: z.string().nullable().describe('Name of the arena when it was chosen; null without one.'),
		status: z
			.enum(['OPEN', 'CANCELLED'])
			.meta({ id: 'CompetitionStatus', description: 'Whether the competition takes place.' }),
		entriesNeedingAttention: entriesNeedingAttention.optional(),
		version,
	})
	.meta({
		id: 'Competition',
		description: 'The unit of an event that is judged separately.',
		example: {
			id: '8e0d4f2a-6c1b-4c4e-9a57-3b2f1d0e9c02',
			eventId: '5a1f0d5e-3f6a-4c39-8a54-1f6f0e8d7c01',
			...example,
			arenaName: null,
			status: 'OPEN',
			version: 1,
		},
	});

export type Competition = z.output<typeof competition>;

export const competitionBody = z
	.strictObject({
		...bodyFields(fields, { ageClasses: [], ponyOnly: false, startFee: 0 }),
		horseMinAge: horseMinAge
			.nullable()
			.default(null)
			.describe(
				'Lowest age of the horse in years; null = that of the level: A 4, L 5, higher 6, in eventing V100 4, V105 5 (OeTO §53.2); nationally no less than that.',
			),
	})
	.meta({
		id: 'CompetitionBody',
		description: 'Writable fields of a competition.',
		example,
		'x-fresh-example': { number: '###' },
	});

export type CompetitionBody = z.output<typeof competitionBody>;

export const competitionPage = pageSchema(competition).meta({ id: 'CompetitionPage' });

export const competitionNumbers = z
	.strictObject({
		numbers: z
			.array(
				z
					.strictObject({
						competitionId: id.describe('UUID of a competition of the event.'),
						number: fields.number,
					})
					.meta({ id: 'CompetitionNumber', description: 'The new number of one competition.' }),
			)
			.min(1)
			.max(999)
			.refine(
				(list) => new Set(list.map(({ competitionId }) => competitionId)).size === list.length,
				'must name each competition once',
			)
			.meta({ uniqueItems: true })
			.describe('All competitions that get another number.'),
	})
	.meta({
		id: 'CompetitionNumbers',
		description: 'New numbers of competitions.',
		example: { numbers: [{ competitionId: 'd4000002-0000-4000-8000-000000000002', number: 72 }] },
	});

export type CompetitionNumbers = z.output<typeof competitionNumbers>;

export const renumberedCompetitions = z
	.strictObject({ items: z.array(competition).describe('The renumbered competitions, by number.') })
	.meta({ id: 'RenumberedCompetitions', description: 'Competitions with their new numbers.' });

/** The path of one competition; `id` is the event's. */
export const competitionParameters = z.strictObject({
	id,
	competitionId: id.describe('UUID of the competition.'),
});

export const competitionQuery = z.strictObject({
	discipline: discipline.optional().describe('Competitions in this discipline.'),
	date: day.optional().describe('Competitions on this day.'),
	sort: sortParameter(['number', 'date', 'name', 'level']).optional(),
	...pageParameters,
});

export type CompetitionQuery = z.output<typeof competitionQuery>;
