import { demoClubs, demoVenues } from '@paddock/demo';
import {
	count,
	countedAt,
	countsBy,
	id,
	instant,
	line,
	pageSchema,
	paragraphs,
	queryInteger,
	recordTimes,
	renamed,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { entriesNeedingAttention } from '../entries/view-schemas.ts';
import { entryWindows, eventStatuses } from '../enumerations.ts';
import { ruleReference } from '../rules/schemas.ts';
import { discipline, eventExample, eventFields, eventNumber, maxBoxes, officialRole } from './schemas.ts';

export const eventStatus = z.enum(eventStatuses).meta({
	id: 'EventStatus',
	description:
		'Derived from the steps taken (submit, return, publish, complete, cancel) and the clock. SUBMITTED and RETURNED: drafts in their approval by the federation’s office.',
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

const approval = z
	.strictObject({
		submittedAt: instant.describe('Time of the latest submission.'),
		remarks: z.string().nullable().describe('Remarks of the federation’s office; null if it has made none.'),
		warnings: z
			.array(
				z
					.strictObject({
						code: z.string().describe('Code of the warning, such as SUBMITTED_LATE.'),
						message: z.string().describe('Warning for people.'),
						rule: ruleReference,
					})
					.meta({ id: 'ApprovalWarning', description: 'One warning about a submission.' }),
			)
			.describe('Warnings at the submission; they do not prevent the approval.'),
	})
	.meta({
		id: 'EventApproval',
		description:
			'Approval of a draft by the federation’s office. Absent before the submission and after the publication.',
	});

export const eventFindings = z
	.strictObject({
		items: z
			.array(
				z
					.strictObject({
						code: z.string().describe('Code of the rule, such as DIVISION_REQUIRED; see `listRules`.'),
						level: z
							.enum(['ERROR', 'WARNING'])
							.describe('An ERROR prevents the submission and the publication.'),
						message: z.string().describe('Finding for people.'),
						rule: ruleReference,
						competitionId: id.nullable().describe('UUID of the competition; null = the event.'),
					})
					.meta({ id: 'EventFinding', description: 'One rule that an event violates.' }),
			)
			.describe('The findings, those about the event first.'),
	})
	.meta({ id: 'EventFindings', description: 'What the rules do not allow in an event.' });

export type EventFindings = z.output<typeof eventFindings>;

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
		maxBoxes: maxBoxes.describe('Largest number of boxes; null = no limit.'),
		organiserClubName: z.string().describe('Name of the club when it was chosen as organiser.'),
		status: eventStatus,
		entryWindow: z.enum(entryWindows).meta({
			id: 'EntryWindow',
			description: 'REGULAR: open to all who may enter. LATE: open to the organiser, for the surcharge.',
		}),
		approval: approval.optional(),
		statusReason: renamed(
			z.string().nullable().describe('Reason of a cancellation; null otherwise.'),
			'cancelledReason',
		),
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
			statusReason: null,
			counts: { competitions: 12, entries: 97, accepted: 90, waitlisted: 0 },
			createdAt: '2026-03-01T09:00:00.000Z',
			updatedAt: '2026-03-02T10:30:00.000Z',
			version: 3,
		},
	});

export type Event = z.output<typeof event>;

export const eventPage = pageSchema(event).meta({ id: 'EventPage' });

export const cancellation = z
	.strictObject({ statusReason: renamed(line(3, 500).describe('Reason, shown to entrants.'), 'reason') })
	.meta({
		id: 'EventCancellation',
		description: 'Reason of a cancellation.',
		example: { statusReason: 'Der Boden ist nach dem Hochwasser unbrauchbar.' },
	});

export type Cancellation = z.output<typeof cancellation>;

export const approvalReturn = z
	.strictObject({ remarks: paragraphs(3, 2_000).describe('Remarks, shown to the organiser.') })
	.meta({
		id: 'EventReturn',
		description: 'Remarks with which the office returns a submitted event.',
		example: { remarks: 'Bitte den Tierarzt nachtragen; die Nenngebühr liegt über dem Höchstsatz.' },
	});

export type ApprovalReturn = z.output<typeof approvalReturn>;

export const statsQuery = z.strictObject({
	year: queryInteger(1900, 2199).optional().describe('Year of the first day; the present year if absent.'),
});

export const eventStats = z
	.strictObject({
		year: z.int().describe('Year of the first day of the counted events.'),
		totalActive: count.describe('Events that are published and not over.'),
		totalPublic: count.describe('Published events that are shown without a sign-in.'),
		byStatus: countsBy('EventStatusCount', 'status', eventStatus).describe('By status.'),
		byDiscipline: countsBy('DisciplineCount', 'discipline', discipline).describe(
			'An event counts in each of its disciplines; disciplines without an event are left out.',
		),
		byCategory: countsBy(
			'CategoryCount',
			'category',
			z.string().describe('Category, such as CSN-B.'),
		).describe('By category.'),
		byMonth: countsBy(
			'MonthCount',
			'month',
			z.string().describe('Year and month, such as 2026-01.'),
		).describe('All twelve months of the year, by first day.'),
		upcoming30Days: count.describe('Active events that begin within 30 days from now, in any year.'),
		entries: z
			.strictObject({
				total: count.describe('All entries ever made, except unconfirmed ones.'),
				late: count.describe('Late entries.'),
				withdrawn: count.describe('Withdrawn entries.'),
				waitlisted: count.describe('Entries on a waiting list.'),
				pendingConfirmation: count.describe('Entries that wait for a confirmation.'),
			})
			.meta({ id: 'EntryStats', description: 'Numbers of entries.' }),
		distinctRiders: count.describe('Riders with an entry that was not withdrawn, rejected or cancelled.'),
		distinctHorses: count.describe('Horses with such an entry.'),
		countedAt,
	})
	.meta({
		id: 'EventStats',
		description: 'Numbers of a year, over the events that the caller may see.',
		example: {
			year: 2026,
			totalActive: 14,
			totalPublic: 30,
			byStatus: [
				{ status: 'REGISTRATION_OPEN', count: 8 },
				{ status: 'COMPLETED', count: 15 },
			],
			byDiscipline: [
				{ discipline: 'DRESSAGE', count: 12 },
				{ discipline: 'JUMPING', count: 24 },
			],
			byCategory: [
				{ category: 'CDN-A*', count: 8 },
				{ category: 'CSN-B', count: 24 },
			],
			byMonth: [{ month: '2026-04', count: 3 }],
			upcoming30Days: 4,
			entries: { total: 1204, late: 61, withdrawn: 88, waitlisted: 12, pendingConfirmation: 5 },
			distinctRiders: 410,
			distinctHorses: 622,
			countedAt: '2026-03-01T12:00:00.000Z',
		},
	});

export type EventStats = z.output<typeof eventStats>;
