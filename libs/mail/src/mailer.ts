import { hash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport, type Transporter } from 'nodemailer';
import type { RenderedMail } from './render-mail.ts';

export interface OutgoingMail extends RenderedMail {
	readonly to: string;
	/** See `messageIdOf`. */
	readonly messageId: string;
}

export interface Mailer {
	/**
	 * Resolves when the server has accepted the mail. @throws MailRefusedError if it refused the recipient or the mail for
	 * good; any other error is one to try again, such as that of the signal.
	 */
	send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>;
	close(): void;
}

/** The server refuses this recipient, or this mail, for good. */
export class MailRefusedError extends Error {
	override readonly name = 'MailRefusedError';
}

interface MailerOptions {
	/** `smtp://user:password@host:587`, or `smtps://`; otherwise mails are written to `directory`. */
	readonly smtpUrl?: string | undefined;
	/** For `.eml` files, without a server. */
	readonly directory?: string | undefined;
	readonly from: string;
}

const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

export function openMailer({ smtpUrl, directory, from }: MailerOptions): Mailer {
	if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from);
	if (directory !== undefined) return fileMailer(directory, from);
	return {
		send: async () => {
			throw new Error('Neither SMTP_URL nor MAIL_DIR is set.');
		},
		close: () => {},
	};
}

/** The same for each attempt at one job, so that a recipient's program shows a repeated mail once. */
export function messageIdOf(jobId: string, to: string, from: string): string {
	const host = /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
	return `<${hash('sha256', `${jobId} ${to}`).slice(0, 40)}@${host}>`;
}

const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

function smtpMailer(url: string, from: string): Mailer {
	const transport = createTransport({ url, pool: true, maxConnections: 5, ...timeoutsMs });
	return {
		send: async (mail, signal) => {
			try {
				await transport.sendMail({ ...messageOf(mail, from), signal });
			} catch (error) {
				throw isRefusal(error) ? new MailRefusedError(replyOf(error), { cause: error }) : error;
			}
		},
		close: () => transport.close(),
	};
}

function messageOf({ to, messageId, subject, text, html }: OutgoingMail, from: string) {
	// As an object: an address with a comma or angle bracket would be two.
	const recipient = { address: to, name: '' };
	return {
		from,
		to: recipient,
		messageId,
		subject,
		text,
		html,
		headers,
		disableUrlAccess: true,
		disableFileAccess: true,
	};
}

interface SmtpError extends Error {
	readonly responseCode?: number;
	readonly response?: string;
	readonly command?: string;
}

/** A refusal of the sender or of its credentials is a fault of the settings: the mail can be sent once they are corrected. */
function isRefusal(error: unknown): error is SmtpError {
	if (!(error instanceof Error)) return false;
	const { responseCode = 0, command = '' } = error as SmtpError;
	return responseCode >= 500 && responseCode < 600 && ['RCPT TO', 'DATA'].includes(command);
}

function replyOf({ response, message }: SmtpError): string {
	return (response ?? message).replaceAll(/\p{Cc}+/gu, ' ').slice(0, 300);
}

function fileMailer(directory: string, from: string): Mailer {
	const transport: Transporter = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
	return {
		send: async (mail) => {
			const { message } = (await transport.sendMail(messageOf(mail, from))) as unknown as { message: Buffer };
			await mkdir(directory, { recursive: true, mode: 0o700 });
			const name = `${new Date().toISOString().replaceAll(':', '-')}-${mail.messageId.slice(1, 9)}.eml`;
			const partial = join(directory, `.${name}`);
			await writeFile(partial, message, { mode: 0o600 });
			await rename(partial, join(directory, name));
		},
		close: () => transport.close(),
	};
}
