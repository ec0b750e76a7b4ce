import type { Route } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { errorsNamed, managerErrors } from '../errors.ts';
import { managersOnly, officersOnly } from './access.ts';
import { eventMove } from './query-schemas.ts';
import { rescheduleEvent } from './reschedule.ts';
import { cancelEvent, completeEvent, publishEvent, recallEvent, returnEvent, submitEvent } from './steps.ts';
import { approvalReturn, cancellation, event } from './view-schemas.ts';

const path = '/api/events/{id}';

const shared = {
	method: 'post',
	access: managersOnly,
	output: event,
	etag: 'shownVersion',
	precondition: true,
} as const;

export const eventStepRoutes: readonly Route<EventsDeps>[] = [
	route({
		...shared,
		path: `${path}/submit`,
		operationId: 'submitEvent',
		writers: 'activeMembers',
		summary: 'Submit a draft for approval',
		description:
			'Of a draft, or of an event that was returned. The event must be complete, as for its publication. The organiser cannot change it while it waits.',
		message: 'Event submitted',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION', 'EVENT_NOT_READY'),
		handler: submitEvent,
	}),
	route({
		...shared,
		path: `${path}/recall`,
		operationId: 'recallEvent',
		writers: 'activeMembers',
		summary: 'Take back a submission',
		description: 'Makes a submitted event a draft again.',
		message: 'Event recalled',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: recallEvent,
	}),
	route({
		...shared,
		access: officersOnly,
		path: `${path}/return`,
		operationId: 'returnEvent',
		writers: 'office',
		summary: 'Return a submitted event to its organiser',
		description: 'For the federation’s office. The organiser changes the event and submits it again.',
		body: approvalReturn,
		message: 'Event returned',
		errors: errorsNamed('ILLEGAL_STATE_TRANSITION'),
		handler: returnEvent,
	}),
	route({
		...shared,
		path: `${path}/publish`,
		operationId: 'publishEvent',
		writers: 'activeMembers',
		summary: 'Publish a draft',
		description:
			'For the federation’s office, unless the setting EVENT_APPROVAL is off: then organisers publish their events too. Publishes any draft, which approves a submitted one. The event must have a competition, an entry deadline in the future, and a venue, organising club, arenas and age classes that are in use.',
		message: 'Event published',
		errors: managerErrors('APPROVAL_REQUIRED', 'ILLEGAL_STATE_TRANSITION', 'EVENT_NOT_READY'),
		handler: publishEvent,
	}),
	route({
		...shared,
		path: `${path}/cancel`,
		operationId: 'cancelEvent',
		writers: 'activeMembers',
		summary: 'Cancel an event and every entry',
		description: 'Possible until the end of its last day. No fees remain due.',
		body: cancellation,
		message: 'Event cancelled',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: cancelEvent,
	}),
	route({
		...shared,
		path: `${path}/reschedule`,
		operationId: 'rescheduleEvent',
		writers: 'activeMembers',
		summary: 'Move an event with its competitions and deadlines',
		description:
			'Moves everything by as many days as `startDate`, in one change: competitions keep their day of the event, deadlines their local time. Other fields of the body replace what would be moved. Possible until a competition has taken place; of a published event by the federation’s office only. Entries keep their places; they are judged again (`entriesNeedingAttention`), marked with DATE_CHANGED, and can be withdrawn free of charge until the new first day. A request for the dates that the event has changes nothing.',
		body: eventMove,
		idempotent: true,
		message: 'Event rescheduled',
		errors: managerErrors(
			'EVENT_CLOSED',
			'EVENT_SUBMITTED',
			'EVENT_HAS_BEGUN',
			'COMPETITIONS_DEPEND_ON_IT',
			'CLASS_NOT_IN_CATEGORY',
			'EVENT_NOT_READY',
		),
		handler: rescheduleEvent,
	}),
	route({
		...shared,
		path: `${path}/complete`,
		operationId: 'completeEvent',
		writers: 'activeMembers',
		summary: 'Complete an event',
		description:
			'Possible from the first day. Without this request an event is COMPLETED after its last day.',
		message: 'Event completed',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: completeEvent,
	}),
];
