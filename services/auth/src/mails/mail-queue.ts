import { defineQueue } from '@paddock/jobs';
import type { MailRequest } from '@paddock/mail';

/** One mail to one account. */
export type MailJob =
	| {
			/** Stays the same when a dead letter is moved back, unlike the id of the job: the Message-ID follows from it. */
			readonly id: string;
			/** The name of an `AccountMail`. */
			readonly mail: string;
			readonly request: object;
	  }
	| {
			readonly id: string;
			readonly userId: string;
			/** A mail of another context. */
			readonly content: Pick<MailRequest, 'name' | 'category' | 'canBeSwitchedOff' | 'de' | 'en'>;
	  };

/** As many at once as the mailer has connections. */
export const mailQueue = defineQueue<MailJob>('mails', { atOnce: 5 });
