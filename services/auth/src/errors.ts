import { commonErrors, type ErrorDefinition, errorFactory, errorPicker } from '@paddock/contract';

/** Error codes of this context, in addition to the common ones. */
const authErrors = {
	CURRENT_PASSWORD_WRONG: { status: 400, message: 'The current password is not right.' },
	INVALID_CREDENTIALS: { status: 401, message: 'E-mail address or password is not right.' },
	EMAIL_ALREADY_REGISTERED: { status: 409, message: 'There is an account with this e-mail address already.' },
	MEMBER_TAKEN: {
		status: 409,
		message: 'Another account belongs to this member. Unlink that one first; `data.userId` names it.',
	},
	LAST_ADMINISTRATOR: {
		status: 409,
		message: 'This is the last active administrator. Appoint another one first.',
	},
} as const satisfies Record<string, ErrorDefinition>;

/** `throw authError('INVALID_CREDENTIALS')` */
export const authError = errorFactory(authErrors);

/** Error definitions that a route declares, from both tables. */
export const errorsNamed = errorPicker({ ...commonErrors, ...authErrors });
