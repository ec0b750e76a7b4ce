import { on, PermanentJobError } from '@paddock/jobs';
import {
	digitsOf,
	languageOf,
	type Mailer,
	MailRefusedError,
	type MessageIds,
	renderMail,
} from '@paddock/mail';
import type { Logger, Metrics } from '@paddock/telemetry';
import { fullName } from '@paddock/text';
import { Counter } from 'prom-client';
import type { AuthDatabase } from '../database-schema.ts';
import type { AccountMail, PreparedMail } from './account-mail.ts';
import { type MailJob, mailQueue } from './mail-queue.ts';
import { findAddressee, forgetRefusal, noteRefusal } from './store.ts';

interface DeliveryDeps {
	readonly db: AuthDatabase;
	readonly now: () => Date;
	readonly logger: Logger;
	readonly metrics: Metrics;
	readonly mailer: Mailer;
	/** The mails of this context. */
	readonly accountMails: readonly AccountMail<never>[];
	readonly messageIds: MessageIds;
	readonly publicUrl: string;
}

/**
 * Sends the mails of the queue. A refusal for good is stored with the account and ends the job: it needs no administrator.
 * After any other failure the job is tried again.
 */
export function mailDelivery(deps: DeliveryDeps) {
	const { db, now, logger, mailer, messageIds, publicUrl } = deps;
	const mails = new Map(deps.accountMails.map((mail) => [mail.name, mail as AccountMail<object>]));
	const count = mailCounter(deps.metrics);
	return on(mailQueue, async (job, { signal }) => {
		const name = 'mail' in job ? job.mail : job.content.name;
		const prepared = await prepare(job, mails, { db, now });
		if (prepared === undefined) return count(name, 'omitted');
		const { to, userId, content, ...frame } = prepared;
		const rendered = renderMail(content, { ...frame, publicUrl });
		const messageId = messageIds.of(job.id, to);
		const sentAt = now();
		try {
			await mailer.send({ ...rendered, to, messageId }, signal);
		} catch (error) {
			if (!(error instanceof MailRefusedError)) throw error;
			logger.warn('a mail was refused', { mail: name, userId, reply: error.status });
			if (userId !== undefined)
				await recorded(noteRefusal(db, { userId, email: to, reply: error.message }, now()), logger);
			return count(name, 'refused');
		}
		if (userId !== undefined)
			await recorded(forgetRefusal(db, { userId, email: to, digits: digitsOf(messageId), sentAt }), logger);
		logger.info('a mail was sent', { mail: name, userId });
		return count(name, 'sent');
	});
}

/** The server has decided on the mail: a failure must not repeat the job, which would send it again. */
async function recorded(write: Promise<void>, logger: Logger): Promise<void> {
	await write.catch((error: unknown) => logger.warn("the outcome of a mail couldn't be stored", { error }));
}

async function prepare(
	job: MailJob,
	mails: ReadonlyMap<string, AccountMail<object>>,
	deps: Pick<DeliveryDeps, 'db' | 'now'>,
): Promise<PreparedMail | undefined> {
	if ('mail' in job) {
		const mail = mails.get(job.mail);
		// Of another version; an administrator retries it after the roll-out.
		if (mail === undefined) throw new PermanentJobError(`There is no mail ${job.mail} in this version.`);
		return mail.prepare(job.request, deps);
	}
	const user = await findAddressee(deps.db, job.userId);
	if (user === undefined) return undefined;
	const { canBeSwitchedOff, category } = job.content;
	if (canBeSwitchedOff && user.switchedOffMails.includes(category)) return undefined;
	const language = languageOf(user.locale);
	return {
		to: user.email,
		name: fullName(user),
		language,
		userId: user.id,
		canBeSwitchedOff,
		content: job.content[language],
	};
}

function mailCounter({ registry }: Metrics) {
	const counter = new Counter({
		name: 'auth_mails_total',
		help: 'Mails by name and outcome: sent, refused (by the server, for good) or omitted (no account, or switched off).',
		labelNames: ['mail', 'outcome'],
		registers: [registry],
	});
	return (mail: string, outcome: 'sent' | 'refused' | 'omitted'): void => counter.inc({ mail, outcome });
}
