import { type EntryCheck, errorCheck } from './entry-check.ts';
import type { EntryFacts } from './entry-facts.ts';
import { isTooLateToConfirm } from './entry-status.ts';
import { entryWindow } from './entry-window.ts';

/** What speaks against an entry that the rider's or the horse's side would have to confirm. */
export function checkConfirmation({
	event,
	confirmation,
	now,
}: Pick<EntryFacts, 'event' | 'confirmation' | 'now'>): readonly EntryCheck[] {
	if (confirmation === 'NOT_NEEDED') return [];
	if (confirmation === 'ALREADY_PENDING') {
		const text = 'This rider and this horse have an entry at the event that waits for a confirmation.';
		return [errorCheck('EVENT', 'CONFIRMATION_PENDING', text)];
	}
	// Outside of the regular window `checkWindow` says so already.
	if (entryWindow(event, now) !== 'REGULAR' || !isTooLateToConfirm(event, now)) return [];
	const text = 'The event has begun: only entries that need no confirmation are accepted.';
	return [errorCheck('EVENT', 'EVENT_NOT_OPEN', text)];
}
