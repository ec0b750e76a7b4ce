import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { shortened } from './mail-content.ts';
import type { RenderedMail } from './render-mail.ts';

export interface OutgoingMail extends RenderedMail {
	readonly to: string;
	/** See `MessageIds`. */
	readonly messageId: string;
}

export interface Mailer {
	/**
	 * Resolves when the server has accepted the mail. @throws MailRefusedError if it refused the recipient for good; any other error is one to try again, such as that of the signal.
	 */
	send(mail: OutgoingMail, signal?: AbortSignal): Promise<void>;
	close(): void;
}

/** The server refuses this recipient for good. The message is its reply, without addresses. */
export class MailRefusedError extends Error {
	override readonly name = 'MailRefusedError';

	/** Code of the reply, and the enhanced one if it has one: `550 5.1.1`. */
	get status(): string {
		const [code = '', enhanced] = this.message.split(/[\s-]/);
		return enhanced !== undefined && enhancedCode.test(enhanced) ? `${code} ${enhanced}` : code;
	}
}

const enhancedCode = /^5\.\d{1,3}\.\d{1,3}$/;

interface MailerOptions {
	/** `smtp://user:password@host:587`, or `smtps://`; otherwise mails are written to `directory`. */
	readonly smtpUrl?: string | undefined;
	/** For `.eml` files, without a server. */
	readonly directory?: string | undefined;
	readonly from: string;
	/** Envelope sender, to which servers report mails that they could not deliver; `from` by default. */
	readonly bouncesTo?: string | undefined;
}

const timeoutsMs = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

export function openMailer({ smtpUrl, directory, from, bouncesTo }: MailerOptions): Mailer {
	if (smtpUrl !== undefined) return smtpMailer(smtpUrl, from, bouncesTo ?? addressIn(from));
	if (directory !== undefined) return fileMailer(directory, from);
	return {
		send: async () => {
			throw new Error('Neither SMTP_URL nor MAIL_DIR is set.');
		},
		close: () => {},
	};
}

/** `Office <office@example.org>` → `office@example.org` */
export function addressIn(sender: string): string {
	return /<?([^\s<>]+)>?$/.exec(sender)?.[1] ?? sender;
}

const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

/**
 * A report needs the headers of the mail only: its text may contain a link with a token. It repeats the original recipient,
 * which servers that forward the mail otherwise lose; one that is not ASCII would be of another type (RFC 6533).
 */
function dsnOf({ to }: OutgoingMail) {
	const original = /^[!-~]+$/.test(to) ? { orcpt: `rfc822;${to}` } : {};
	return { ret: 'headers', notify: 'failure', ...original };
}

function smtpMailer(url: string, from: string, bouncesTo: string): Mailer {
	const transport = lazyTransport({ url, pool: true, maxConnections: 5, ...timeoutsMs });
	return {
		send: async (mail, signal) => {
			try {
				const envelope = { from: bouncesTo, to: { address: mail.to, name: '' } };
				await (await transport.open()).sendMail({
					...messageOf(mail, from),
					envelope,
					dsn: dsnOf(mail),
					signal,
				});
			} catch (error) {
				throw isRefusal(error) ? new MailRefusedError(replyOf(error)) : error;
			}
		},
		close: transport.close,
	};
}

/** Loads nodemailer with the first mail: it takes megabytes in each process, and most processes send none. */
function lazyTransport(options: object) {
	let opened: Promise<Transporter> | undefined;
	return {
		open: () => {
			opened ??= import('nodemailer')
				.then(({ createTransport }) => createTransport(options))
				.catch((error: unknown) => {
					opened = undefined;
					throw error;
				});
			return opened;
		},
		close: () => void opened?.then((transport) => transport.close()).catch(() => {}),
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

/** RFC 3463: the address (but 5.1.7 and 5.1.8, which are the sender's), a disabled mailbox, a full one. */
const ofRecipient = /^5\.(1\.(?![78]$)\d{1,3}|2\.[12])$/;

/**
 * A refusal of the sender, of its credentials or by a policy is none of the recipient: the mail can be sent once the settings
 * are corrected or the server's list is.
 */
function isRefusal(error: unknown): error is SmtpError {
	if (!(error instanceof Error)) return false;
	const { responseCode = 0, response = '', command = '' } = error as SmtpError;
	if (responseCode < 500 || responseCode >= 600 || !['RCPT TO', 'DATA'].includes(command)) return false;
	const [, enhanced] = response.split(/[\s-]/);
	return enhanced !== undefined && enhancedCode.test(enhanced)
		? ofRecipient.test(enhanced)
		: command === 'RCPT TO';
}

function replyOf({ response, message }: SmtpError): string {
	return withoutAddresses(response ?? message);
}

/** A reply without addresses, which servers repeat in it, in one line of bounded length. */
export function withoutAddresses(reply: string): string {
	return shortened(
		reply
			.slice(0, 1_000)
			.replaceAll(/\p{Cc}+/gu, ' ')
			.replaceAll(/\S+@\S+/g, '[address]')
			.trim(),
		300,
	);
}

function fileMailer(directory: string, from: string): Mailer {
	const transport = lazyTransport({ streamTransport: true, buffer: true, newline: 'unix' });
	return {
		send: async (mail) => {
			const sent = await (await transport.open()).sendMail(messageOf(mail, from));
			const { message } = sent as unknown as { message: Buffer };
			await mkdir(directory, { recursive: true, mode: 0o700 });
			const name = `${new Date().toISOString().replaceAll(':', '-')}-${mail.messageId.slice(1, 9)}.eml`;
			const partial = join(directory, `.${name}`);
			await writeFile(partial, message, { mode: 0o600 });
			await rename(partial, join(directory, name));
		},
		close: transport.close,
	};
}
