import { commonErrors, errorFactory, errorPicker, errorTable } from '@paddock/contract';

/** Error codes of this context, in addition to the common ones. */
const authErrors = errorTable({
	400: {
		CURRENT_PASSWORD_WRONG: 'The current password is wrong.',
		ACCOUNT_TOKEN_INVALID: 'The link is not valid any more: it was used, has expired or is incomplete.',
		PASSWORD_UNCHANGED: 'The new password is the current one. Choose another.',
	},
	401: { INVALID_CREDENTIALS: 'E-mail address or password is wrong.' },
	409: {
		EMAIL_ALREADY_REGISTERED: 'An account with this e-mail address exists.',
		MEMBER_TAKEN: 'Another account belongs to this member. Unlink that one first; `data.userId` names it.',
		LAST_ADMINISTRATOR: 'This is the last active administrator. Appoint another one first.',
	},
});

/** `throw authError('INVALID_CREDENTIALS')` */
export const authError = errorFactory(authErrors);

/** Error definitions that a route declares, from both tables. */
export const errorsNamed = errorPicker({ ...commonErrors, ...authErrors });
