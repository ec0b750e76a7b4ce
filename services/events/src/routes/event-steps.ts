import { idParameters, type Route } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { managerErrors } from '../errors.ts';
import { managersOnly } from '../event-access.ts';
import { cancelEvent, completeEvent, publishEvent } from '../event-steps.ts';
import { cancellation, event } from '../schemas/event.ts';

const path = '/api/events/{id}';

const shared = {
	method: 'post',
	access: managersOnly,
	params: idParameters,
	output: event,
	etag: 'shownVersion',
	precondition: true,
} as const;

export const eventStepRoutes: readonly Route<EventsDeps>[] = [
	route({
		...shared,
		path: `${path}/publish`,
		operationId: 'publishEvent',
		summary: 'Publish a draft',
		description:
			'The event must have a competition, an entry deadline in the future, and a venue, organising club, arenas and age classes that are in use.',
		message: 'Event published',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION', 'EVENT_NOT_READY'),
		handler: publishEvent,
	}),
	route({
		...shared,
		path: `${path}/cancel`,
		operationId: 'cancelEvent',
		summary: 'Cancel an event and every entry',
		description: 'Possible until the end of its last day. No fees remain due.',
		body: cancellation,
		message: 'Event cancelled',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: cancelEvent,
	}),
	route({
		...shared,
		path: `${path}/complete`,
		operationId: 'completeEvent',
		summary: 'Complete an event',
		description:
			'Possible from the first day. Without this request an event is COMPLETED after its last day.',
		message: 'Event completed',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: completeEvent,
	}),
];
