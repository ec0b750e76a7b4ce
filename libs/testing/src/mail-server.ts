import { SMTPServer } from 'smtp-server';
import { freePort } from './free-port.ts';

export interface ReceivedMail {
	/** Envelope sender, to which reports go, and the part of the mail that a report returns. */
	readonly sender: string;
	readonly returned: string | null;
	/** What reports have as the original recipient. */
	readonly original: string | undefined;
	readonly to: readonly string[];
	/** With its angle brackets. */
	readonly messageId: string;
	/** Headers and body as sent. */
	readonly source: string;
	/** The decoded text part. */
	readonly text: string;
	readonly subject: string;
}

/** What the server does with a mail: accept it, reply with a status, close the connection (before or after it has accepted), or wait before it accepts. */
export type MailBehaviour =
	| 'accept'
	| 'disconnect'
	| 'acceptAndDisconnect'
	| { readonly refuse: number; readonly at: 'RCPT' | 'DATA'; readonly text?: string }
	| { readonly waitFor: Promise<unknown> };

export interface MailServer {
	readonly url: string;
	/** In the order of their acceptance. */
	readonly received: readonly ReceivedMail[];
	/** Decides by recipient; accepts all by default. */
	behaviour: (to: string) => MailBehaviour;
	/** The mails to one address. */
	to(address: string): readonly ReceivedMail[];
	stop(): Promise<void>;
}

/** A real SMTP server on a free port. */
export async function startMailServer(): Promise<MailServer> {
	const received: ReceivedMail[] = [];
	const port = await freePort();
	const running: MailServer = {
		url: `smtp://127.0.0.1:${port}`,
		received,
		behaviour: () => 'accept',
		to: (address) => received.filter((mail) => mail.to.includes(address)),
		stop: () => new Promise((resolve) => void server.close(() => resolve())),
	};
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		hideDSN: false,
		logger: false,
		onRcptTo: (address, _session, callback) => {
			const behaviour = running.behaviour(address.address);
			if (typeof behaviour === 'object' && 'refuse' in behaviour && behaviour.at === 'RCPT')
				callback(refusal(behaviour));
			else callback();
		},
		onData: (stream, session, callback) => {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => void chunks.push(chunk));
			stream.on('end', () => {
				const to = session.envelope.rcptTo.map(({ address }) => address);
				const behaviour = running.behaviour(to[0] ?? '');
				const store = (): void => {
					const { mailFrom, dsn, rcptTo } = session.envelope;
					const sender = mailFrom === false ? '' : mailFrom.address;
					const source = Buffer.concat(chunks).toString('utf8');
					const original = rcptTo[0]?.dsn?.orcpt;
					received.push({ ...parsed(to, source), sender, returned: dsn?.ret ?? null, original });
				};
				const accept = (): void => {
					store();
					callback();
				};
				if (behaviour === 'acceptAndDisconnect') store();
				if (behaviour === 'accept') accept();
				else if (typeof behaviour === 'string') {
					for (const connection of server.connections) connection._socket.destroy();
				} else if ('waitFor' in behaviour) void behaviour.waitFor.then(accept);
				else callback(refusal(behaviour));
			});
		},
	});
	// A client that is killed resets its connection.
	server.on('error', () => {});
	const { promise, resolve, reject } = Promise.withResolvers<void>();
	server.once('error', reject);
	server.listen(port, '127.0.0.1', resolve);
	await promise;
	return running;
}

function refusal({ refuse, text }: { readonly refuse: number; readonly text?: string }): Error {
	return Object.assign(new Error(text ?? 'refused by the test'), { responseCode: refuse });
}

function parsed(
	to: readonly string[],
	source: string,
): Omit<ReceivedMail, 'sender' | 'returned' | 'original'> {
	const header = (name: string) =>
		new RegExp(`^${name}:[ \\t]*(.*(?:\\r\\n[ \\t].*)*)`, 'im')
			.exec(source)?.[1]
			?.replaceAll(/\r\n[ \t]/g, ' ') ?? '';
	return {
		to,
		source,
		messageId: header('message-id').trim(),
		subject: decodedWords(header('subject')),
		text: textPartOf(source),
	};
}

/** RFC 2047 in the two forms that nodemailer writes. */
function decodedWords(text: string): string {
	return text.replaceAll(/\s*=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, form: string, content: string) =>
		form.toLowerCase() === 'b'
			? Buffer.from(content, 'base64').toString('utf8')
			: quotedPrintable(content.replaceAll('_', ' ')),
	);
}

function textPartOf(source: string): string {
	const part = /content-type: text\/plain[\s\S]*?\r\n\r\n([\s\S]*?)(?:\r\n--|$)/i.exec(source);
	const [whole = '', body = ''] = part ?? [];
	if (/transfer-encoding: base64/i.test(whole)) return Buffer.from(body, 'base64').toString('utf8');
	return /transfer-encoding: quoted-printable/i.test(whole) ? quotedPrintable(body) : body;
}

function quotedPrintable(text: string): string {
	const bytes = text
		.replaceAll(/=\r\n/g, '')
		.replaceAll(/=([0-9A-F]{2})/g, (_escape, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}
