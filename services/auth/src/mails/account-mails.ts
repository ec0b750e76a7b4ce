import { emailChangedMail, enterEmailMail, leaveEmailMail } from '../email-change/email-change-mails.ts';
import { identityLinkedMail, linkIdentityMail } from '../identities/identity-mails.ts';
import { privacyMails } from '../privacy/privacy-mails.ts';
import { invitationMail, passwordChangedMail, passwordResetMail } from '../recovery/recovery-mails.ts';
import { sessionEndedMail } from '../sessions/session-mails.ts';
import { registrationMail, verificationMail } from '../verification/verification-mails.ts';
import type { AccountMail } from './account-mail.ts';
import { notices } from './notices.ts';

/** The mails of this context; one that is not listed can't be sent. */
export const accountMails: readonly AccountMail<never>[] = [
	registrationMail,
	verificationMail,
	passwordResetMail,
	invitationMail,
	passwordChangedMail,
	leaveEmailMail,
	enterEmailMail,
	emailChangedMail,
	sessionEndedMail,
	linkIdentityMail,
	identityLinkedMail,
	...notices,
	...privacyMails,
];
