import { id, instant, line, pageSchema, version } from '@paddock/service';
import { z } from 'zod';
import { entryCheckCodes } from '../entries/entry-check.ts';
import { entryStatuses, entryTypes } from '../entries/entry-status.ts';
import { cents } from './event-fields.ts';

export const entryStatus = z
	.enum(entryStatuses, `must be one of ${entryStatuses.join(', ')}`)
	.describe(
		'An entry is decided at once: ACCEPTED when the event and all of its competitions have a place for it, else WAITLISTED as a whole. SUBMITTED is reserved.',
	);

export const entryType = z
	.enum(entryTypes, `must be one of ${entryTypes.join(', ')}`)
	.describe('LATE: made by the organiser after the entry deadline, for the surcharge.');

const check = z
	.strictObject({
		code: z.enum(entryCheckCodes),
		level: z.enum(['ERROR', 'WARNING']).describe('An ERROR refuses the entry, a WARNING stays on it.'),
		message: z.string().describe('For the rider.'),
	})
	.meta({ id: 'EntryCheck' });

const riderSnapshot = z
	.strictObject({
		name: z.string(),
		clubId: id.nullable(),
		clubName: z.string().nullable(),
		nation: z.string().describe('ISO 3166-1 alpha-2.'),
		ageClasses: z.array(z.string()).describe('Of the event’s ruleset, on its first day.'),
	})
	.meta({ id: 'EntryRider', description: 'The rider as it was at entry.' });

const horseSnapshot = z
	.strictObject({
		name: z.string(),
		headNumber: z.string().nullable(),
		birthYear: z.int(),
		sireName: z.string().nullable(),
	})
	.meta({ id: 'EntryHorse', description: 'The horse as it was at entry.' });

const start = z
	.strictObject({
		competitionId: id,
		status: z.enum(entryStatuses).describe('That of the entry, or CANCELLED with its competition.'),
		startFee: cents,
	})
	.meta({ id: 'Start' });

export const amountDue = z
	.int()
	.min(0)
	.describe(
		'Cents: entry fee, start fees and for a late entry the surcharge. A place that is withdrawn after the entry deadline stays due in full; entries that end otherwise owe nothing.',
	);

const exampleBody = {
	riderMemberId: '8d3e5a10-5b1c-4c8e-9a52-2f9d1c7b6a01',
	horseId: '3b7f0c2d-6e4a-4d0b-8c11-7a5e9f2d4b02',
	starts: [{ competitionId: 'c4a9e6d1-2b3f-4e57-9d80-5f1a7c3e8b03' }],
};

const exampleWarning = {
	code: 'FEE_UNPAID' as const,
	level: 'WARNING' as const,
	message: 'The registration fee of Lärchenglut is not paid for 2026.',
};

/** A participant registration: one horse with one rider, for one or several competitions of an event. */
export const entry = z
	.strictObject({
		id,
		eventId: id,
		entryNumber: z.int().min(1).describe('Running within the event.'),
		type: entryType,
		status: entryStatus,
		statusReason: z.string().nullable().describe('Why it was rejected.'),
		position: z.int().min(1).nullable().describe('On the event’s waiting list, from 1; null = not waiting.'),
		riderMemberId: id,
		rider: riderSnapshot,
		horseId: id,
		horse: horseSnapshot,
		starts: z.array(start),
		checks: z.array(check),
		amountDue,
		currency: z.literal('EUR'),
		createdAt: instant,
		updatedAt: instant,
		version,
	})
	.meta({
		id: 'Entry',
		example: {
			id: 'e2d8b4f6-1a5c-4f39-b7e0-6c9d3a8f5e04',
			eventId: '5a1f0d5e-3f6a-4c39-8a54-1f6f0e8d7c01',
			entryNumber: 41,
			type: 'REGULAR',
			status: 'WAITLISTED',
			statusReason: null,
			position: 1,
			riderMemberId: exampleBody.riderMemberId,
			rider: {
				name: 'Eva Zügelbauer',
				clubId: '0c5d2c3e-64b5-4f5b-9a0e-0a4f5d6c7b01',
				clubName: 'Reitverein Musterau',
				nation: 'AT',
				ageClasses: ['GENERAL'],
			},
			horseId: exampleBody.horseId,
			horse: { name: 'Lärchenglut', headNumber: 'D006', birthYear: 2016, sireName: 'Waldkauz' },
			starts: [
				{ competitionId: 'c4a9e6d1-2b3f-4e57-9d80-5f1a7c3e8b03', status: 'WAITLISTED', startFee: 1800 },
			],
			checks: [exampleWarning],
			amountDue: 4300,
			currency: 'EUR',
			createdAt: '2026-09-14T16:20:00.000Z',
			updatedAt: '2026-09-14T16:20:00.000Z',
			version: 1,
		},
	});

export type Entry = z.output<typeof entry>;

export const entryPage = pageSchema(entry).meta({ id: 'EntryPage' });

const startsMax = 20;

/** What a client writes. */
export const entryBody = z
	.strictObject({
		riderMemberId: id,
		horseId: id,
		starts: z
			.array(z.strictObject({ competitionId: id }).meta({ id: 'StartBody' }))
			.min(1, 'must name at least one competition')
			.max(startsMax, `must name at most ${startsMax} competitions`)
			.refine(
				(starts) => new Set(starts.map(({ competitionId }) => competitionId)).size === starts.length,
				'must name each competition once',
			)
			.meta({ uniqueItems: true }),
		type: entryType.optional().describe('As the time says where it is left out.'),
	})
	.meta({ id: 'EntryBody', example: exampleBody });

export type EntryBody = z.output<typeof entryBody>;

/** What would become of an entry. */
export const entryVerdict = z
	.strictObject({
		acceptable: z.boolean().describe('False when any check is an ERROR.'),
		checks: z.array(check),
		amountDue: amountDue.describe('Cents; for the competitions that the event has.'),
		currency: z.literal('EUR'),
		wouldBe: z
			.enum(['ACCEPTED', 'WAITLISTED'])
			.nullable()
			.describe('As places are at this moment; null where the entry is not acceptable.'),
	})
	.meta({
		id: 'EntryVerdict',
		example: {
			acceptable: true,
			checks: [exampleWarning],
			amountDue: 4300,
			currency: 'EUR',
			wouldBe: 'ACCEPTED',
		},
	});

export type EntryVerdict = z.output<typeof entryVerdict>;

/** Why an entry is rejected; the rider reads it. */
export const rejection = z.strictObject({ reason: line(3, 500) }).meta({
	id: 'EntryRejection',
	example: { reason: 'Das Pferd ist auf dieser Veranstaltung nicht zugelassen.' },
});

/** The path of one entry; `id` is the event's. */
export const entryParameters = z.strictObject({ id, entryId: id });
