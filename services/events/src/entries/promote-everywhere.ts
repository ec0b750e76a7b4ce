import { randomUUID } from 'node:crypto';
import { inTransaction } from '@paddock/database';
import { continueTrace, type Logger, traceparentOf } from '@paddock/telemetry';
import type { EventsDeps } from '../deps.ts';
import { listEventsWithWaiting, lockPublishedEvent } from '../repository/events.ts';
import { blockedEntries, promoteWaiting, type WaitingEvent } from './promote-waiting.ts';

/** Timeout of the calls to other services for one event. */
const eventMs = 10_000;

interface PromotionDeps extends Pick<EventsDeps, 'db' | 'directory' | 'freeWithdrawalMs'> {
	readonly now: () => Date;
	readonly logger: Logger;
	/** Aborted when the service stops. */
	readonly closing: AbortSignal;
}

/**
 * Promotes waiting entries of all events to free places: those that could not be checked when the place became free,
 * and those whose rider or horse may start again.
 */
export async function promoteEverywhere(deps: PromotionDeps): Promise<void> {
	const { db, now, logger, closing } = deps;
	for (const event of await listEventsWithWaiting(db, now())) {
		if (closing.aborted) return;
		try {
			await promoteAt(event, deps);
		} catch (error) {
			// The stop of the service ended the calls; the next start begins with a pass.
			if (closing.aborted) return;
			// Continue with the other events; the next pass retries this one.
			logger.warn('promotion of waiting entries failed', { eventId: event.id, error });
		}
	}
}

async function promoteAt(
	event: WaitingEvent,
	{ db, directory, freeWithdrawalMs, now, logger, closing }: PromotionDeps,
): Promise<void> {
	const context = {
		requestId: randomUUID(),
		signal: AbortSignal.any([closing, AbortSignal.timeout(eventMs)]),
		traceparent: traceparentOf(continueTrace(undefined)),
	};
	const blocked = await blockedEntries(db, event, directory, context);
	const promoted = await inTransaction(db, async (transaction) => {
		const locked = await lockPublishedEvent(transaction, event.id);
		if (locked === undefined) return [];
		return promoteWaiting(transaction, locked, { now: now(), blocked, freeWithdrawalMs });
	});
	if (promoted.length > 0) logger.info('waiting entries promoted', { eventId: event.id, entryIds: promoted });
}
