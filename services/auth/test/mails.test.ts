import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@paddock/database';
import type { Role, RoleScopes } from '@paddock/identity';
import type { MailRequest } from '@paddock/mail';
import { eventually, type MailServer, startMailServer } from '@paddock/testing';
import { sql } from 'kysely';
import { forgetRefusal } from '../src/mails/store.ts';
import { changeEmail, lockUser } from '../src/users/store.ts';
import { type RunningAuth, runAuth } from './running-auth.ts';

let server: MailServer;
let auth: RunningAuth;
beforeAll(async () => {
	server = await startMailServer();
	auth = await runAuth({
		// A server that responds later than this counts as failed; 20 s by default.
		settings: {
			SMTP_URL: `${server.url}?socketTimeout=3000`,
			JOB_POLL_MS: '500',
			MAIL_FROM: 'Office <office@example.org>',
		},
	});
});
afterAll(async () => {
	await auth.close();
	await server.stop();
});
beforeEach(() => {
	server.behaviour = () => 'accept';
});

const content = (subject: string) => ({
	subject,
	parts: ['One line.', { link: { path: '/x', text: 'Open' } }],
});

async function request(changes: Partial<MailRequest>) {
	const token = await eventsToken();
	const body = {
		id: randomUUID(),
		name: 'entry-accepted',
		category: 'ENTRIES',
		canBeSwitchedOff: true,
		recipients: [],
		de: content('Nennung angenommen'),
		en: content('Entry accepted'),
		...changes,
	};
	return auth.call<{ accounts: number }>('POST', '/internal/mails', { token, body });
}

async function eventsToken(): Promise<string> {
	const body = { client: 'events-service', secret: 'events-service-public-development-secret' };
	const { data } = await auth.call<{ accessToken: string }>('POST', '/internal/service-tokens', { body });
	return data.accessToken;
}

const rowOf = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('POST /internal/mails', () => {
	test('sends one mail per account, in its language, with one Message-ID for a repeated request', async () => {
		const german = await auth.register();
		const english = await auth.register({ locale: 'en-GB' });
		const memberId = randomUUID();
		await auth.deps.db.updateTable('users').set({ memberId }).where('id', '=', german.id).execute();
		const id = randomUUID();
		const recipients = [
			{ memberId },
			{ userId: german.id },
			{ userId: english.id },
			{ memberId: randomUUID() },
		];
		const first = await request({ id, recipients });
		expect([first.status, first.data]).toEqual([200, { accounts: 2 }]);
		await request({ id, recipients });
		await eventually('both have a mail', () =>
			[german, english].every(({ email }) => server.to(email).length > 0),
		);
		await request({ recipients: [{ userId: german.id }], de: content('Die letzte') });
		await eventually('the later mail came', () =>
			server.to(german.email).some(({ subject }) => subject === 'Die letzte'),
		);
		expect(server.to(german.email).map(({ subject }) => subject)).toEqual([
			'Nennung angenommen',
			'Die letzte',
		]);
		const [mail] = server.to(english.email);
		expect(mail?.subject).toBe('Entry accepted');
		expect(mail?.text).toContain('http://127.0.0.1:8080/x');
		expect(mail?.messageId).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
	});

	async function guardianOf(userId: string, ...children: readonly string[]): Promise<void> {
		const at = auth.clock.now();
		const holdsUntil = new Date(at.getTime() + 1_000);
		for (const memberId of children)
			await auth.deps.db
				.insertInto('memberLinks')
				.values({
					userId,
					memberId,
					relationship: 'GUARDIAN',
					status: 'CONFIRMED',
					holdsUntil,
					createdAt: at,
					updatedAt: at,
				})
				.execute();
	}

	test('a guardian of several children gets one mail that names those concerned, until they are of age', async () => {
		const guardian = await auth.register();
		const [lena, max, third] = [randomUUID(), randomUUID(), randomUUID()];
		await guardianOf(guardian.id, lena, max, third);
		const own = { de: { subject: 'Abgesagt', parts: ['Leider.', { subjects: 'Ihre Nennungen' }] } };
		const recipients = [
			{ memberId: lena, about: 'Lena\r\nHuber, Fleur' },
			{ memberId: max, about: 'Max Huber, Fleur' },
			{ userId: guardian.id, about: 'Max Huber, Fleur' },
		];
		expect((await request({ ...own, recipients })).data.accounts).toBe(1);
		await eventually('it came', () => server.to(guardian.email).length > 0);
		const [mail, ...others] = server.to(guardian.email);
		const text = mail?.text.replaceAll('\r', '');
		expect(text).toContain('Leider.\n\nIhre Nennungen:\n- Lena Huber, Fleur\n- Max Huber, Fleur\n');
		expect(others).toEqual([]);
		// Without anything that it is about, the list is left out.
		await request({ ...own, recipients: [{ memberId: third }] });
		await eventually('it came', () => server.to(guardian.email).length > 1);
		expect(server.to(guardian.email)[1]?.text).not.toContain('Ihre Nennungen');
		auth.clock.advance(1_001);
		expect((await request({ recipients })).data.accounts).toBe(1);
		expect((await request({ recipients: [{ memberId: lena }] })).data.accounts).toBe(0);
	});

	test('the account that made the change gets none', async () => {
		const [author, other] = [await auth.register(), await auth.register()];
		const recipients = [{ userId: author.id }, { userId: other.id }];
		const { data } = await request({ recipients, exceptUserId: author.id });
		await eventually('the other one came', () => server.to(other.email).length > 0);
		expect([data.accounts, server.to(author.email)]).toEqual([1, []]);
	});

	// An invitation to a mistyped address: mails about the member would tell its owner names.
	test('an account whose address was never verified gets none', async () => {
		const [unverified, verified] = [await auth.register(), await auth.register()];
		const users = auth.deps.db.updateTable('users');
		await users.set({ emailVerifiedAt: null }).where('id', '=', unverified.id).execute();
		const memberId = randomUUID();
		await users.set({ memberId }).where('id', '=', unverified.id).execute();
		const recipients = [{ memberId }, { userId: unverified.id }, { userId: verified.id }];
		const { data } = await request({ recipients });
		await eventually('the other one came', () => server.to(verified.email).length > 0);
		const wrong = server.to(unverified.email).filter(({ subject }) => subject === 'Nennung angenommen');
		expect([data.accounts, wrong]).toEqual([1, []]);
	});

	test('for a club: its organisers and officials, and neither former ones nor those of other clubs', async () => {
		const clubId = randomUUID();
		const scoped = async (roles: Role[], roleScopes: RoleScopes, status: 'ACTIVE' | 'CLOSED' = 'ACTIVE') => {
			const { id } = await auth.register();
			await auth.deps.db
				.updateTable('users')
				.set({ roles, roleScopes: JSON.stringify(roleScopes) as never, status })
				.where('id', '=', id)
				.execute();
		};
		const clubIds = [randomUUID(), clubId];
		await scoped(['MEMBER', 'ORGANISER'], { ORGANISER: { clubIds } });
		await scoped(['CLUB_OFFICIAL'], { CLUB_OFFICIAL: { clubIds } });
		await scoped(['CLUB_OFFICIAL'], { CLUB_OFFICIAL: { clubIds: [randomUUID()] } });
		await scoped(['MEMBER'], { ORGANISER: { clubIds } });
		await scoped(['ORGANISER'], { ORGANISER: { clubIds } }, 'CLOSED');
		expect((await request({ recipients: [{ clubId }, { clubId }] })).data.accounts).toBe(2);
	});

	test('a switched-off category is left out, others are not', async () => {
		const { id, email } = await auth.register();
		await auth.deps.db
			.updateTable('users')
			.set({ switchedOffMails: ['ENTRIES'] })
			.where('id', '=', id)
			.execute();
		await request({ recipients: [{ userId: id }] });
		await request({ recipients: [{ userId: id }], category: 'CONFIRMATION', canBeSwitchedOff: false });
		await eventually('the other one came', () => server.to(email).length > 0);
		const omitted = { mail: 'entry-accepted', outcome: 'omitted' };
		await eventually(
			'the first is omitted',
			async () => (await auth.metric('auth_mails_total', omitted)) === 1,
		);
		expect(server.to(email)).toHaveLength(1);
	});

	test('is for services with the scope only', async () => {
		const { accessToken } = await auth.administrator();
		const { status } = await auth.call('POST', '/internal/mails', { token: accessToken, body: {} });
		expect(status).toBe(401);
	});
});

describe('a mail server', () => {
	/** Of the mail to an account. */
	const stateOf = async (userId: string) => {
		const { rows } = await sql<{ state: string }>`
			select state::text from jobs.job where name = 'mails' and data->>'userId' = ${userId}`.execute(
			auth.deps.db,
		);
		return rows.map(({ state }) => state).join();
	};
	const retryNow = () =>
		sql`update jobs.job set start_after = to_timestamp(0) where state = 'retry'`.execute(auth.deps.db);

	test('that refuses an address for good: the refusal is stored with the account until a mail is accepted', async () => {
		const { id, email } = await auth.register();
		server.behaviour = (to) => (to === email ? { refuse: 550, at: 'RCPT' } : 'accept');
		await request({ recipients: [{ userId: id }] });
		await eventually('it is stored', async () => (await rowOf(id)).mailRefusedAt !== null);
		expect((await rowOf(id)).mailRefusal).toContain('550');
		server.behaviour = () => 'accept';
		await request({ recipients: [{ userId: id }] });
		await eventually('the next one was accepted', async () => (await rowOf(id)).mailRefusedAt === null);
		expect(server.to(email)).toHaveLength(1);
	});

	test('that refuses the former address says nothing of the present one, nor does its acceptance', async () => {
		const { id, email: former } = await auth.register();
		const { db, now } = auth.deps;
		const isRefused = async () => (await rowOf(id)).mailRefusedAt !== null;
		const refuse = async (what: string) => {
			await request({ recipients: [{ userId: id }] });
			await eventually(`the ${what} address is refused`, isRefused);
		};
		server.behaviour = () => ({ refuse: 550, at: 'RCPT' });
		await refuse('former');
		const email = `present-${former}`;
		await inTransaction(db, async (transaction) =>
			changeEmail(transaction, await lockUser(transaction, id), email, now()),
		);
		expect(await isRefused()).toBe(false);
		await refuse('present');
		// A mail that was on its way during the change.
		const accepted = { userId: id, digits: '', sentAt: now() };
		await forgetRefusal(db, { ...accepted, email: former });
		expect(await isRefused()).toBe(true);
		await forgetRefusal(db, { ...accepted, email });
		expect(await isRefused()).toBe(false);
	});

	test('whose decision cannot be stored does not get the mail again', async () => {
		const { id, email } = await auth.register();
		const { db } = auth.deps;
		await db.updateTable('users').set({ mailRefusedAt: new Date() }).where('id', '=', id).execute();
		await sql`create function refuse_refusals() returns trigger language plpgsql as
			$$ begin raise exception 'no space left'; end $$`.execute(db);
		await sql`create trigger refuse_refusals before update of mail_refused_at on users
			for each row execute function refuse_refusals()`.execute(db);
		try {
			await request({ recipients: [{ userId: id }] });
			await eventually('the job has ended', async () => ['completed', 'retry'].includes(await stateOf(id)));
			expect(await stateOf(id)).toBe('completed');
			expect(server.to(email)).toHaveLength(1);
		} finally {
			await sql`drop function refuse_refusals() cascade`.execute(db);
		}
	});

	test('that accepts a connection and then delays: other mails are sent meanwhile, this one again', async () => {
		const [slow, other] = [await auth.register(), await auth.register()];
		const late = Promise.withResolvers<void>();
		let hasMail = false;
		server.behaviour = (to) => {
			if (to !== slow.email) return 'accept';
			hasMail = true;
			return { waitFor: late.promise };
		};
		await request({ recipients: [{ userId: slow.id }] });
		await eventually('the server has it', () => hasMail);
		await request({ recipients: [{ userId: other.id }] });
		await eventually('the other mail came', () => server.to(other.email).length > 0);
		expect(server.to(slow.email)).toEqual([]);
		await eventually('the attempt has timed out', async () => (await stateOf(slow.id)) === 'retry', 20_000);
		server.behaviour = () => 'accept';
		await retryNow();
		await eventually('it came', () => server.to(slow.email).length > 0, 20_000);
		await eventually('its job has ended', async () => (await stateOf(slow.id)) === 'completed');
		// The server accepts the first one after all: the recipient's program shows both as one.
		late.resolve();
		await eventually('the first one came', () => server.to(slow.email).length === 2);
		expect(new Set(server.to(slow.email).map(({ messageId }) => messageId)).size).toBe(1);
	});

	test.each<[string, Parameters<MailServer['behaviour']>[0] extends string ? unknown : never]>([
		['refuses for now', { refuse: 451, at: 'RCPT' }],
		['refuses the content for now', { refuse: 452, at: 'DATA' }],
		['disconnects', 'disconnect'],
	])('that %s gets the mail again, with the same Message-ID', async (_name, fault) => {
		const { id, email } = await auth.register();
		let failures = 0;
		server.behaviour = (to) => {
			if (to !== email || failures === 2) return 'accept';
			failures += 1;
			return fault as ReturnType<MailServer['behaviour']>;
		};
		await request({ recipients: [{ userId: id }] });
		await eventually('it has failed', async () => (await stateOf(id)) === 'retry');
		expect(failures).toBeGreaterThan(0);
		expect((await rowOf(id)).mailRefusedAt).toBeNull();
		failures = 2;
		await retryNow();
		await eventually('it came', () => server.to(email).length > 0, 20_000);
		expect(new Set(server.to(email).map(({ messageId }) => messageId)).size).toBe(1);
	});
});
