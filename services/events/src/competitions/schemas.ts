import {
	bodyFields,
	collectionParameters,
	day,
	filterValues,
	id,
	line,
	pageSchema,
	recordTimes,
	uniqueItems,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { entriesNeedingAttention } from '../entries/view-schemas.ts';
import { competitionKind } from '../enumerations.ts';
import { cents, currency, discipline } from '../events/schemas.ts';
import { divisionCriteria } from '../rules/competition-rules.ts';

const divisionCriterion = z.enum(divisionCriteria).meta({
	id: 'DivisionCriterion',
	description:
		'LICENCE: of the rider (§39.1, §231). RIDER_AGE: pony riders up to 16 and from 17 years (§900.3). HORSE_AGE: four years, and five and six (§100.5, §200.6). PLACES: none of them (§39.3).',
});

const horseAge = z.int().min(0).max(30);

export const competitionFields = {
	number: z.int().min(1).max(999).describe('Number of the competition, unique within the event.'),
	name: line(1, 120).describe('Name in the announcement.'),
	discipline: discipline.describe('One of the disciplines of the event.'),
	level: z
		.string()
		.regex(/^[A-Z][A-Z0-9]{0,9}([ *./-][A-Z0-9]{0,9})*$/, 'must be a level such as A, LM or S*')
		.max(20)
		.describe(
			'Level of difficulty. Dressage: E, A, L, LP, LM, M, S; jumping: E0, A0, E, A, L, LM, M, S, for ponies M* to M***, S* to S***; eventing: V80 to V120, for Haflingers VH80 to VH100; other disciplines: E to S, in para dressage GRADE I to GRADE V; FEI: also CSI1* to CSI5* and their like.',
		),
	kind: competitionKind,
	heightCm: z
		.int()
		.min(30)
		.max(240)
		.nullable()
		.describe('Height of the obstacles in jumping and eventing; must agree with the level. Null = unknown.'),
	distanceKm: z
		.int()
		.min(1)
		.max(300)
		.nullable()
		.describe('Distance in endurance, which decides on the age of the horses (OeTO §608.1). Null = unknown.'),
	task: line(1, 40)
		.nullable()
		.describe(
			'Test in dressage such as LM5, St. Georg or Grand Prix; must agree with the level. Null = unknown.',
		),
	horseMaxAge: horseAge
		.nullable()
		.describe('Highest age of the horse by the announcement; null = that of the rules, if they have one.'),
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
	startFee: cents.describe('Fee per start, in cents of `currency`.'),
	prizes: z
		.array(cents.min(1))
		.max(100)
		.describe('Prize money by place from the first, in cents; empty = none (OeTO §22).'),
	divisions: z.int().min(1).max(20).describe('Number of divisions with a placing of their own (OeTO §39).'),
	dividedBy: uniqueItems(z.array(divisionCriterion).max(4), 'must name each criterion once').describe(
		'By what it is divided; empty = undivided.',
	),
	championship: line(1, 120)
		.nullable()
		.describe(
			'Name of the championship that it is part of, the same in all of its competitions (OeTO §1301); null = none.',
		),
};

const example = {
	number: 7,
	name: 'Standardspringprüfung 105 cm',
	discipline: 'JUMPING' as const,
	level: 'A',
	kind: 'STANDARD' as const,
	heightCm: 105,
	distanceKm: null,
	task: null,
	horseMaxAge: null,
	date: '2030-10-19',
	arenaId: null,
	ageClasses: ['YOUTH', 'JUNIOR'],
	horseMinAge: 4,
	ponyOnly: false,
	maxStarters: 40,
	startFee: 1800,
	prizes: [12_000, 9_000, 6_000, 4_000],
	divisions: 1,
	dividedBy: [],
	championship: null,
};

export const competition = z
	.strictObject({
		id,
		eventId: id.describe('UUID of the event.'),
		...competitionFields,
		horseMinAge: horseAge.describe('Lowest age of the horse in years, by calendar year.'),
		currency: currency.describe('Currency of start fee and prizes: that of the event.'),
		arenaName: z.string().nullable().describe('Name of the arena when it was chosen; null without one.'),
		status: z
			.enum(['OPEN', 'CANCELLED'])
			.meta({ id: 'CompetitionStatus', description: 'Whether the competition takes place.' }),
		entriesNeedingAttention: entriesNeedingAttention.optional(),
		...recordTimes,
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
			currency: 'EUR',
			status: 'OPEN',
			createdAt: '2026-01-15T08:30:00.000Z',
			updatedAt: '2026-03-02T17:05:12.000Z',
			version: 1,
		},
	});

export type Competition = z.output<typeof competition>;

export const competitionBody = z
	.strictObject({
		...bodyFields(competitionFields, {
			ageClasses: [],
			ponyOnly: false,
			startFee: 0,
			kind: 'STANDARD',
			prizes: [],
			divisions: 1,
			dividedBy: [],
		}),
		level: competitionFields.level.optional().describe('The same; may be absent if heightCm implies it.'),
		horseMinAge: horseAge
			.nullable()
			.default(null)
			.describe(
				'Lowest age of the horse in years; null = that of the rules (`listRules`); nationally no less than that.',
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
						number: competitionFields.number,
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

export const competitionParameters = z.strictObject({
	id,
	competitionId: id.describe('UUID of the competition.'),
});

export const competitionQuery = z.strictObject({
	discipline: filterValues(discipline).optional().describe('Competitions in these disciplines.'),
	date: filterValues(day).optional().describe('Competitions on these days.'),
	...collectionParameters({
		of: 'Competition',
		text: 'Part of the name, the level or the test, or the whole number.',
		sort: ['number', 'date', 'name', 'level'],
	}),
});

export type CompetitionQuery = z.output<typeof competitionQuery>;
