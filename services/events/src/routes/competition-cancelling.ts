import { inTransaction } from '@paddock/database';
import { type Route, requireVersion } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { blockedEntries, promoteWaiting } from '../entries/promote-waiting.ts';
import { eventsError, managerErrors } from '../errors.ts';
import { managersOnly } from '../event-access.ts';
import { requireNotOver } from '../event-changes.ts';
import { getManagedEvent, lockManagedEvent } from '../managed-event.ts';
import { cancelStartsOfCompetition } from '../repository/cancelled-entries.ts';
import { getCompetition, updateCompetition } from '../repository/competitions.ts';
import { competition, competitionParameters } from '../schemas/competition.ts';

const cancelling = route({
	method: 'post',
	path: '/api/events/{id}/competitions/{competitionId}/cancel',
	operationId: 'cancelCompetition',
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
		const { params, ifMatch, now } = request;
		const blocked = await blockedEntries(db, await getManagedEvent(db, request), directory, request);
		return inTransaction(db, async (transaction) => {
			const event = await lockManagedEvent(transaction, request);
			requireNotOver(event, now);
			const stored = await getCompetition(transaction, params);
			requireVersion(ifMatch, stored.version);
			if (stored.status === 'CANCELLED') {
				const context = { from: stored.status, to: 'CANCELLED', allowed: [] };
				throw eventsError('ILLEGAL_STATE_TRANSITION', { context });
			}
			const cancelled = await updateCompetition(transaction, stored.id, { status: 'CANCELLED' });
			await cancelStartsOfCompetition(transaction, stored.id, now);
			await promoteWaiting(transaction, event, now, blocked);
			return cancelled;
		});
	},
});

export const competitionCancellingRoutes: readonly Route<EventsDeps>[] = [cancelling];
