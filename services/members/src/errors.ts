import { commonErrors, type ErrorDefinition, errorFactory, errorPicker } from '@paddock/contract';
import { crudTablesWith } from '@paddock/crud';
import type { MembersSchema } from './database-schema.ts';

/** Error codes of this context, in addition to the common ones. */
const membersErrors = {
	CLUB_NUMBER_TAKEN: { status: 409, message: 'Another club has this number.' },
	CLUB_IN_USE: {
		status: 409,
		message: 'The club is in use. Set its status to INACTIVE to take it out of use.',
	},
	MEMBERSHIP_NUMBER_TAKEN: { status: 409, message: 'Another member has this membership number.' },
	MEMBERSHIP_NUMBERS_USED_UP: { status: 409, message: 'The club has given all of its membership numbers.' },
	FEDERATION_NUMBER_TAKEN: { status: 409, message: 'Another member has this federation number.' },
	FEI_ID_TAKEN: { status: 409, message: 'Another member has this FEI ID.' },
	POSSIBLE_DUPLICATE: {
		status: 409,
		message:
			'A member of the same name and birth date exists. Send it with confirmDuplicate=true if it is another person.',
	},
	ILLEGAL_STATE_TRANSITION: { status: 409, message: 'The member’s status does not allow this.' },
	MEMBER_INACTIVE: { status: 409, message: 'The member has been deleted. Restore the record first.' },
	MEMBER_HAS_OPEN_ENTRIES: {
		status: 409,
		message: 'The member has entries for events to come. Withdraw them first.',
	},
	MEMBER_OWNS_HORSES: {
		status: 409,
		message: 'The member owns horses. Transfer them first.',
	},
	MEMBER_NOT_ACTIVE: {
		status: 403,
		message: 'Your own membership is not active. Only an active member may do this.',
	},
	GUARDIAN_REQUIRED: { status: 422, message: 'A member under 18 needs a guardian.' },
} as const satisfies Record<string, ErrorDefinition>;

export type MembersErrorCode = keyof typeof membersErrors;

/** `throw membersError('CLUB_IN_USE')` */
export const membersError = errorFactory(membersErrors);

/** Declares the queries of one table. */
export const crudTable = crudTablesWith<MembersSchema>()(membersErrors);

/** Error definitions that a route declares, from both tables. */
export const errorsNamed = errorPicker({ ...commonErrors, ...membersErrors });
