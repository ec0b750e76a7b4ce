import { hash, timingSafeEqual } from 'node:crypto';
import { apiError } from '@paddock/contract';
import { bearerToken } from '@paddock/identity';
import {
	type DeliveryReport,
	DeliveryReportError,
	digitsOf,
	type MessageIds,
	parseDeliveryReport,
	type ReportedRecipient,
} from '@paddock/mail';
import type { Logger, Metrics } from '@paddock/telemetry';
import { Counter } from 'prom-client';
import type { AuthDatabase } from '../database-schema.ts';
import { authError } from '../errors.ts';
import { noteBounce } from './store.ts';

type Outcome = 'stored' | 'repeated' | 'unknown' | 'temporary' | 'delivered';

/** Takes reports of mail servers on mails that they had accepted and could not deliver. */
export interface MailReports {
	/** @throws ApiError MAIL_REPORTS_NOT_CONFIGURED, or UNAUTHENTICATED or INVALID_TOKEN without the secret */
	admit(authorization: string | undefined): void;
	/** The number of recipients by outcome. @throws ApiError MAIL_REPORT_INVALID */
	receive(
		source: string,
		call: { readonly now: Date; readonly log: Logger },
	): Promise<Partial<Record<Outcome, number>>>;
}

interface MailReportsDeps {
	readonly db: AuthDatabase;
	readonly metrics: Metrics;
	readonly messageIds: MessageIds;
	/** Undefined: no reports are accepted. */
	readonly secret: string | undefined;
}

export function createMailReports({ db, metrics, messageIds, secret }: MailReportsDeps): MailReports {
	const count = reportCounter(metrics);
	const expected = secret === undefined ? undefined : digestOf(secret);

	async function outcomeOf(
		{ action, status, reply }: ReportedRecipient,
		own: { readonly digits: string; readonly email: string } | undefined,
		now: Date,
	): Promise<Outcome> {
		if (action === 'delayed' || status.startsWith('4')) return 'temporary';
		if (action !== 'failed' || !status.startsWith('5')) return 'delivered';
		return own === undefined ? 'unknown' : noteBounce(db, { ...own, reply }, now);
	}

	/** Anyone can mail a report: only who has received the mail, or forwarded it, knows its signed id. */
	function ownMail(messageId: string, { addresses }: ReportedRecipient) {
		const email = addresses.find((address) => messageIds.isOf(messageId, address));
		return email === undefined ? undefined : { digits: digitsOf(messageId), email };
	}

	return {
		admit: (authorization) => {
			if (expected === undefined) throw authError('MAIL_REPORTS_NOT_CONFIGURED');
			const given = bearerToken(authorization);
			if (given === undefined) throw apiError('UNAUTHENTICATED');
			if (!timingSafeEqual(digestOf(given), expected)) throw apiError('INVALID_TOKEN');
		},
		receive: async (source, { now, log }) => {
			const { messageId, recipients } = reportIn(source, () => count('invalid', 'none'));
			const outcomes: Partial<Record<Outcome, number>> = {};
			for (const recipient of recipients) {
				const own = ownMail(messageId, recipient);
				const outcome = await outcomeOf(recipient, own, now);
				outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
				count(outcome, classOf(recipient.status));
				// Other ids may contain anything, such as addresses.
				log.info('a report on a mail was received', {
					messageId: own?.digits,
					outcome,
					status: recipient.status,
				});
			}
			return outcomes;
		},
	};
}

function reportIn(source: string, onInvalid: () => void): DeliveryReport {
	try {
		return parseDeliveryReport(source);
	} catch (error) {
		if (!(error instanceof DeliveryReportError)) throw error;
		onInvalid();
		throw authError('MAIL_REPORT_INVALID', { message: `Not a report that can be used: ${error.message}` });
	}
}

/** Digests have one length, as timingSafeEqual requires, and don't disclose that of the secret. */
function digestOf(secret: string): Buffer {
	return hash('sha256', secret, 'buffer');
}

/** RFC 3463 §2: `5.1` is the address, `5.2` the mailbox, `5.7` a policy. */
function classOf(status: string): string {
	return /^\d\.[0-7](?=\.)/.exec(status)?.[0] ?? 'other';
}

function reportCounter({ registry }: Metrics) {
	const counter = new Counter({
		name: 'auth_mail_reports_total',
		help: 'Recipients in reports of mail servers by outcome (stored, repeated, unknown, temporary, delivered, invalid) and class of the status, such as 5.1.',
		labelNames: ['outcome', 'class'],
		registers: [registry],
	});
	return (outcome: Outcome | 'invalid', statusClass: string): void =>
		counter.inc({ outcome, class: statusClass });
}
