import { randomUUID } from 'node:crypto';
import { inTransaction } from '@paddock/database';
import { continueTrace, type Logger, traceparentOf } from '@paddock/telemetry';
import type { EventsDeps } from '../deps.ts';
import { listUnsettledEvents, lockPublishedEvent, type UnsettledEvent } from '../events/store.ts';
import { blockedEntries, promoteWaiting } from './promote-waiting.ts';
import { prepareRejudging, rejudgeEntries } from './rejudge-entries.ts';

/** Timeout of the calls to other services for one event. */
const eventMs = 10_000;

interface PromotionDeps extends Pick<EventsDeps, 'db' | 'directory' | 'freeWithdrawalMs'> {
	readonly now: () => Date;
	readonly logger: Logger;
	/** Aborted when the service stops. */
	readonly closing: AbortSignal;
}

/**
 * Judges entries again that could not be judged after a change of their event. Promotes waiting entries of all events to
 * free places: those that could not be checked when the place became free, and those whose rider or horse may start
 * again.
 */
export async function promoteEverywhere(deps: PromotionDeps): Promise<void> {
	const { db, now, logger, closing } = deps;
	for (const event of await listUnsettledEvents(db, now())) {
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
	event: UnsettledEvent,
	{ db, directory, freeWithdrawalMs, now, logger, closing }: PromotionDeps,
): Promise<void> {
	const context = {
		requestId: randomUUID(),
		signal: AbortSignal.any([closing, AbortSignal.timeout(eventMs)]),
		traceparent: traceparentOf(continueTrace(undefined)),
	};
	const plan = { ruleset: event.ruleset, needsAgeClasses: true };
	const [blocked, rejudging] = await Promise.all([
		blockedEntries(db, event, directory, context),
		event.isInDoubt ? prepareRejudging(db, event, plan, { directory, call: context }) : undefined,
	]);
	const promoted = await inTransaction(db, async (transaction) => {
		const locked = await lockPublishedEvent(transaction, event.id);
		if (locked === undefined) return [];
		if (rejudging !== undefined) await rejudgeEntries(transaction, locked, { now: now(), rejudging });
		return promoteWaiting(transaction, locked, { now: now(), blocked, freeWithdrawalMs });
	});
	if (promoted.length > 0) logger.info('waiting entries promoted', { eventId: event.id, entryIds: promoted });
}
