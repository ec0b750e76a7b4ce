import { commonErrors, type ErrorDefinition, errorFactory, errorPicker } from '@paddock/contract';

/** Errors of this context, in addition to the common ones. */
const horsesErrors = {
	UELN_TAKEN: { status: 409, message: 'Another horse has this UELN.' },
	MICROCHIP_TAKEN: { status: 409, message: 'Another horse has this microchip number.' },
	FEDERATION_HORSE_NUMBER_TAKEN: {
		status: 409,
		message: 'Another horse has this federation horse number.',
	},
	HEAD_NUMBER_TAKEN: { status: 409, message: 'Another horse has this head number.' },
	FEI_ID_TAKEN: { status: 409, message: 'Another horse has this FEI ID.' },
	MEMBER_NOT_ACTIVE: {
		status: 403,
		message: 'Your membership is not active. Contact the federation’s office.',
	},
	NUMBER_AMBIGUOUS: { status: 409, message: 'Several horses have this passport number.' },
	HORSE_HAS_OPEN_ENTRIES: {
		status: 409,
		message: 'The horse is entered for events to come. Withdraw these entries first.',
	},
	HORSE_REMOVED: { status: 409, message: 'The horse is removed from the registry. Restore it first.' },
	ILLEGAL_STATE_TRANSITION: { status: 409, message: 'The horse’s status does not allow this step.' },
	CHILD_WOULD_BREAK: {
		status: 409,
		message: 'Horses are registered as its offspring that could not be with this sex or birth.',
	},
	OWNERSHIP_NOT_AFTER_PREVIOUS: {
		status: 409,
		message: 'A transfer must lie after the one before it.',
	},
	DEATH_ALREADY_REPORTED: {
		status: 409,
		message: 'The death is reported already. The federation’s office decides on the report.',
	},
	NO_DEATH_REPORTED: { status: 409, message: 'No report of the horse’s death awaits a decision.' },
	TRANSFER_PENDING: {
		status: 409,
		message: 'Another transfer of the horse awaits its owners. Confirm or decline it first.',
	},
	TRANSFER_NOT_PENDING: { status: 409, message: 'The transfer has ended.' },
	NEW_OWNER_UNKNOWN: {
		status: 409,
		message: 'A new owner is no longer a member. Decline the transfer and request another one.',
	},
	OWNER_NOT_MEMBER: {
		status: 409,
		message: 'An owner of the horse is no longer a member. Correct the ownership first.',
	},
	OWNERSHIP_BEFORE_BIRTH: { status: 409, message: 'The horse had an owner before this day of birth.' },
	OWNERSHIP_AFTER_DEATH: { status: 409, message: 'An ownership cannot begin after the horse’s death.' },
	TRANSFER_BY_OFFICE_ONLY: {
		status: 422,
		message: 'An owner who is not a member cannot confirm the transfer. The federation’s office makes it.',
	},
	INSUFFICIENT_IDENTIFICATION: {
		status: 422,
		message: 'A horse is registered with a UELN, a microchip number or a passport number at least.',
	},
	WRONG_PARENT_SEX: { status: 422, message: 'A sire is a stallion or gelding, a dam is a mare.' },
	PARENT_TOO_YOUNG: { status: 422, message: 'A parent is at least two years older.' },
	PEDIGREE_CYCLE: { status: 422, message: 'A horse cannot be its own ancestor.' },
	FEE_NOT_OVERDUE: {
		status: 422,
		message: 'A registration lapses when the fee is unpaid for more than three years.',
	},
	FEE_UNPAID: { status: 422, message: 'A lapsed registration revives once this year’s fee is paid.' },
} as const satisfies Record<string, ErrorDefinition>;

export type HorsesErrorCode = keyof typeof horsesErrors;

/** `throw horsesError('UELN_TAKEN')` */
export const horsesError = errorFactory(horsesErrors);

/** The error definitions that a route declares, from both tables. */
export const errorsNamed = errorPicker({ ...commonErrors, ...horsesErrors });
