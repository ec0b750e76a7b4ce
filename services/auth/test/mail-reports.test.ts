import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { digitsOf } from '@paddock/mail';
import {
	deliveryReports,
	describeWithPrograms,
	eventually,
	type MailServer,
	type ReceivedMail,
	startMailServer,
} from '@paddock/testing';
import { sql } from 'kysely';
import { forgetRefusal } from '../src/mails/store.ts';
import { recordingLogger } from './recording-logger.ts';
import { type Person, type RunningAuth, runAuth } from './running-auth.ts';

const secret = 'a-secret-of-the-mail-server-0123456789';
const address = 'bounces@paddock.example';

const { logger, lines } = recordingLogger();
let server: MailServer;
let auth: RunningAuth;
beforeAll(async () => {
	server = await startMailServer();
	auth = await runAuth({
		logger,
		settings: {
			SMTP_URL: server.url,
			JOB_POLL_MS: '500',
			MAIL_FROM: 'Office <office@paddock.example>',
			MAIL_BOUNCES_TO: address,
			MAIL_REPORTS_SECRET: secret,
		},
	});
});
afterAll(async () => {
	await auth.close();
	await server.stop();
});

type Receipt = Partial<Record<'stored' | 'repeated' | 'unknown' | 'temporary' | 'delivered', number>>;

const handIn = (source: string, { token = secret, headers = {}, to = auth } = {}) =>
	to.call<Receipt & { readonly code?: string }>('POST', '/internal/mail-reports', {
		token,
		rawBody: source,
		headers: { 'Content-Type': 'message/rfc822', ...headers },
	});

/** A mail that the first server has accepted. */
async function sentMail(email: string): Promise<ReceivedMail> {
	const earlier = server.to(email).length;
	// At most one such mail a minute goes to an address.
	auth.clock.advance(60_000);
	const sent = () => auth.metric('auth_mails_total', { mail: 'password-reset', outcome: 'sent' });
	const before = await sent();
	await auth.call('POST', '/auth/forgot-password', { body: { email } });
	await eventually('the mail was sent', async () => (await sent()) > before);
	return server.to(email)[earlier] as ReceivedMail;
}

async function bounced(): Promise<Person & { readonly mail: ReturnType<typeof returned> }> {
	const person = await auth.register();
	return { ...person, mail: returned(await sentMail(person.email)) };
}

const returned = ({ source, to, messageId }: ReceivedMail) => ({
	messageId: messageId.slice(1, -1),
	headers: source.slice(0, source.indexOf('\r\n\r\n')),
	to: to[0] ?? '',
});

const { Postfix, Exim, Exchange } = deliveryReports;

async function refusalOf(id: string) {
	const { accessToken } = await auth.administrator();
	const { data } = await auth.call<{ mailRefusedAt: string | null; mailRefusal: string | null }>(
		'GET',
		`/auth/users/${id}`,
		{ token: accessToken },
	);
	return { at: data.mailRefusedAt, reply: data.mailRefusal };
}

const none = { at: null, reply: null };

test('mails have the address for reports as envelope sender, and ask for their headers only', async () => {
	const { email } = await auth.register();
	expect(await sentMail(email)).toMatchObject({
		sender: address,
		returned: 'HDRS',
		original: `rfc822;${email}`,
	});
});

describe('a bounce', () => {
	test.each([
		[
			'Postfix',
			Postfix,
			'550 5.1.1 [address] Recipient address rejected: User unknown in virtual mailbox table',
		],
		['Exim', Exim, '550 Unrouteable address'],
		[
			'Exchange',
			Exchange,
			'550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient [address] not found by SMTP address lookup',
		],
	])(
		'of %s is stored with the account, and shown to the office and to the owner',
		async (_of, write, reply) => {
			const { id, email, password, mail } = await bounced();
			const at = auth.clock.now().toISOString();
			const { status, data } = await handIn(write(mail));
			expect([status, data]).toEqual([200, { stored: 1 }]);
			expect(await refusalOf(id)).toEqual({ at, reply });
			const { user } = await auth.signIn({ email, password });
			expect([user.mailRefusedAt, user.mailRefusal]).toEqual([at, reply]);
		},
	);

	test('is forgotten once a later mail was accepted, and does not come back with its report', async () => {
		const { id, email, mail } = await bounced();
		const report = Exchange(mail);
		await handIn(report);
		const first = await refusalOf(id);
		auth.clock.advance(1_000);
		expect((await handIn(report)).data).toEqual({ repeated: 1 });
		expect(await refusalOf(id)).toEqual(first);
		await sentMail(email);
		await eventually('it is forgotten', async () => (await refusalOf(id)).at === null);
		expect((await handIn(report)).data).toEqual({ repeated: 1 });
		expect(await refusalOf(id)).toEqual(none);
		// The next one is another mail.
		const next = returned(await sentMail(email));
		expect((await handIn(Exchange(next))).data).toEqual({ stored: 1 });
	});

	test('of a second attempt is stored too, after an accepted first one whose reply was lost', async () => {
		const { id, email } = await auth.register();
		server.behaviour = (to) => (to === email ? 'acceptAndDisconnect' : 'accept');
		await auth.call('POST', '/auth/forgot-password', { body: { email } });
		const { db } = auth.deps;
		const retryNow = () =>
			sql`update jobs.job set start_after = to_timestamp(0) where state = 'retry'`.execute(db);
		const isDelayed = async () =>
			(await sql`select from jobs.job where state = 'retry' and name = 'mails'`.execute(db)).rows.length ===
			1;
		await eventually('the first attempt has failed', isDelayed);
		const [first] = server.to(email) as [ReceivedMail];
		expect((await handIn(Exim(returned(first)))).data).toEqual({ stored: 1 });
		server.behaviour = () => 'accept';
		await retryNow();
		await eventually('it is forgotten', async () => (await refusalOf(id)).at === null, 20_000);
		const [, second] = server.to(email) as [ReceivedMail, ReceivedMail];
		expect(second.messageId).toBe(first.messageId);
		expect((await handIn(Exim(returned(second)))).data).toEqual({ stored: 1 });
		expect((await refusalOf(id)).at).not.toBeNull();
		// A mail between the two bounces has cleared the first one.
		const accepted = digitsOf(first.messageId);
		await db
			.updateTable('users')
			.set({ mailRefusedAt: null, mailRefusal: null })
			.where('id', '=', id)
			.execute();
		await forgetRefusal(db, { userId: id, email, digits: accepted, sentAt: auth.clock.now() });
		expect((await handIn(Exim(returned(second)))).data).toEqual({ stored: 1 });
		// The bounce has come before the acceptance was stored.
		const sentAt = new Date(auth.clock.now().getTime() - 1);
		await forgetRefusal(db, { userId: id, email, digits: accepted, sentAt });
		expect((await handIn(Exim(returned(second)))).data).toEqual({ repeated: 1 });
		expect((await refusalOf(id)).at).not.toBeNull();
	});

	test('is recognised by the signed part of its id, whatever its host', async () => {
		const { mail } = await bounced();
		expect((await handIn(Exim(mail))).data).toEqual({ stored: 1 });
		const otherId = mail.messageId.replace('@paddock.example', '@other.example');
		const other = { ...mail, headers: mail.headers.replace(mail.messageId, otherId) };
		expect(other.headers).toContain('@other.example>');
		expect((await handIn(Exim(other))).data).toEqual({ repeated: 1 });
	});

	test('is logged by the digits of its id, without the signature; ids of others are not', async () => {
		const { mail } = await bounced();
		const from = lines.length;
		const foreign = 'anna.gruber@example.org';
		await handIn(Exim(mail));
		await handIn(Exim({ ...mail, headers: mail.headers.replace(mail.messageId, foreign) }));
		const written = () =>
			lines.slice(from).filter((line) => line.includes('a report on a mail was received'));
		await eventually('both are logged', () => written().length === 2);
		const logged = written().map((line) => JSON.parse(line) as Record<string, unknown>);
		expect(logged.map(({ messageId, outcome }) => [messageId, outcome])).toEqual([
			[digitsOf(`<${mail.messageId}>`), 'stored'],
			[undefined, 'unknown'],
		]);
		const signature = /\.([0-9a-f]{32})@/.exec(mail.messageId)?.[1] ?? 'no signature';
		for (const secretPart of [signature, foreign]) expect(lines.join('\n')).not.toContain(secretPart);
	});

	test('is matched by the address of the mail where that was forwarded', async () => {
		const { id, mail } = await bounced();
		const report = Postfix({ ...mail, to: mail.to.toUpperCase() }, { final: 'anna@mailbox.example' });
		expect((await handIn(report)).data).toEqual({ stored: 1 });
		expect((await refusalOf(id)).at).not.toBeNull();
	});

	test('is counted by its class', async () => {
		const count = () => auth.metric('auth_mail_reports_total', { outcome: 'stored', class: '5.7' });
		const earlier = await count();
		const { mail } = await bounced();
		await handIn(Postfix(mail, { status: '5.7.1', diagnostic: '550 5.7.1 SPF check failed' }));
		expect(await count()).toBe(earlier + 1);
	});
});

describe('a report changes nothing', () => {
	test.each<[string, { action?: string; status: string }, Receipt]>([
		['on a delay', { action: 'delayed', status: '4.4.1' }, { temporary: 1 }],
		['on a failure that may pass', { status: '4.4.7' }, { temporary: 1 }],
		['on a delivery', { action: 'delivered', status: '2.1.5' }, { delivered: 1 }],
		['on a mail that was relayed', { action: 'relayed', status: '2.0.0' }, { delivered: 1 }],
		['on a success that is called a failure', { status: '2.0.0' }, { delivered: 1 }],
	])('%s', async (_case, failure, receipt) => {
		const { id, mail } = await bounced();
		expect((await handIn(Postfix(mail, failure))).data).toEqual(receipt);
		expect(await refusalOf(id)).toEqual(none);
	});

	test('with an id that this system has not signed for the address', async () => {
		const [victim, attacker] = [await bounced(), await bounced()];
		const own = victim.mail.messageId;
		const forged = [
			// A mail that the attacker got, and ids derived from what is known about the victim's.
			attacker.mail.messageId,
			own.replace(/\.[0-9a-f]+@/, '@'),
			own.replace(/\.[0-9a-f]+@/, `.${'0'.repeat(32)}@`),
			`${randomUUID()}@paddock.example`,
		];
		for (const id of forged) {
			const headers = victim.mail.headers.replace(own, id);
			expect(headers).not.toContain(own);
			expect((await handIn(Postfix({ ...victim.mail, headers }))).data).toEqual({ unknown: 1 });
		}
		expect(await refusalOf(victim.id)).toEqual(none);
		expect((await handIn(Postfix(victim.mail))).data).toEqual({ stored: 1 });
	});

	test('on an address that the account no longer has, or of a closed account', async () => {
		const [moved, closed] = [await bounced(), await bounced()];
		const users = auth.deps.db.updateTable('users');
		const email = `moved-${randomUUID()}@example.org`;
		await users.set({ email }).where('id', '=', moved.id).execute();
		await users.set({ status: 'CLOSED' }).where('id', '=', closed.id).execute();
		for (const { id, mail } of [moved, closed]) {
			expect((await handIn(Exim(mail))).data).toEqual({ unknown: 1 });
			expect(await refusalOf(id)).toEqual(none);
		}
	});

	test('if it is not one, is too large or has another type', async () => {
		const { id, mail } = await bounced();
		const report = Postfix(mail);
		const outcomes = [
			await handIn('From: anna@example.org\r\n\r\nThank you.'),
			await handIn(report.replace('Action: failed', 'Action: returned')),
			await handIn(`${report}${' '.repeat(262_145 - Buffer.byteLength(report))}`),
			await handIn(report, { headers: { 'Content-Type': 'text/plain' } }),
			await handIn(report.replace(`${mail.messageId}>`, `${mail.messageId}\0>`)),
		].map(({ status, data }) => [status, data.code]);
		expect(outcomes).toEqual([
			[422, 'MAIL_REPORT_INVALID'],
			[422, 'MAIL_REPORT_INVALID'],
			[413, 'PAYLOAD_TOO_LARGE'],
			[415, 'UNSUPPORTED_MEDIA_TYPE'],
			[422, 'MAIL_REPORT_INVALID'],
		]);
		expect(await refusalOf(id)).toEqual(none);
		const largest = `${report}${' '.repeat(262_144 - Buffer.byteLength(report))}`;
		expect((await handIn(largest)).data).toEqual({ stored: 1 });
	});

	test('without the secret', async () => {
		const { id, mail } = await bounced();
		const { accessToken } = await auth.administrator();
		for (const token of [`${secret}x`, secret.slice(1), accessToken]) {
			const { status, data } = await handIn(Postfix(mail), { token });
			expect([status, data.code]).toEqual([401, 'INVALID_TOKEN']);
		}
		// The body is not read before.
		const tooLarge = await handIn(' '.repeat(262_145), { token: `${secret}x` });
		expect([tooLarge.status, tooLarge.data.code]).toEqual([401, 'INVALID_TOKEN']);
		const anonymous = await auth.call('POST', '/internal/mail-reports', {
			rawBody: Postfix(mail),
			headers: { 'Content-Type': 'message/rfc822' },
		});
		expect([anonymous.status, anonymous.data.code]).toEqual([401, 'UNAUTHENTICATED']);
		const unset = await runAuth({ beside: auth });
		try {
			const { status, data } = await handIn(Postfix(mail), { to: unset });
			expect([status, data.code]).toEqual([404, 'MAIL_REPORTS_NOT_CONFIGURED']);
		} finally {
			await unset.close();
		}
		expect(await refusalOf(id)).toEqual(none);
	});
});

describeWithPrograms(['curl', 'sh'], 'the program of docs/how-to.md', () => {
	let directory: string;
	beforeAll(async () => {
		directory = await mkdtemp(join(tmpdir(), 'paddock-reports-'));
	});
	afterAll(() => rm(directory, { recursive: true }));

	/** Its exit code, by which the mail server decides. */
	async function deliver(source: string, { url = auth.url, token = secret } = {}): Promise<unknown> {
		const page = await readFile(new URL('../../../docs/how-to.md', import.meta.url), 'utf8');
		const [, script = ''] =
			/```sh\n(#!\/bin\/sh\n# \/usr\/local\/bin\/paddock-mail-report[\s\S]*?)```/.exec(page) ?? [];
		const headers = join(directory, 'headers');
		await writeFile(headers, `Authorization: Bearer ${token}\n`, { mode: 0o600 });
		const { PATH } = process.env;
		const child = execFile('sh', ['-c', script], {
			env: { PATH, PADDOCK_MAIL_HEADERS: headers, PADDOCK_AUTH_URL: url },
		});
		child.stdin?.on('error', () => {});
		child.stdin?.end(source);
		const [code] = await once(child, 'close');
		return code;
	}

	test('hands in a report, drops other mails, and has the server retry what auth did not take', async () => {
		const { id, mail } = await bounced();
		const report = Postfix(mail);
		expect(await deliver(report, { url: 'http://127.0.0.1:9' })).toBe(75);
		expect(await deliver(report, { token: `${secret}x` })).toBe(75);
		expect(await refusalOf(id)).toEqual(none);
		expect(await deliver(report)).toBe(0);
		expect((await refusalOf(id)).reply).toContain('User unknown');
		expect(await deliver('From: anna@example.org\n\nThank you.\n')).toBe(0);
	});
});
