import type { EventsDeps } from '../deps.ts';
import { getEventRow } from '../repository/events.ts';
import type { EntryVerdict } from '../schemas/entry-body.ts';
import { isAcceptable } from './entry-check.ts';
import { toCheck } from './entry-view.ts';
import { judgeEntry } from './judge-entry.ts';
import { statusOf } from './new-entry.ts';
import { findParticipants, partiesOf, requireConcerned } from './participants.ts';
import type { EntryRequest } from './submit-entry.ts';

/**
 * Evaluates an entry without storing it.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export async function previewEntry(
	request: Omit<EntryRequest, 'idempotencyKey'>,
	deps: EventsDeps,
): Promise<EntryVerdict> {
	const { eventId, body, principal, now } = request;
	const event = await getEventRow(deps.db, eventId, principal);
	const participants = await findParticipants(body, event, deps, request);
	requireConcerned(principal, partiesOf(event, body, participants));
	const judgement = await judgeEntry(deps.db, event, { body, participants, principal, now });
	const acceptable = isAcceptable(judgement.checks);
	return {
		acceptable,
		checks: judgement.readableChecks.map(toCheck),
		amountDue: judgement.amountDue,
		currency: 'EUR',
		wouldBe: acceptable ? statusOf(judgement) : null,
	};
}
