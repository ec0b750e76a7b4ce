import { commonErrors, errorFactory, errorPicker, errorTable, sharedErrors } from '@paddock/contract';
import { crudTablesWith } from '@paddock/crud';
import type { MembersSchema } from './database-schema.ts';

const membersErrors = {
	...sharedErrors,
	...errorTable({
		409: {
			CLUB_NUMBER_TAKEN: 'Another club has this number.',
			CLUB_IN_USE: 'The club is in use. Set its status to INACTIVE to take it out of use.',
			MEMBERSHIP_NUMBER_TAKEN:
				'Another member has this membership number; a deleted member keeps the numbers.',
			MEMBERSHIP_NUMBERS_USED_UP: 'The club has assigned all of its membership numbers.',
			FEDERATION_NUMBER_TAKEN:
				'Another member has this federation number; a deleted member keeps the numbers.',
			FEI_ID_TAKEN: 'Another member has this FEI ID; a deleted member keeps the numbers.',
			POSSIBLE_DUPLICATE:
				'A member of the same name and birth date exists. Send it with confirmDuplicate=true if it is another person.',
			MEMBER_INACTIVE: 'The member has been deleted. Restore the record first.',
			MEMBER_HAS_OPEN_ENTRIES: 'The member has entries for future events. Withdraw them first.',
			MEMBER_OWNS_HORSES: 'The member owns horses. Transfer them first.',
		},
		422: { GUARDIAN_REQUIRED: 'A member under 18 needs a guardian.' },
	}),
};

export const membersError = errorFactory(membersErrors);

export const crudTable = crudTablesWith<MembersSchema>()(membersErrors);

export const errorsNamed = errorPicker({ ...commonErrors, ...membersErrors });
