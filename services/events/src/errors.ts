import { commonErrors, errorFactory, errorPicker, errorTable, sharedErrors } from '@paddock/contract';

const eventsErrors = {
	...sharedErrors,
	...errorTable({
		403: {
			APPROVAL_REQUIRED: 'The federation’s office publishes events. Submit the event for approval instead.',
		},
		409: {
			EVENT_SUBMITTED: 'The event waits for approval. Recall it before changing it.',
			BOXES_FULL: 'The event has no box left. The entry has not changed.',
			ENTRY_NOT_SWAPPABLE:
				'Only an entry that has a place or waits for one can be passed on, before the day of its first start is over.',
			ENTRY_CHANGES_USED_UP:
				'The entry was changed and passed on too often. It can be withdrawn and made anew.',
			COMPETITION_FULL: 'A competition is full. The starts of the entry have not changed.',
			EVENT_NUMBER_TAKEN: 'Another event has this number.',
			EVENT_NUMBERS_USED_UP:
				'All event numbers are assigned. The federation’s office can set a number that a deleted draft had.',
			EVENT_HAS_ENTRIES: 'The event has entries. Cancel it instead.',
			CANNOT_DELETE_ACTIVE_EVENT: 'Only a draft can be deleted. Cancel a published event instead.',
			EVENT_CLOSED: 'A completed or cancelled event cannot be changed.',
			EVENT_HAS_BEGUN: 'A competition of the event has taken place. Move the others one by one.',
			COMPETITIONS_DEPEND_ON_IT: 'Competitions of the event depend on values that the change removes.',
			COMPETITION_NUMBER_TAKEN: 'Another competition of the event has this number.',
			COMPETITION_HAS_ENTRIES: 'The competition has entries. Cancel it instead.',
			COMPETITION_CLOSED: 'A cancelled competition cannot be changed.',
		},
		422: {
			ENTRY_NOT_ALLOWED: 'The rules do not allow this entry. Its checks say why.',
			EVENT_NOT_READY: 'The event is not ready for publication.',
			HORSE_MIN_AGE_BELOW_RULES: 'The rules require older horses in this competition.',
			HORSE_MAX_AGE_ABOVE_RULES: 'The rules require younger horses in this competition.',
			PRIZE_NOT_ALLOWED: 'The rules do not allow prize money in this competition.',
			START_FEE_TOO_HIGH: 'The rules allow at most half of the last prize as start fee.',
			CLASS_NOT_IN_CATEGORY: 'An event of this category does not offer this class.',
			COMPETITION_NOT_SUPPORTED:
				'An entry has one rider and one horse. Competitions of pairs, teams and groups cannot be entered here.',
		},
	}),
};

export const eventsError = errorFactory(eventsErrors);

const allErrors = { ...commonErrors, ...eventsErrors };

export const errorsNamed = errorPicker(allErrors);

/** `errorsNamed` plus OUT_OF_SCOPE, for callers who manage other events only. */
export const managerErrors = (...codes: readonly (keyof typeof allErrors)[]) =>
	errorsNamed('OUT_OF_SCOPE', ...codes);
