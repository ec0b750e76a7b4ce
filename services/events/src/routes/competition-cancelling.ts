import { inTransaction } from '@paddock/database';
import { type Route, requireVersion } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { blockedEntries, promoteWaiting } from '../entries/promote-waiting.ts';
import { eventsError, managerErrors } from '../errors.ts';
import { managersOnly, requireManager } from '../event-access.ts';
import { requireNotOver } from '../event-changes.ts';
import { cancelStartsOfCompetition } from '../repository/cancelled-entries.ts';
import { getCompetitionRow, markCompetitionCancelled } from '../repository/competitions.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import { competition, competitionParameters } from '../schemas/competition.ts';

const cancelling = route({
	method: 'post',
	path: '/api/events/{id}/competitions/{competitionId}/cancel',
	operationId: 'cancelCompetition',
	tag: 'events',
	summary: 'Cancel a competition and every start in it',
	description:
		'The fees of its starts are no longer due; an entry that has no other start left ends with it.',
	access: managersOnly,
	params: competitionParameters,
	output: competition,
	message: 'Competition cancelled',
	etag: 'version',
	precondition: true,
	errors: managerErrors('ILLEGAL_STATE_TRANSITION', 'EVENT_CLOSED'),
	handler: async (request, { db, directory }) => {
		const { params, principal, ifMatch, now } = request;
		const read = await getEventRow(db, params.id, principal);
		requireManager(principal, read.organiser_club_id);
		const blocked = await blockedEntries(db, read, directory, request);
		return inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, principal);
			requireManager(principal, event.organiser_club_id);
			requireNotOver(event, now);
			const stored = await getCompetitionRow(transaction, params);
			requireVersion(ifMatch, stored.version);
			if (stored.status === 'CANCELLED') {
				const context = { from: stored.status, to: 'CANCELLED', allowed: [] };
				throw eventsError('ILLEGAL_STATE_TRANSITION', { context });
			}
			const cancelled = await markCompetitionCancelled(transaction, stored.id);
			await cancelStartsOfCompetition(transaction, stored.id, now);
			await promoteWaiting(transaction, event, now, blocked);
			return cancelled;
		});
	},
});

export const competitionCancellingRoutes: readonly Route<EventsDeps>[] = [cancelling];
