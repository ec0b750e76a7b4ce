import { demoClubs } from '@paddock/demo';
import { count, id, instant, pageSchema, recordTimes, version } from '@paddock/service';
import { z } from 'zod';
import { actingAs, entryActs, entrySides, ledgerKinds } from '../enumerations.ts';
import { cents, currency } from '../events/schemas.ts';
import {
	amountDue,
	boxes,
	entryBodyExample,
	entryCheck,
	entryCheckExample,
	entryStatus,
	entryType,
	storedOverride,
} from './schemas.ts';

const riderSnapshot = z
	.strictObject({
		name: z.string().describe('Given names and family name.'),
		clubId: id.nullable().describe('UUID of the home club; null without one.'),
		clubName: z.string().nullable().describe('Name of the home club; null without one.'),
		nation: z.string().describe('Nationality, ISO 3166-1 alpha-2.'),
		ageClasses: z
			.array(z.string())
			.describe('Codes of the rider’s age classes by the ruleset of the event, on its first day.'),
	})
	.meta({
		id: 'EntryRider',
		description:
			'The rider at the time of the entry. Absent for all but the rider’s side until that side has confirmed the entry.',
	});

const horseSnapshot = z
	.strictObject({
		name: z.string().describe('Registered name.'),
		headNumber: z.string().nullable().describe('Head number; null without one.'),
		birthYear: z.int().describe('Year of birth.'),
		sireName: z.string().nullable().describe('Name of the sire; null if unknown.'),
	})
	.meta({ id: 'EntryHorse', description: 'The horse at the time of the entry.' });

const start = z
	.strictObject({
		competitionId: id.describe('UUID of the competition.'),
		status: entryStatus.describe('Status of the entry, or CANCELLED if the competition is cancelled.'),
		startFee: cents.describe('Fee of this start, in cents.'),
	})
	.meta({ id: 'Start', description: 'The start of an entry in one competition.' });

const ledgerLine = z
	.strictObject({
		kind: z.enum(ledgerKinds).meta({
			id: 'LedgerKind',
			description:
				'ENTRY: entry fee. LATE: surcharge of a late entry. SWAP: change of rider or horse. REFUND: money back.',
		}),
		amount: z.int().describe('Amount in cents; negative in favour of the entrant.'),
		competitionId: id.nullable().describe('UUID of the competition of a start; null otherwise.'),
		reason: z.string().describe('Reason for people.'),
		bookedAt: instant.describe('Time of the booking.'),
		bookedBy: id
			.nullable()
			.optional()
			.describe(
				'UUID of the account that booked it; null = the system. Only for callers who manage the event.',
			),
	})
	.meta({ id: 'LedgerLine', description: 'One line of the ledger of an entry.' });

const swap = z
	.strictObject({
		fromRiderMemberId: id.describe('UUID of the former rider.'),
		fromRiderName: z.string().describe('The former rider.'),
		toRiderMemberId: id.describe('UUID of the rider after it.'),
		toRiderName: z.string().describe('The rider after it.'),
		fromHorseId: id.describe('UUID of the former horse.'),
		fromHorseName: z.string().describe('The former horse.'),
		toHorseId: id.describe('UUID of the horse after it.'),
		toHorseName: z.string().describe('The horse after it.'),
		reason: z.string().nullable().describe('Reason; null if none was given.'),
		swappedAt: instant.describe('Time of the change.'),
		swappedBy: id
			.optional()
			.describe('UUID of the account that made it. Only for callers who manage the event.'),
	})
	.meta({ id: 'EntrySwapRecord', description: 'A change of rider or horse of an entry.' });

const act = z
	.strictObject({
		act: z.enum(entryActs).meta({ id: 'EntryActKind', description: 'What was done to the entry.' }),
		actingAs: z.enum(actingAs).meta({
			id: 'EntryCapacity',
			description:
				'Capacity in which it was done. HORSE: an owner or the person responsible for the horse. OFFICE: the federation’s.',
		}),
		forMemberId: id.nullable().describe('UUID of the member on whose behalf it was done; null otherwise.'),
		actedAt: instant.describe('Time of the act.'),
		actedBy: id.optional().describe('UUID of the account. Only for callers who manage the event.'),
	})
	.meta({ id: 'EntryAct', description: 'One act of a person on an entry.' });

export const entry = z
	.strictObject({
		id,
		eventId: id.describe('UUID of the event.'),
		entryNumber: z.int().min(1).describe('Running number within the event, from 1.'),
		type: entryType,
		status: entryStatus,
		missingConfirmations: z
			.array(z.enum(entrySides).meta({ id: 'EntrySide', description: 'Side of an entry: rider or horse.' }))
			.describe(
				'The sides that have not agreed: RIDER (the rider, a guardian, the home club), HORSE (an owner, the person responsible, its club). Empty once the entry counts.',
			),
		statusReason: z.string().nullable().describe('Reason of a rejection; null otherwise.'),
		position: z
			.int()
			.min(1)
			.nullable()
			.describe('Position on the waiting list of the event, from 1; null = not waiting.'),
		riderMemberId: id.describe('UUID of the member who rides.'),
		rider: riderSnapshot.optional(),
		horseId: id.describe('UUID of the horse.'),
		horse: horseSnapshot,
		starts: z.array(start).describe('Starts, one per competition.'),
		checks: z
			.array(entryCheck)
			.describe(
				'Findings that the caller may read: those on the own rider or horse; the organiser reads all. Each change of the event or its competitions adds and removes them.',
			),
		overrides: z
			.array(storedOverride)
			.describe(
				'Findings that organiser or office passed, also those that are no longer true; each for callers who act for its rider or horse, the organiser and the office, who also get those of former pairs.',
			),
		needsAttention: z
			.boolean()
			.describe(
				'Whether the entry no longer fits its event (a check is an ERROR), or could not be checked after a change (NOT_RECHECKED). It keeps its place but gets none from the waiting list; after an ERROR it can be withdrawn free of charge.',
			),
		boxes: boxes.describe('Number of boxes wanted.'),
		ledger: z
			.array(ledgerLine)
			.describe(
				'Lines of which the amount due is the sum, in the order of booking. Those of a waiting entry become due with its place.',
			),
		swaps: z.array(swap).describe('Earlier riders and horses, earliest first.'),
		acts: z
			.array(act)
			.describe(
				'Who did what to the entry and for whom, earliest first. Only for the rider’s side and callers who manage the event; empty otherwise.',
			),
		amountDue,
		currency,
		freeWithdrawalUntil: instant
			.nullable()
			.describe(
				'Last instant for a withdrawal free of charge although the entry deadline has passed; null = until the entry deadline. No longer once a competition of the entry is over.',
			),
		...recordTimes,
		version,
	})
	.meta({
		id: 'Entry',
		description: 'A registration of one horse with one rider for competitions of an event.',
		example: {
			id: 'e2d8b4f6-1a5c-4f39-b7e0-6c9d3a8f5e04',
			eventId: '5a1f0d5e-3f6a-4c39-8a54-1f6f0e8d7c01',
			entryNumber: 41,
			type: 'REGULAR',
			status: 'WAITLISTED',
			missingConfirmations: [],
			statusReason: null,
			position: 1,
			riderMemberId: entryBodyExample.riderMemberId,
			rider: {
				name: 'Eva Zügelbauer',
				clubId: demoClubs.auwiesen.id,
				clubName: demoClubs.auwiesen.name,
				nation: 'AT',
				ageClasses: ['GENERAL'],
			},
			horseId: entryBodyExample.horseId,
			horse: { name: 'Lärchenglut', headNumber: 'D006', birthYear: 2016, sireName: 'Waldkauz' },
			starts: [
				{ competitionId: 'd4000002-0000-4000-8000-000000000002', status: 'WAITLISTED', startFee: 1800 },
			],
			checks: [entryCheckExample],
			overrides: [],
			needsAttention: false,
			boxes: 0,
			ledger: [
				{
					kind: 'ENTRY',
					amount: 2500,
					competitionId: null,
					reason: 'Entry fee',
					bookedAt: '2026-09-14T16:20:00.000Z',
				},
				{
					kind: 'START',
					amount: 1800,
					competitionId: 'd4000002-0000-4000-8000-000000000002',
					reason: 'Start in no. 2',
					bookedAt: '2026-09-14T16:20:00.000Z',
				},
			],
			swaps: [],
			acts: [
				{
					act: 'ENTERED',
					actingAs: 'GUARDIAN',
					forMemberId: entryBodyExample.riderMemberId,
					actedAt: '2026-09-14T16:20:00.000Z',
				},
			],
			amountDue: 0,
			currency: 'EUR',
			freeWithdrawalUntil: null,
			createdAt: '2026-09-14T16:20:00.000Z',
			updatedAt: '2026-09-14T16:20:00.000Z',
			version: 1,
		},
	});

export type Entry = z.output<typeof entry>;

export const entryPage = pageSchema(entry).meta({ id: 'EntryPage' });

export const entryParameters = z.strictObject({ id, entryId: id.describe('UUID of the entry.') });

/** Maximum number of entries in a response to a change; a page of a list has as many. */
export const attentionMax = 200;

const entryInDoubt = z
	.strictObject({
		id,
		entryNumber: z.int().min(1).describe('Running number within the event.'),
		status: entryStatus,
		riderName: z
			.string()
			.optional()
			.describe('The rider; absent until the rider’s side has confirmed the entry.'),
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
