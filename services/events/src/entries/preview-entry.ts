import type { EventsDeps } from '../deps.ts';
import { getEventRow } from '../repository/events.ts';
import type { EntryVerdict } from '../schemas/entry.ts';
import { isAcceptable } from './entry-check.ts';
import { judgeEntry } from './judge-entry.ts';
import { findParticipants, requireConcerned } from './participants.ts';
import type { EntryRequest } from './submit-entry.ts';

/**
 * Tells what would become of an entry; stores nothing.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT
 */
export async function previewEntry(
	request: Omit<EntryRequest, 'idempotencyKey'>,
	deps: EventsDeps,
): Promise<EntryVerdict> {
	const { eventId, body, principal, now } = request;
	const event = await getEventRow(deps.db, eventId, principal);
	const participants = await findParticipants(body, event, deps, request);
	requireConcerned(principal, event, body, participants);
	const judgement = await judgeEntry(deps.db, event, { body, participants, principal, now });
	const { checks, amountDue, hasPlace } = judgement;
	const acceptable = isAcceptable(checks);
	const place = hasPlace ? 'ACCEPTED' : 'WAITLISTED';
	return { acceptable, checks: [...checks], amountDue, currency: 'EUR', wouldBe: acceptable ? place : null };
}
