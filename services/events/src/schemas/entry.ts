import { id, instant, pageSchema, version } from '@paddock/service';
import { z } from 'zod';
import { entrySides } from '../entries/entry-scope.ts';
import { shownEntryStatuses } from '../entries/entry-status.ts';
import { amountDue, entryBodyExample, entryCheck, entryCheckExample, entryType } from './entry-body.ts';
import { cents } from './event-fields.ts';

export const entryStatus = z
	.enum(shownEntryStatuses, `must be one of ${shownEntryStatuses.join(', ')}`)
	.describe(
		'An entry is decided at once: ACCEPTED when the event and all of its competitions have a place for it, else WAITLISTED as a whole. PENDING_CONFIRMATION: made by somebody who does not act for both rider and horse; it has no place until the missing side confirms it. DECLINED: that side refused it. EXPIRED: it was not confirmed before the entry deadline or the first day, or it had no place when the event ended; nothing is due. SUBMITTED is reserved.',
	);

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
		status: z.enum(shownEntryStatuses).describe('That of the entry, or CANCELLED with its competition.'),
		startFee: cents,
	})
	.meta({ id: 'Start' });

/** A participant registration: one horse with one rider, for one or several competitions of an event. */
export const entry = z
	.strictObject({
		id,
		eventId: id,
		entryNumber: z.int().min(1).describe('Running within the event.'),
		type: entryType,
		status: entryStatus,
		missingConfirmations: z
			.array(z.enum(entrySides))
			.describe(
				'The sides that have not agreed: RIDER (the rider, a guardian, the home club), HORSE (an owner, the person responsible, its club). Empty once the entry counts.',
			),
		statusReason: z.string().nullable().describe('Why it was rejected.'),
		position: z.int().min(1).nullable().describe('On the event’s waiting list, from 1; null = not waiting.'),
		riderMemberId: id,
		rider: riderSnapshot
			.nullable()
			.describe('Null for all but the rider’s side until that side has confirmed the entry.'),
		horseId: id,
		horse: horseSnapshot,
		starts: z.array(start),
		checks: z
			.array(entryCheck)
			.describe('The warnings that the caller may read: of the own rider or horse; the organiser reads all.'),
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
			missingConfirmations: [],
			statusReason: null,
			position: 1,
			riderMemberId: entryBodyExample.riderMemberId,
			rider: {
				name: 'Eva Zügelbauer',
				clubId: '0c5d2c3e-64b5-4f5b-9a0e-0a4f5d6c7b01',
				clubName: 'Reitverein Musterau',
				nation: 'AT',
				ageClasses: ['GENERAL'],
			},
			horseId: entryBodyExample.horseId,
			horse: { name: 'Lärchenglut', headNumber: 'D006', birthYear: 2016, sireName: 'Waldkauz' },
			starts: [
				{ competitionId: 'c4a9e6d1-2b3f-4e57-9d80-5f1a7c3e8b03', status: 'WAITLISTED', startFee: 1800 },
			],
			checks: [entryCheckExample],
			amountDue: 4300,
			currency: 'EUR',
			createdAt: '2026-09-14T16:20:00.000Z',
			updatedAt: '2026-09-14T16:20:00.000Z',
			version: 1,
		},
	});

export type Entry = z.output<typeof entry>;

export const entryPage = pageSchema(entry).meta({ id: 'EntryPage' });

/** The path of one entry; `id` is the event's. */
export const entryParameters = z.strictObject({ id, entryId: id });
