import { commonErrors, errorFactory, errorPicker, errorTable, sharedErrors } from '@paddock/contract';

/** Error codes of this context, in addition to the common ones. */
const authErrors = errorTable({
	400: {
		CURRENT_PASSWORD_WRONG: 'The current password is wrong.',
		ACCOUNT_TOKEN_INVALID: 'The link is not valid any more: it was used, has expired or is incomplete.',
		SIGN_IN_CHALLENGE_INVALID: 'The sign-in has expired or is complete. Begin again with the password.',
		SECOND_FACTOR_WRONG: 'The second factor is wrong, expired or already used.',
		PASSKEY_REFUSED: 'The response of the authenticator is not valid. Begin again.',
		OIDC_CODE_INVALID:
			'The sign-in with the identity provider has expired, is complete, or began in another browser. Begin again.',
		PASSWORD_UNCHANGED: 'The new password is the current one. Choose another.',
	},
	401: { INVALID_CREDENTIALS: 'E-mail address or password is wrong.' },
	403: {
		OIDC_LINK_REQUIRED:
			'An account has this address. Confirm that it is yours: send `data.linkToken` to POST /auth/oidc/link with its password, or to POST /auth/oidc/link/mail.',
		OIDC_ACCOUNT_UNKNOWN: 'No account belongs to this identity. Register an account first.',
		OIDC_EMAIL_UNVERIFIED: 'The identity provider has not verified the address of this identity.',
		OIDC_OTHER_BROWSER: 'Open the link in the browser in which the sign-in began.',
		SECOND_FACTOR_REQUIRED:
			'Complete the sign-in with a second factor: send `data.challengeToken` to POST /auth/login/second-factor with a code, or use a passkey; `data.methods` lists the enrolled ones.',
		SECOND_FACTOR_ENROLMENT_REQUIRED:
			'This account must have a second factor. Send `data.challengeToken` to POST /auth/login/enrolment to enrol an authenticator app.',
	},
	404: {
		OIDC_NOT_CONFIGURED: 'No identity provider is configured (OIDC_ISSUER).',
		MAIL_REPORTS_NOT_CONFIGURED: 'Reports on mails are not accepted: MAIL_REPORTS_SECRET is not set.',
	},
	409: {
		IDENTITY_LINKED: 'This identity signs in to another account.',
		TOTP_ENROLLED: 'An authenticator app is enrolled. Remove it first.',
		PASSKEY_KNOWN: 'This passkey is enrolled.',
		TOO_MANY_PASSKEYS: 'The account has the maximum number of passkeys. Remove one first.',
		NO_PASSKEY: 'The account has no passkey.',
		NO_SECOND_FACTOR: 'The account has no second factor.',
		LAST_SECOND_FACTOR: 'This account must have a second factor. Enrol another one first.',
		PASSKEYS_NOT_CONFIGURED: 'Passkeys are not available: the operator has not set PASSKEY_RP_ID.',
		EMAIL_ALREADY_REGISTERED: 'An account with this e-mail address exists.',
		MEMBER_TAKEN: 'Another account belongs to this member. Unlink that one first; `data.userId` names it.',
		REQUEST_PENDING: 'A request of this kind is pending.',
		ACCOUNT_HAS_MEMBER: 'The account belongs to another member. End that link first.',
		MEMBER_ALREADY_LINKED: 'The member has an account. End that link first.',
		LINK_NOT_OPEN: 'The link was decided, ended or has lapsed; `data.linkStatus` is its status.',
		LINK_UNMATCHED: 'No member has this membership number and birth date.',
		MEMBER_OF_AGE: 'The member is 18 or older and has no guardian.',
		MEMBER_WITHOUT_CLUB: 'The member belongs to no club that could have a contact.',
		TOO_MANY_LINKS: 'The account acts for the maximum number of members.',
		LAST_ADMINISTRATOR: 'This is the last active administrator. Appoint another one first.',
	},
	422: { MAIL_REPORT_INVALID: 'The message is not a delivery status notification that can be used.' },
});

const { ILLEGAL_STATE_TRANSITION } = sharedErrors;

/** `throw authError('INVALID_CREDENTIALS')` */
export const authError = errorFactory({ ...authErrors, ILLEGAL_STATE_TRANSITION });

/** Error definitions that a route declares, from both tables. */
export const errorsNamed = errorPicker({ ...commonErrors, ...authErrors, ILLEGAL_STATE_TRANSITION });
