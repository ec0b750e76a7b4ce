/**
 * Kinds of mails that the owner of an account can switch off. Mails about the security of the account and those that ask for
 * a confirmation have other categories and are always sent.
 */
export const mailCategories = ['ENTRIES', 'EVENTS', 'HORSES', 'MEMBERSHIP', 'REMINDERS'] as const;

export type MailCategory = (typeof mailCategories)[number];
