import { commonErrors, type ErrorDefinition, errorFactory, errorPicker } from '@paddock/contract';

/** Errors of this context, in addition to the common ones. */
const eventsErrors = {
	ENTRY_NOT_ALLOWED: {
		status: 422,
		message: 'The rules do not allow this entry. Its checks say why.',
	},
	COMPETITION_FULL: {
		status: 409,
		message: 'A competition has no place left. The entry keeps the starts that it has.',
	},
	MEMBER_NOT_ACTIVE: {
		status: 403,
		message: 'The member that this account belongs to is not active. Contact the federation office.',
	},
	EVENT_NUMBER_TAKEN: { status: 409, message: 'Another event has this number.' },
	ILLEGAL_STATE_TRANSITION: { status: 409, message: 'That step is not possible from the present status.' },
	EVENT_HAS_ENTRIES: { status: 409, message: 'The event has entries. Cancel it instead.' },
	CANNOT_DELETE_ACTIVE_EVENT: {
		status: 409,
		message: 'Only a draft can be deleted. Cancel a published event instead.',
	},
	EVENT_NOT_READY: { status: 422, message: 'The event lacks something that entrants need.' },
	EVENT_CLOSED: { status: 409, message: 'An event that is completed or cancelled does not change any more.' },
	COMPETITIONS_DEPEND_ON_IT: {
		status: 409,
		message: 'Competitions of the event depend on what the change would take away.',
	},
	COMPETITION_NUMBER_TAKEN: { status: 409, message: 'Another competition of the event has this number.' },
	COMPETITION_HAS_ENTRIES: {
		status: 409,
		message: 'The competition has entries. Cancel it instead.',
	},
	COMPETITION_CLOSED: { status: 409, message: 'A cancelled competition does not change any more.' },
	HORSE_MIN_AGE_BELOW_RULES: {
		status: 422,
		message: 'The rules ask for older horses at this level (OeTO §53.2).',
	},
} as const satisfies Record<string, ErrorDefinition>;

/** `throw eventsError('EVENT_HAS_ENTRIES')` */
export const eventsError = errorFactory(eventsErrors);

const allErrors = { ...commonErrors, ...eventsErrors };

/** The error definitions that a route declares, from both tables. */
export const errorsNamed = errorPicker(allErrors);

/** `errorsNamed` plus OUT_OF_SCOPE, for callers who manage other events only. */
export const managerErrors = (...codes: readonly (keyof typeof allErrors)[]) =>
	errorsNamed('OUT_OF_SCOPE', ...codes);
