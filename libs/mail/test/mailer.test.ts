import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, type MailServer, startMailServer } from '@paddock/testing';
import { type Mailer, MailRefusedError, openMailer } from '../src/index.ts';

let server: MailServer;
let mailer: Mailer;
beforeAll(async () => {
	server = await startMailServer();
	mailer = openMailer({ smtpUrl: server.url, from: 'Office <office@example.org>' });
});
afterAll(async () => {
	mailer.close();
	await server.stop();
});

const mail = (to: string) => ({
	to,
	messageId: `<${to}>`,
	subject: 'Entry',
	text: 'Accepted.',
	html: '<p>Accepted.</p>',
});

async function failureOf(at: 'RCPT' | 'DATA', refuse: number, text: string): Promise<unknown> {
	server.behaviour = () => ({ refuse, at, text });
	return mailer.send(mail('lisa@example.org')).catch((error: unknown) => error);
}

describe('a mailer', () => {
	// The rejection was kept for later mails, and closing the mailer made it unhandled, which ends the process.
	test('tries again to open a transport that failed, and closes without one', async () => {
		const unusable = openMailer({ smtpUrl: 'smtp://[mail', from: 'office@example.org' });
		const failures = [unusable.send(mail('a@example.org')), unusable.send(mail('b@example.org'))];
		unusable.close();
		const [first, second] = (await Promise.allSettled(failures)).map((of) =>
			of.status === 'rejected' ? of.reason : undefined,
		);
		const third: unknown = await unusable.send(mail('c@example.org')).catch((error: unknown) => error);
		expect([first, second, third]).toEqual(
			Array(3).fill(expect.objectContaining({ message: 'Invalid URL' })),
		);
		expect(third).not.toBe(first);
		unusable.close();
	});

	test.each([
		['RCPT', 550, '5.1.1 no such user', '550 5.1.1'],
		['RCPT', 550, '5.1.10 null MX', '550 5.1.10'],
		['RCPT', 550, '5.2.1 mailbox disabled', '550 5.2.1'],
		['DATA', 552, '5.2.2 mailbox full', '552 5.2.2'],
		['RCPT', 550, 'no such user', '550'],
	] as const)(
		'takes a refusal of the recipient at %s, %i %s, as one for good',
		async (at, code, text, status) => {
			const failure = await failureOf(at, code, `${text} <lisa@example.org>: refused`);
			expect(failure).toBeInstanceOf(MailRefusedError);
			expect(failure).toMatchObject({ status, message: `${code} ${text} [address] refused` });
		},
	);

	test.each([
		['RCPT', 554, '5.7.1 relay access denied'],
		['DATA', 550, '5.7.26 unauthenticated sender'],
		['RCPT', 550, '5.1.8 bad address of the sender'],
		['RCPT', 550, '5.0.0 refused'],
		['DATA', 552, '5.2.3 message too long'],
		['DATA', 554, 'transaction failed'],
		['RCPT', 450, '4.2.1 greylisted'],
	] as const)('takes %s, %i %s, as a failure that passes', async (at, code, text) => {
		const failure = await failureOf(at, code, text);
		expect(failure).not.toBeInstanceOf(MailRefusedError);
		expect(failure).toMatchObject({ responseCode: code });
	});

	test('names the original recipient for reports, with encoded characters', async () => {
		server.behaviour = () => 'accept';
		for (const to of ['lisa+test@example.org', "o'hara=a@example.org"]) {
			await mailer.send(mail(to));
			expect(server.received.at(-1)).toMatchObject({ to: [to], original: `rfc822;${to}` });
		}
	});

	test('ends the transmission of a mail with its signal, and sends the next one', async () => {
		const { promise, resolve } = Promise.withResolvers<void>();
		let isWaiting = false;
		server.behaviour = () => {
			isWaiting = true;
			return { waitFor: promise };
		};
		const attempt = new AbortController();
		const sending = mailer.send(mail('slow@example.org'), attempt.signal).catch((error: Error) => error);
		await eventually('the server has the mail', () => isWaiting);
		attempt.abort();
		expect(await sending).toMatchObject({ name: 'AbortError' });
		resolve();
		server.behaviour = () => 'accept';
		await mailer.send(mail('next@example.org'));
		expect(server.to('next@example.org')).toHaveLength(1);
	});
});

test('without a server a mail is a whole .eml file, which only the owner reads', async () => {
	const directory = await mkdtemp(join(tmpdir(), 'paddock-mails-'));
	const files = openMailer({ directory: join(directory, 'mail'), from: 'Büro <office@example.org>' });
	try {
		const sent = { ...mail('lisa@example.org'), subject: 'Nennung geändert', text: 'Ö'.repeat(200) };
		await files.send(sent);
		const [name = '', ...others] = await readdir(join(directory, 'mail'));
		expect([name, others]).toEqual([
			expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d-]+\.\d+Z-[\w@.-]+\.eml$/),
			[],
		]);
		const path = join(directory, 'mail', name);
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		const [head = '', ...body] = (await readFile(path, 'utf8')).split('\n\n');
		const header = (field: string) => new RegExp(`^${field}: (.*)$`, 'm').exec(head)?.[1];
		expect(header('From')).toMatch(/^=\?UTF-8\?.*\?= <office@example\.org>$/);
		expect([header('To'), header('Message-ID')]).toEqual(['lisa@example.org', '<lisa@example.org>']);
		expect(header('Subject')).toBe('=?UTF-8?Q?Nennung_ge=C3=A4ndert?=');
		expect(header('Auto-Submitted')).toBe('auto-generated');
		expect(head).toContain('Content-Type: multipart/alternative');
		const parts = body.join('\n\n');
		expect(parts).toContain('Content-Type: text/plain; charset=utf-8');
		expect(parts).toContain('Content-Type: text/html; charset=utf-8');
		const text = /text\/plain[\s\S]*?\n\n([\s\S]*?)\n--/.exec(`${head}\n\n${parts}`)?.[1] ?? '';
		const decoded = /quoted-printable/.test(parts.slice(0, parts.indexOf(text)))
			? Buffer.from(
					text
						.replaceAll('=\n', '')
						.replaceAll(/=([0-9A-F]{2})/g, (_escape, hex: string) =>
							String.fromCharCode(Number.parseInt(hex, 16)),
						),
					'latin1',
				).toString()
			: Buffer.from(text, 'base64').toString();
		expect(decoded.trim()).toBe(sent.text);
	} finally {
		files.close();
		await rm(directory, { recursive: true });
	}
});
