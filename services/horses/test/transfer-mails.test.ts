import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { inTransaction } from '@paddock/database';
import type { MailRequest } from '@paddock/mail';
import { requestedMails } from '@paddock/testing';
import { sql } from 'kysely';
import { transferLifetimeMs } from '../src/ownership/rules.ts';
import { remindOfTransfers } from '../src/ownership/transfer-mails.ts';
import { useHorses } from './running-horses.ts';
import { type TransferDesk, transferDesk } from './transfer-desk.ts';

const horses = useHorses();
const dayMs = 86_400_000;

let desk: TransferDesk;
beforeAll(() => {
	desk = transferDesk(horses);
});
beforeEach(async () => {
	await sql`delete from jobs.job`.execute(horses.db);
	await sql`delete from sent_reminders`.execute(horses.db);
	await horses.db
		.updateTable('ownershipTransfers')
		.set({ expiresAt: new Date(0) })
		.execute();
});

const mails = () => requestedMails(horses.db);
const sent = async () => (await mails()).map(({ name, recipients }) => [name, ids(recipients)]);
const ids = (recipients: MailRequest['recipients']) =>
	recipients.map((each) => ('memberId' in each ? each.memberId : 'userId' in each ? each.userId : '')).sort();

/** Stores jobs like those of the service, without its workers. */
const jobs = {
	enqueueAll: async (db: unknown, _queue: unknown, all: readonly { id: string; data: object }[]) => {
		for (const { id, data } of all)
			await sql`insert into jobs.job (id, name, data, policy) values (${id}, 'mail-requests', ${JSON.stringify(data)}, 'standard')`.execute(
				db as typeof horses.db,
			);
	},
} as Parameters<typeof remindOfTransfers>[0]['jobs'];
const remind = () => remindOfTransfers({ db: horses.db, jobs, now: horses.clock.now() });

test('a request asks the other owners for their confirmation, and the last one tells former and new owners, but not the caller', async () => {
	const made = await desk.pending();
	const [wanted] = await mails();
	expect([wanted?.name, wanted?.category, wanted?.canBeSwitchedOff]).toEqual([
		'transfer-confirmation-wanted',
		'CONFIRMATION',
		false,
	]);
	expect(ids(wanted?.recipients ?? [])).toEqual([made.eva.memberId]);
	expect(JSON.stringify(wanted?.de)).toContain('15. Mai 2026 um 12:00 (Wien)');
	expect(JSON.stringify(wanted?.en)).toContain('1 April 2026');
	await desk.respond('confirm', made, made.eva.token);
	const completed = (await mails())[1];
	expect([completed?.name, completed?.canBeSwitchedOff]).toEqual(['transfer-completed', true]);
	expect(ids(completed?.recipients ?? [])).toEqual(
		[made.felix.memberId, made.eva.memberId, made.mia.memberId].sort(),
	);
	expect(completed?.exceptUserId).toMatch(/^[0-9a-f-]{36}$/);
	// A repeated confirmation changes nothing.
	await desk.respond('confirm', made, made.eva.token);
	expect(await mails()).toHaveLength(2);
});

test('a transfer that takes effect at once tells both sides; one that is declined tells all parties and the requester', async () => {
	const { id, felix, eva, mia } = await desk.shared();
	await desk.request(id, mia, horses.officer);
	expect(await sent()).toEqual([['transfer-completed', [felix.memberId, eva.memberId, mia.memberId].sort()]]);
	const requester = { userId: randomUUID() };
	const made = await desk.shared();
	const token = horses.sign({ ...requester, memberId: made.felix.memberId });
	const { data } = await desk.request(made.id, made.mia, token);
	await desk.respond('decline', { id: made.id, transferId: data.transferId }, made.eva.token);
	expect((await sent()).at(-1)).toEqual([
		'transfer-declined',
		[made.felix.memberId, made.eva.memberId, made.mia.memberId, requester.userId].sort(),
	]);
});

test('a day before it expires the owners who have not confirmed are reminded once, also by two instances at once', async () => {
	const made = await desk.pending();
	const another = await desk.pending();
	horses.clock.advance(transferLifetimeMs - dayMs - 1);
	await remind();
	expect(await sent()).toHaveLength(2);
	horses.clock.advance(1);
	// An attempt that fails, like one of a process that is killed, leaves no trace.
	const failing = { enqueueAll: () => Promise.reject(new Error('no space left')) };
	await expect(remindOfTransfers({ db: horses.db, jobs: failing, now: horses.clock.now() })).rejects.toThrow(
		'no space left',
	);
	await Promise.all([remind(), remind(), remind()]);
	await remind();
	const reminders = (await sent()).filter(([name]) => name === 'transfer-expiring');
	expect(reminders.flatMap(([, recipients]) => recipients).sort()).toEqual(
		[made.eva.memberId, another.eva.memberId].sort(),
	);
});

test('an expired transfer tells all parties once; one that was completed in time tells nothing more', async () => {
	const expired = await desk.pending();
	const completed = await desk.pending();
	await desk.respond('confirm', completed, horses.sign({ memberId: completed.eva.memberId }));
	await sql`delete from jobs.job`.execute(horses.db);
	horses.clock.advance(transferLifetimeMs + 60_000);
	await Promise.all([remind(), remind()]);
	await remind();
	const [mail, ...others] = await mails();
	expect([mail?.name, others]).toEqual(['transfer-expired', []]);
	expect(ids(mail?.recipients ?? [])).toEqual(
		expect.arrayContaining([expired.felix.memberId, expired.eva.memberId, expired.mia.memberId]),
	);
	expect(mail?.recipients).toHaveLength(4);
	// Long ago: an upgrade does not send the mails of the past.
	await sql`delete from sent_reminders`.execute(horses.db);
	horses.clock.advance(2 * dayMs);
	await remind();
	expect(await mails()).toHaveLength(1);
});

test('are found by an index', async () => {
	const { rows } = await inTransaction(horses.db, async (db) => {
		await sql`set local enable_seqscan = off`.execute(db);
		return sql<object>`
			explain select 1 from ownership_transfers where status in ('PENDING', 'EXPIRED') and expires_at > now()`.execute(
			db,
		);
	});
	expect(JSON.stringify(rows)).toContain('ownership_transfers_expiry_index');
});
