import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { tracesOf } from '@paddock/testing';
import type { Entry } from '../src/entries/view-schemas.ts';
import { asMember, officer, useConfirmationDesk } from './confirmation-desk.ts';

const desk = useConfirmationDesk();
let person: (step: 'export' | 'erase', userId: string, memberId: string) => ReturnType<typeof call>;

function call(step: 'export' | 'erase', userId: string, memberId: string) {
	const token = desk.events.signService([`persons:${step}`]);
	const path = `/internal/persons/${userId}/${step}?member=${memberId}`;
	return desk.events.call<{ tables: { table: string; purpose: string; rows: never[]; outcome: string }[] }>(
		step === 'export' ? 'GET' : 'POST',
		path,
		{ token },
	);
}

beforeAll(() => {
	person = call;
});

/** A rider with quotes in the name, with entries in every role. */
async function rider(name: string) {
	const userId = randomUUID();
	const member = desk.stage.member({
		firstName: `Ada "${name}"`,
		lastName: `O'${name}`,
		feePaidForYear: null,
	});
	const { id } = member;
	const own = await desk.enter(
		{ ...asMember(member), userId },
		{ riderMemberId: id, horseId: desk.stage.horse({ ownerMemberIds: [id] }).id },
	);
	expect(own.status).toBe(201);
	await desk.events.db
		.updateTable('events')
		.set({
			officials: JSON.stringify([
				{ role: 'JUDGE', name: `Ada ${name}`, memberId: id },
				{ role: 'STEWARD', name: 'Otto Bleibt', memberId: null },
			]),
		})
		.where('id', '=', desk.eventId)
		.execute();
	await desk.events.db
		.updateTable('entries')
		.set({
			overrides: JSON.stringify([
				{
					code: 'HORSE_TOO_YOUNG',
					about: 'HORSE',
					subject: 'entry',
					reason: 'Grund',
					byUserId: userId,
					byName: `Ada ${name}`,
					at: '2026-09-15T10:00:00.000Z',
				},
				{
					code: 'HORSE_TOO_YOUNG',
					about: 'HORSE',
					subject: 'entry',
					reason: 'Grund',
					byUserId: randomUUID(),
					byName: 'Otto Bleibt',
					at: '2026-09-15T10:00:00.000Z',
				},
			]),
			checks: JSON.stringify([
				{
					code: 'FEE_UNPAID',
					level: 'WARNING',
					about: 'RIDER',
					message: `The fee of Ada "${name}" O'${name} is not paid.`,
				},
			]),
			riderName: `Ada "${name}" O'${name}`,
		})
		.where('id', '=', own.data.id)
		.execute();
	return { userId, id, entry: own.data };
}

test('an export has the entries in each role, and of lists the own items only', async () => {
	const { userId, id, entry } = await rider('Quendel');
	const { status, data } = await person('export', userId, id);
	expect(status).toBe(200);
	const rowsOf = (purpose: string) => data.tables.find((table) => table.purpose.startsWith(purpose))?.rows;
	expect(rowsOf('Entries of a rider')).toMatchObject([
		{ id: entry.id, riderName: `Ada "Quendel" O'Quendel` },
	]);
	expect(rowsOf('Entries that the account made')).toMatchObject([{ id: entry.id }]);
	expect(rowsOf('Findings that the account passed')).toMatchObject([
		{ overrides: [{ byName: 'Ada Quendel' }] },
	]);
	expect(rowsOf('Officials of an event')).toMatchObject([{ officials: [{ name: 'Ada Quendel' }] }]);
	expect(rowsOf('Who did what')).toMatchObject([{ act: 'ENTERED', actedBy: userId }]);
	expect(JSON.stringify(data)).not.toContain('Bleibt');
});

// The export had the sum of the ledger, of which a waiting entry owes nothing yet.
test('an export has the amount due of a waiting entry as the entry itself', async () => {
	const { userId, id, entry } = await rider('Wartegg');
	const due = async () => {
		const { tables } = (await person('export', userId, id)).data;
		return tables.find(({ purpose }) => purpose.startsWith('Entries of a rider'))?.rows;
	};
	expect(await due()).toMatchObject([{ amountDue: 4_300 }]);
	await desk.events.db
		.updateTable('entries')
		.set({ status: 'WAITLISTED', position: 1 })
		.where('id', '=', entry.id)
		.execute();
	expect(await due()).toMatchObject([{ amountDue: 0 }]);
});

test('an erasure leaves no trace of the name, keeps entry and amounts, and may be repeated', async () => {
	const { userId, id, entry } = await rider('Rumpel');
	expect(await tracesOf(desk.events.db, 'rumpel')).toEqual(['changes', 'entries', 'events']);
	const stored = () =>
		desk.events.db.selectFrom('entries').selectAll().where('id', '=', entry.id).executeTakeFirstOrThrow();
	const before = await stored();
	expect(before.judgedBy).toHaveProperty('riderOfAgeAt');
	const { status, data } = await person('erase', userId, id);
	expect(status).toBe(200);
	expect(await tracesOf(desk.events.db, 'rumpel')).toEqual([]);
	// The other official, and who passed the other finding.
	expect(await tracesOf(desk.events.db, 'Bleibt')).toEqual(expect.arrayContaining(['entries', 'events']));
	const after = await stored();
	expect(after).toMatchObject({ amountDue: before.amountDue, riderMemberId: id, riderName: 'Anonymous' });
	expect(after.judgedBy).not.toHaveProperty('riderOfAgeAt');
	const history = await desk.events.db
		.selectFrom('changes' as never)
		.selectAll()
		.execute();
	expect(JSON.stringify(history.filter((each) => JSON.stringify(each).includes(entry.id)))).not.toContain(
		'riderOfAgeAt',
	);
	expect(after.checks).toMatchObject([{ message: 'The fee of Anonymous is not paid.' }]);
	const ledger = data.tables.find(({ table }) => table === 'ledger_lines' || table === 'ledgerLines');
	expect(ledger).toMatchObject({ outcome: 'KEPT', kept: expect.stringContaining('BAO §132') });
	await person('erase', userId, id);
	expect(await stored()).toEqual(after);
	const shown = await desk.call<Entry>('GET', `${desk.path}/${entry.id}`, officer);
	expect([shown.status, shown.data.rider?.name]).toEqual([200, 'Anonymous']);
});
