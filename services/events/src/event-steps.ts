import { eventsError } from './errors.ts';
import type { EventStatus, StoredStatus } from './event-status.ts';

/** What people do with an event, by the status that it then has. */
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
 * Where an event can go. One whose days are over shows as COMPLETED and can still be completed, which fixes that it
 * took place; it can't be cancelled any more.
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
