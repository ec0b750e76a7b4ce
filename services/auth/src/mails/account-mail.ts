import { randomUUID } from 'node:crypto';
import { type Jobs, jobIdOf } from '@paddock/jobs';
import { type Language, languageOf, type MailContent, type MailDeclaration } from '@paddock/mail';
import { fullName } from '@paddock/text';
import type { AuthQueryable, AuthSchema } from '../database-schema.ts';
import type { User } from '../users/store.ts';
import { type MailJob, mailQueue } from './mail-queue.ts';

/** A mail that is ready to be sent. */
export interface PreparedMail {
	readonly to: string;
	readonly name: string;
	readonly language: Language;
	/** The account whose address it is, to which a refusal is noted; undefined for an address that is not yet its own. */
	readonly userId: string | undefined;
	readonly canBeSwitchedOff: boolean;
	readonly content: MailContent;
}

export interface PrepareDeps {
	readonly db: AuthQueryable;
	readonly now: () => Date;
}

/** A mail of this context about an account. */
export interface AccountMail<Request extends object> {
	/** The name in the job; never changed. */
	readonly name: string;
	/**
	 * Called for each attempt at sending, so that a token never waits in a queue. Undefined if there is nothing to send, e.g.
	 * because no account has the address.
	 */
	readonly prepare: (request: Request, deps: PrepareDeps) => Promise<PreparedMail | undefined>;
}

/** Adds a mail in the transaction of its reason. Of several with the same `key` only the first is sent. */
export async function enqueueAccountMail<Request extends object>(
	{
		jobs,
		transaction,
	}: { readonly jobs: Pick<Jobs<AuthSchema>, 'enqueue'>; readonly transaction: AuthQueryable },
	mail: AccountMail<Request>,
	request: Request,
	key?: string,
): Promise<void> {
	const id = key === undefined ? randomUUID() : jobIdOf(`${mail.name} ${key}`);
	const job: MailJob = { id, mail: mail.name, request };
	await jobs.enqueue(transaction, mailQueue, job, { id, priority: 10 });
}

/** A key for `enqueueAccountMail`, so that callers can send at most one mail a minute to an address. */
export function minuteKey(email: string, now: Date): string {
	return `${email} ${Math.floor(now.getTime() / 60_000)}`;
}

/** A mail to the address of an account, in its language. */
export function mailTo<Data extends object>(
	user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'locale'>,
	mail: MailDeclaration<Data>,
	data: Data,
): PreparedMail {
	const language = languageOf(user.locale);
	return {
		to: user.email,
		name: fullName(user),
		language,
		userId: user.id,
		canBeSwitchedOff: mail.canBeSwitchedOff,
		content: mail[language](data),
	};
}
