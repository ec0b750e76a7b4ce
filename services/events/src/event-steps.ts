import { eventsError } from './errors.ts';
import type { EventStatus, StoredStatus } from './event-status.ts';

/** Steps that users take, named by the resulting status. */
export type EventStep = Exclude<StoredStatus, 'DRAFT'>;

const stepsFrom: Readonly<Record<EventStatus, readonly EventStep[]>> = {
	DRAFT: ['PUBLISHED'],
	PUBLISHED: ['CANCELLED'],
	REGISTRATION_OPEN: ['CANCELLED'],
	REGISTRATION_CLOSED: ['CANCELLED'],
	IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
	COMPLETED: [],
	CANCELLED: [],
};

/**
 * Permitted steps. An event whose last day is over is shown as COMPLETED and can still be completed, which records that
 * it took place; it can no longer be cancelled.
 */
export function allowedSteps(stored: StoredStatus, shown: EventStatus): readonly EventStep[] {
	return shown === 'COMPLETED' && stored === 'PUBLISHED' ? ['COMPLETED'] : stepsFrom[shown];
}

/** @throws ApiError ILLEGAL_STATE_TRANSITION with from, to and allowed. */
export function requireStep(to: EventStep, stored: StoredStatus, shown: EventStatus): void {
	const allowed = allowedSteps(stored, shown);
	if (!allowed.includes(to))
		throw eventsError('ILLEGAL_STATE_TRANSITION', { context: { from: shown, to, allowed } });
}
