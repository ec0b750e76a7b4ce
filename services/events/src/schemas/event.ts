import { id, instant, line, pageSchema, version } from '@paddock/service';
import { z } from 'zod';
import type { EntryWindow } from '../entries/entry-window.ts';
import { eventStatuses } from '../event-status.ts';
import { officialRoles } from '../official-roles.ts';
import { eventExample, eventFields, eventNumber } from './event-fields.ts';

const entryWindows = ['NOT_YET', 'REGULAR', 'LATE', 'CLOSED'] as const satisfies readonly EntryWindow[];

const venueSnapshot = z
	.strictObject({
		id,
		name: z.string(),
		city: z.string().nullable(),
		stateCode: z.string().nullable().describe('ISO 3166-2.'),
		countryCode: z.string().describe('ISO 3166-1 alpha-2.'),
		timeZone: z.string().describe('Of the IANA database; the days of the event are days there.'),
	})
	.meta({ id: 'EventVenue', description: 'The venue as it was when the event was given to it.' });

const officialView = z
	.strictObject({
		role: z.enum(officialRoles),
		name: line(1, 120),
		memberId: id.nullable().optional().describe('Shown to those who run the event only.'),
	})
	.meta({ id: 'EventOfficialView' });

const count = z.int().min(0);

const eventCounts = z
	.strictObject({
		competitions: count.describe('Cancelled ones too.'),
		entries: count.describe('All entries ever made, without unconfirmed ones.'),
		accepted: count,
		waitlisted: count,
	})
	.meta({ id: 'EventCounts' });

/** A tournament. */
export const event = z
	.strictObject({
		id,
		eventNumber,
		...eventFields,
		officials: z
			.array(officialView)
			.describe('Members who are deleted or do not consent are shown to those who run the event only.'),
		venue: venueSnapshot,
		organiserClubName: z.string().describe('As it was when the event was given to the club.'),
		status: z.enum(eventStatuses).describe('From the steps taken (publish, complete, cancel) and the clock.'),
		entryWindow: z
			.enum(entryWindows)
			.describe('REGULAR: all who may enter; LATE: the organiser, for the surcharge.'),
		cancelledReason: z.string().nullable(),
		counts: eventCounts,
		createdAt: instant,
		updatedAt: instant,
		version,
	})
	.meta({
		id: 'Event',
		example: {
			id: '5a1f0d5e-3f6a-4c39-8a54-1f6f0e8d7c01',
			eventNumber: '10001',
			...eventExample,
			venue: {
				id: eventExample.venueId,
				name: 'Reitzentrum Musterau',
				city: 'Musterau',
				stateCode: 'AT-3',
				countryCode: 'AT',
				timeZone: 'Europe/Vienna',
			},
			organiserClubName: 'Reitverein Musterau',
			status: 'REGISTRATION_OPEN',
			entryWindow: 'REGULAR',
			cancelledReason: null,
			counts: { competitions: 12, entries: 97, accepted: 90, waitlisted: 0 },
			createdAt: '2026-03-01T09:00:00.000Z',
			updatedAt: '2026-03-02T10:30:00.000Z',
			version: 3,
		},
	});

export type Event = z.output<typeof event>;

/** Body fields that only the server sets. Any value of `counts` is accepted, because it changes without an edit. */
export const serverOwnedFields = [
	'id',
	'venue',
	'organiserClubName',
	'status',
	'entryWindow',
	'cancelledReason',
	'counts',
	'createdAt',
	'updatedAt',
	'version',
] as const;

export const eventPage = pageSchema(event).meta({ id: 'EventPage' });

/** Reason of a cancellation; shown to entrants. */
export const cancellation = z
	.strictObject({ reason: line(3, 500) })
	.meta({ id: 'EventCancellation', example: { reason: 'Der Boden ist nach dem Hochwasser unbrauchbar.' } });
