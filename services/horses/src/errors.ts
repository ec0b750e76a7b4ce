import { commonErrors, errorFactory, errorPicker, errorTable, sharedErrors } from '@paddock/contract';

const horsesErrors = {
	...sharedErrors,
	...errorTable({
		403: {
			IDENTITY_BY_OWNERS_ONLY:
				'What identifies a horse is changed by an owner who owns it alone. For all others the federation’s office changes it, with the consent of all owners.',
		},
		409: {
			UELN_TAKEN: 'Another horse has this UELN; a deleted horse keeps its numbers.',
			MICROCHIP_TAKEN: 'Another horse has this microchip number; a deleted horse keeps its numbers.',
			FEDERATION_HORSE_NUMBER_TAKEN:
				'Another horse has this federation horse number; a deleted horse keeps its numbers.',
			HEAD_NUMBER_TAKEN: 'Another horse has this head number; a deleted horse keeps its numbers.',
			FEI_ID_TAKEN: 'Another horse has this FEI ID; a deleted horse keeps its numbers.',
			NUMBER_AMBIGUOUS: 'Several horses have this passport number.',
			HORSE_HAS_OPEN_ENTRIES: 'The horse is entered for future events. Withdraw these entries first.',
			HORSE_INACTIVE: 'The horse has been deleted. Restore it first.',
			CHILD_WOULD_BREAK: 'Its registered offspring would be impossible with this sex or birth.',
			OWNERSHIP_NOT_AFTER_PREVIOUS: 'A transfer must be later than the previous one.',
			DEATH_ALREADY_REPORTED: 'The death is reported already. The federation’s office decides on the report.',
			NO_DEATH_REPORTED: 'No report of the horse’s death awaits a decision.',
			TRANSFER_PENDING: 'Another transfer of the horse awaits its owners. Confirm or decline it first.',
			TRANSFER_NOT_PENDING: 'The transfer has ended.',
			NEW_OWNER_UNKNOWN: 'A new owner is no longer a member. Decline the transfer and request another one.',
			OWNER_NOT_MEMBER: 'An owner of the horse is no longer a member. Correct the ownership first.',
			OWNERSHIP_BEFORE_BIRTH: 'The horse had an owner before this day of birth.',
			TOO_OLD_TO_LIVE: 'The horse was born too long ago to be alive. Correct its birth first.',
			OWNERSHIP_AFTER_DEATH: 'An ownership cannot begin after the horse’s death.',
		},
		422: {
			TRANSFER_BY_OFFICE_ONLY:
				'An owner who is not a member cannot confirm the transfer. The federation’s office makes it.',
			INSUFFICIENT_IDENTIFICATION: 'A horse needs a UELN, a microchip number or a passport number.',
			WRONG_PARENT_SEX: 'A sire is a stallion or gelding, a dam is a mare.',
			PARENT_TOO_YOUNG: 'A parent must be at least two years older.',
			PEDIGREE_CYCLE: 'A horse cannot be its own ancestor.',
			FEE_NOT_OVERDUE: 'A registration lapses when the fee is unpaid for more than three years.',
			FEE_UNPAID: 'A lapsed registration is reinstated only after this year’s fee is paid.',
		},
	}),
};

export type HorsesErrorCode = keyof typeof horsesErrors;

export const horsesError = errorFactory(horsesErrors);

export const errorsNamed = errorPicker({ ...commonErrors, ...horsesErrors });
