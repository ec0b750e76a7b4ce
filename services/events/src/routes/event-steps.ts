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
			'It needs what entrants need: a competition, an entry deadline to come, and a venue, an organising club, arenas and age classes that are still in use.',
		message: 'Event published',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION', 'EVENT_NOT_READY'),
		handler: publishEvent,
	}),
	route({
		...shared,
		path: `${path}/cancel`,
		operationId: 'cancelEvent',
		summary: 'Cancel an event and every entry',
		description: 'Possible until its last day is over. No fees stay due.',
		body: cancellation,
		message: 'Event cancelled',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => cancelEvent(request.body.reason, request, deps),
	}),
	route({
		...shared,
		path: `${path}/complete`,
		operationId: 'completeEvent',
		summary: 'Declare an event over',
		description: 'From its first day on. Without it an event shows as COMPLETED once its last day is over.',
		message: 'Event completed',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: completeEvent,
	}),
];
