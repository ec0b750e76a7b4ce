import { inTransaction } from '@paddock/database';
import { type Call, idParameters, type Route, requireVersion } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { type EventsDeps, route } from '../deps.ts';
import type { EventStep } from '../enumerations.ts';
import { managerErrors } from '../errors.ts';
import { managersOnly } from '../event-access.ts';
import { type Missing, requireReadiness } from '../event-readiness.ts';
import { requireStep } from '../event-status.ts';
import { getEvent } from '../event-view.ts';
import { getManagedEvent, lockManagedEvent } from '../managed-event.ts';
import { missingReferences, type PublishedRows, referencesKey } from '../publication-references.ts';
import { cancelEntriesOfEvent } from '../repository/cancelled-entries.ts';
import { competitionRows } from '../repository/competitions.ts';
import { takeStep } from '../repository/event-writes.ts';
import { cancellation, type Event, event } from '../schemas/event.ts';

const path = '/api/events/{id}';

interface StepRequest extends Call {
	readonly params: { readonly id: string };
}

interface Step {
	readonly to: EventStep;
	readonly reason?: string;
	/** Checks preconditions and applies further changes, in the same transaction. */
	readonly accompany: (transaction: EventsQueryable, stored: EventRow) => Promise<unknown>;
}

function step({ db }: EventsDeps, request: StepRequest, { accompany, ...taken }: Step): Promise<Event> {
	const { params, ifMatch, now } = request;
	return inTransaction(db, async (transaction) => {
		const stored = await lockManagedEvent(transaction, request);
		requireVersion(ifMatch, stored.version);
		requireStep(taken.to, stored, now);
		await accompany(transaction, stored);
		await takeStep(transaction, params.id, { ...taken, now });
		return getEvent(transaction, params.id, request);
	});
}

interface CheckedReferences {
	/** Missing references of the rows to be published. */
	missing(rows: PublishedRows): readonly Missing[];
}

/** Runs before the transaction, so that no row is locked during a call. */
async function checkReferences(deps: EventsDeps, request: StepRequest): Promise<CheckedReferences> {
	const event = await getManagedEvent(deps.db, request);
	// The step is refused later for any other status.
	if (event.status !== 'DRAFT') return { missing: () => [] };
	const seen = { event, competitions: await competitionRows(deps.db, event.id) };
	const missing = await missingReferences(deps.directory, seen, request);
	return {
		missing: (rows) => (referencesKey(rows) === referencesKey(seen) ? missing : [referencesChanged]),
	};
}

const referencesChanged: Missing = {
	code: 'REFERENCES_CHANGED',
	message: 'The event was changed during the publication; publish it again.',
};

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
		handler: async (request, deps) => {
			const checked = await checkReferences(deps, request);
			return step(deps, request, {
				to: 'PUBLISHED',
				accompany: async (transaction, event) => {
					const competitions = await competitionRows(transaction, event.id);
					const references = checked.missing({ event, competitions });
					requireReadiness({ entryDeadline: event.entryDeadline, competitions, references }, request.now);
				},
			});
		},
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
		handler: (request, deps) =>
			step(deps, request, {
				to: 'CANCELLED',
				reason: request.body.reason,
				accompany: (transaction, stored) => cancelEntriesOfEvent(transaction, stored.id, request.now),
			}),
	}),
	route({
		...shared,
		path: `${path}/complete`,
		operationId: 'completeEvent',
		summary: 'Declare an event over',
		description: 'From its first day on. Without it an event shows as COMPLETED once its last day is over.',
		message: 'Event completed',
		errors: managerErrors('ILLEGAL_STATE_TRANSITION'),
		handler: (request, deps) => step(deps, request, { to: 'COMPLETED', accompany: () => Promise.resolve() }),
	}),
];
