import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { MailRequest } from '@paddock/mail';
import { requestedMails } from '@paddock/testing';
import { sql } from 'kysely';
import { promoteEverywhere } from '../src/entries/waiting-list.ts';
import { asMember, officer, useConfirmationDesk } from './confirmation-desk.ts';

const desk = useConfirmationDesk();

beforeEach(async () => {
	await sql`delete from jobs.job`.execute(desk.events.db);
});

const mails = () => requestedMails(desk.events.db);
const idsOf = ({ recipients }: Pick<MailRequest, 'recipients'>) =>
	recipients.map((each) => Object.values(each)[0] ?? '').sort();
const textOf = (mail: MailRequest | undefined) => JSON.stringify([mail?.de, mail?.en]);
/** Name and recipients of each mail since the last call. */
const told = async () => {
	const all = await mails();
	await sql`delete from jobs.job`.execute(desk.events.db);
	return all.map((mail) => [mail.name, idsOf(mail)]);
};

describe('an entry that a side must confirm', () => {
	test('asks the rider and the guardian; nothing switches that off', async () => {
		await desk.pending();
		const [mail, ...others] = await mails();
		expect(others).toEqual([]);
		expect(mail).toMatchObject({
			name: 'entry-confirmation-wanted',
			category: 'CONFIRMATION',
			canBeSwitchedOff: false,
		});
		expect(idsOf(mail as MailRequest)).toEqual([desk.rider.id, desk.guardian.id].sort());
		for (const text of [
			'Kilian Striegelmoser',
			'Lärchenglut',
			'12. Oktober 2026 um 23:59 (Wien)',
			'12 October 2026',
		])
			expect(textOf(mail)).toContain(text);
	});

	test('asks the keepers of the horse if the rider enters it', async () => {
		await desk.pendingOnHorse();
		expect(await told()).toEqual([['entry-confirmation-wanted', [desk.eva.id]]]);
	});

	test('tells all parties and the one who entered of the confirmation, but not the one who confirmed', async () => {
		const entering = { userId: randomUUID(), memberId: desk.eva.id };
		const { data } = await desk.enter(entering);
		await told();
		const guardian = { userId: randomUUID(), memberId: desk.guardian.id };
		await desk.step(data, 'confirm', guardian);
		const [mail, ...others] = await mails();
		expect([mail?.name, mail?.exceptUserId, others]).toEqual(['entry-accepted', guardian.userId, []]);
		expect(idsOf(mail as MailRequest)).toEqual(
			[desk.rider.id, desk.guardian.id, desk.eva.id, entering.userId].sort(),
		);
		// Again: nothing changes, and nothing is sent.
		await desk.step(data, 'confirm', guardian);
		expect(await mails()).toHaveLength(1);
	});

	test('asks once a day, however often it is withdrawn and made again', async () => {
		for (let round = 0; round < 3; round += 1)
			await desk.step(await desk.pending(), 'withdraw', asMember(desk.eva));
		expect((await mails()).filter(({ name }) => name === 'entry-confirmation-wanted')).toHaveLength(1);
		// The rider's side, which never agreed, hears nothing of it.
		const withdrawn = (await mails()).filter(({ name }) => name === 'entry-withdrawn');
		expect(withdrawn.map(idsOf)).toEqual([[desk.eva.id], [desk.eva.id], [desk.eva.id]]);
	});

	test('tells them of a refusal', async () => {
		const entering = { userId: randomUUID(), memberId: desk.eva.id };
		const { data } = await desk.enter(entering);
		await told();
		await desk.step(data, 'decline', asMember(desk.guardian));
		const declined = (await mails()).map((mail) => ({
			name: mail.name,
			to: idsOf(mail),
			namesRider: textOf(mail).includes(desk.rider.lastName),
		}));
		expect(declined).toHaveLength(2);
		// The side of the rider has not confirmed: only that side reads who it is.
		const name = 'entry-declined';
		expect(declined).toEqual(
			expect.arrayContaining([
				{ name, to: [desk.rider.id, desk.guardian.id].sort(), namesRider: true },
				{ name, to: [desk.eva.id, entering.userId].sort(), namesRider: false },
			]),
		);
	});
});

describe('an entry', () => {
	test('of an adult with an own horse sends no mail, as nobody else is concerned; one of a minor does', async () => {
		await desk.enterOwn();
		expect(await told()).toEqual([]);
		const { riderMemberId } = await desk.enterOwn({ dateOfBirth: '2012-03-04' });
		expect(await told()).toEqual([['entry-waitlisted', [riderMemberId]]]);
	});

	test('by the office tells the rider of the place or of the waiting list', async () => {
		const first = desk.ownPair();
		await desk.enter(officer, first);
		const second = desk.ownPair();
		await desk.enter(officer, second);
		const [accepted, waiting] = await mails();
		expect([accepted?.name, idsOf(accepted as MailRequest)]).toEqual([
			'entry-accepted',
			[first.riderMemberId],
		]);
		expect(waiting?.name).toBe('entry-waitlisted');
		expect(textOf(waiting)).toContain('["Platz auf der Warteliste","1"]');
		// A refused one tells nobody.
		expect((await desk.enter(officer, first)).status).toBe(422);
		expect(await mails()).toHaveLength(2);
	});

	test('that the organiser withdraws tells its rider, and the rider of the entry that moves up', async () => {
		const first = await desk.enterOwn();
		const waiting = await desk.enterOwn();
		await desk.step(first, 'withdraw', desk.organiser);
		const all = await mails();
		expect(all).toHaveLength(2);
		const [withdrawn] = all.filter(({ name }) => name === 'entry-withdrawn');
		const [promoted] = all.filter(({ name }) => name === 'entries-promoted');
		expect([withdrawn?.name, idsOf(withdrawn as MailRequest)]).toEqual([
			'entry-withdrawn',
			[first.riderMemberId],
		]);
		expect(promoted).toMatchObject({
			name: 'entries-promoted',
			recipients: [
				{ memberId: waiting.riderMemberId, about: `Eva Zügelbauer, Lärchenglut (${waiting.entryNumber})` },
			],
		});
		expect(textOf(promoted)).toContain('16. September 2026 um 12:00 (Wien)');
		// A repeated withdrawal.
		await desk.step(first, 'withdraw', desk.organiser);
		expect(await mails()).toHaveLength(2);
	});

	test('that moves up in the background tells its rider, once', async () => {
		const { events, stage, eventId } = desk;
		await desk.enterOwn();
		const waiting = await desk.enterOwn();
		await events.db.updateTable('events').set({ maxEntries: 2 }).where('id', '=', eventId).execute();
		const jobs: string[] = [];
		const enqueueAll = async (_db: unknown, _queue: unknown, all: readonly { data: object }[]) =>
			void jobs.push(...all.map(({ data }) => JSON.stringify(data)));
		const deps = {
			db: events.db,
			jobs: { enqueueAll } as never,
			directory: {
				members: async () => events.peers.members,
				horses: async () => events.peers.horses,
			} as never,
			freeWithdrawalMs: 0,
			now: events.clock.now,
			logger: { info: () => {}, warn: () => {} } as never,
			closing: new AbortController().signal,
		};
		await promoteEverywhere(deps);
		await promoteEverywhere(deps);
		const own = [...jobs, ...(await mails()).map((mail) => JSON.stringify(mail))].filter((job) =>
			job.includes(waiting.riderMemberId),
		);
		expect(own).toHaveLength(1);
		expect([own[0]?.includes('entries-promoted'), stage.clubId.length]).toEqual([true, 36]);
	});

	test('that is rejected tells the reason', async () => {
		const entry = await desk.enterOwn();
		await desk.step(entry, 'reject', desk.organiser);
		const [mail] = await mails();
		expect([mail?.name, idsOf(mail as MailRequest)]).toEqual(['entry-rejected', [entry.riderMemberId]]);
		expect(textOf(mail)).toContain('["Reason","Nein danke"]');
	});

	test('that is passed on tells the parties of both pairs', async () => {
		const entry = await desk.enterOwn();
		const keeper = desk.stage.member();
		const horse = desk.stage.horse({ name: 'Ersatz', ownerMemberIds: [keeper.id] });
		const { status } = await desk.call('POST', `${desk.path}/${entry.id}/swap`, officer, {
			horseId: horse.id,
		});
		expect(status).toBe(200);
		const [mail] = await mails();
		expect([mail?.name, idsOf(mail as MailRequest)]).toEqual([
			'entry-swapped',
			[entry.riderMemberId, keeper.id].sort(),
		]);
		expect(textOf(mail)).toContain('mit Lärchenglut gilt jetzt für Eva Zügelbauer mit Ersatz');
	});
});
