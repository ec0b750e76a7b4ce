import { demoClubs, demoVenues } from '@paddock/demo';
import { count, id, line, pageSchema, recordTimes, version } from '@paddock/service';
import { z } from 'zod';
import { entriesNeedingAttention } from '../entries/attention-schemas.ts';
import { entryWindows, eventStatuses } from '../enumerations.ts';
import { eventExample, eventFields, eventNumber, officialRole } from './event-fields.ts';

export const eventStatus = z.enum(eventStatuses).meta({
	id: 'EventStatus',
	description: 'Derived from the steps taken (publish, complete, cancel) and the clock.',
});

const venueSnapshot = z
	.strictObject({
		id: id.describe('UUID of the venue.'),
		name: z.string().describe('Name of the venue.'),
		city: z.string().nullable().describe('City; null if unknown.'),
		stateCode: z.string().nullable().describe('State, ISO 3166-2; null if unknown.'),
		countryCode: z.string().describe('Country, ISO 3166-1 alpha-2.'),
		timeZone: z.string().describe('Zone of the IANA time zone database; days of the event are days there.'),
	})
	.meta({ id: 'EventVenue', description: 'The venue when it was chosen for the event.' });

const officialView = z
	.strictObject({
		role: officialRole,
		name: line(1, 120).describe('Full name.'),
		memberId: id
			.nullable()
			.optional()
			.describe(
				'UUID of the member; null for an official who is not a member, absent for callers who do not manage the event.',
			),
	})
	.meta({ id: 'EventOfficialView', description: 'One official of an event, as the caller may see it.' });

const eventCounts = z
	.strictObject({
		competitions: count.describe('Competitions, cancelled ones included.'),
		entries: count.describe('All entries ever made, except unconfirmed ones.'),
		accepted: count.describe('Entries with a place.'),
		waitlisted: count.describe('Entries on the waiting list.'),
	})
	.meta({ id: 'EventCounts', description: 'Numbers of competitions and entries.' });

export const event = z
	.strictObject({
		id,
		eventNumber: eventNumber.stored,
		...eventFields,
		officials: z
			.array(officialView)
			.describe(
				'Officials; deleted members and members without consent are returned only to callers who manage the event.',
			),
		venue: venueSnapshot,
		organiserClubName: z.string().describe('Name of the club when it was chosen as organiser.'),
		status: eventStatus,
		entryWindow: z.enum(entryWindows).meta({
			id: 'EntryWindow',
			description: 'REGULAR: open to all who may enter. LATE: open to the organiser, for the surcharge.',
		}),
		cancelledReason: z.string().nullable().describe('Reason of a cancellation; null otherwise.'),
		counts: eventCounts,
		entriesNeedingAttention: entriesNeedingAttention.optional(),
		...recordTimes,
		version,
	})
	.meta({
		id: 'Event',
		description: 'A tournament.',
		example: {
			id: '5a1f0d5e-3f6a-4c39-8a54-1f6f0e8d7c01',
			eventNumber: '10001',
			...eventExample,
			venue: {
				id: eventExample.venueId,
				name: demoVenues.auwiesen.name,
				city: demoVenues.auwiesen.city,
				stateCode: 'AT-3',
				countryCode: 'AT',
				timeZone: 'Europe/Vienna',
			},
			organiserClubName: demoClubs.auwiesen.name,
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

export const eventPage = pageSchema(event).meta({ id: 'EventPage' });

export const cancellation = z
	.strictObject({ reason: line(3, 500).describe('Reason, shown to entrants.') })
	.meta({
		id: 'EventCancellation',
		description: 'Reason of a cancellation.',
		example: { reason: 'Der Boden ist nach dem Hochwasser unbrauchbar.' },
	});

export type Cancellation = z.output<typeof cancellation>;
