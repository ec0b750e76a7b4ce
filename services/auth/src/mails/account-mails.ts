import type { AccountMail } from './account-mail.ts';

/** The mails of this context; one that is not listed can't be sent. */
export const accountMails: readonly AccountMail<never>[] = [];
