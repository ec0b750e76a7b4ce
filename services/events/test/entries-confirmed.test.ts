import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Entry } from '../src/entries/view-schemas.ts';
import { asMember, officer, useConfirmationDesk } from './confirmation-desk.ts';

const desk = useConfirmationDesk();

function moveTo(instant: string): void {
	desk.events.clock.advance(Date.parse(instant) - desk.events.clock.now().getTime());
}

describe('a confirmation', () => {
	test('is checked at that moment: the waiting list and all rules', async () => {
		const entry = await desk.pending();
		await desk.enterOwn();
		desk.stage.member({ ...desk.rider, status: 'SUSPENDED' });
		const refused = await desk.step(entry, 'confirm', asMember(desk.guardian));
		expect([refused.status, refused.data.code, refused.data.checks?.map(({ code }) => code)]).toEqual([
			422,
			'ENTRY_NOT_ALLOWED',
			['RIDER_ON_SUSPENSION_LIST', 'FEE_UNPAID'],
		]);
		desk.stage.member({ ...desk.rider, feePaidForYear: 2026, lastName: 'Neu' });
		desk.stage.horse({ ...desk.evasHorse, status: 'RETIRED' });
		const horse = await desk.step(entry, 'confirm', asMember(desk.guardian));
		expect(horse.data.checks?.map(({ code }) => code)).toEqual(['HORSE_NOT_ELIGIBLE']);
		desk.stage.horse(desk.evasHorse);
		const confirmed = await desk.step(entry, 'confirm', asMember(desk.guardian));
		expect(confirmed.data).toMatchObject({
			status: 'WAITLISTED',
			position: 1,
			amountDue: 0,
			rider: { name: 'Kilian Neu' },
			checks: [],
		});
	});

	test('of a horse that others entered since is refused; a pending entry blocks no other', async () => {
		const entry = await desk.pending();
		const twice = await desk.enter(asMember(desk.eva));
		expect([twice.status, twice.data.checks?.map(({ code }) => code)]).toEqual([
			422,
			['CONFIRMATION_PENDING'],
		]);
		const second = desk.stage.member();
		expect((await desk.enter(asMember(desk.eva), { riderMemberId: second.id })).data.status).toBe(
			'PENDING_CONFIRMATION',
		);
		const own = await desk.enter(asMember(desk.eva), { riderMemberId: desk.eva.id });
		expect(own.data.status).toBe('ACCEPTED');
		const late = await desk.step(entry, 'confirm', asMember(desk.rider));
		expect([late.status, late.data.checks?.map(({ code }) => code)]).toEqual([
			422,
			['FEE_UNPAID', 'HORSE_NOT_ELIGIBLE'],
		]);
		await desk.step(own.data, 'withdraw', asMember(desk.eva));
		expect((await desk.step(entry, 'confirm', asMember(desk.rider))).data.status).toBe('ACCEPTED');
	});

	test('concurrently with another one: one of them gets the horse', async () => {
		const entry = await desk.pending();
		const second = desk.stage.member();
		const other = (await desk.enter(asMember(desk.eva), { riderMemberId: second.id })).data;
		const responses = await Promise.all([
			desk.step(entry, 'confirm', asMember(desk.rider)),
			desk.step(other, 'confirm', asMember(second)),
		]);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
	});

	test.each([
		['the entry deadline', '2026-10-12T21:59:00Z', '2026-10-12T21:59:00.001Z', {}],
		[
			'the first day, where the deadline is later',
			'2026-10-22T21:59:59.999Z',
			'2026-10-22T22:00:00Z',
			{ entryDeadline: new Date('2026-10-24T10:00:00Z') },
		],
	] as const)('ends with %s', async (_name, last, over, changes) => {
		const row = { lateEntryUntil: null, ...changes };
		await desk.events.db.updateTable('events').set(row).where('id', '=', desk.eventId).execute();
		const before = desk.events.clock.now().toISOString();
		const entry = await desk.pending();
		moveTo(last);
		const tag =
			(await desk.call<Entry>('GET', `${desk.path}/${entry.id}`, asMember(desk.rider))).headers.get('etag') ??
			'';
		moveTo(over);
		const read = await desk.events.call<Entry>('GET', `${desk.path}/${entry.id}`, {
			token: desk.events.sign(asMember(desk.rider)),
			headers: { 'If-None-Match': tag },
		});
		expect([read.status, read.data]).toMatchObject([
			200,
			{ status: 'EXPIRED', amountDue: 0, starts: [{ status: 'EXPIRED' }] },
		]);
		const listed = async (status: string) =>
			(await desk.call<Page<Entry>>('GET', `${desk.path}?status=${status}`, desk.organiser)).data.items
				.length;
		expect([await listed('EXPIRED'), await listed('PENDING_CONFIRMATION')]).toEqual([1, 0]);
		for (const name of ['confirm', 'decline', 'withdraw', 'reject'] as const) {
			const refused = await desk.step(entry, name, officer);
			expect([name, refused.status, refused.data]).toMatchObject([
				name,
				409,
				{ code: 'ILLEGAL_STATE_TRANSITION', from: 'EXPIRED', allowed: [] },
			]);
		}
		// Nothing that could be confirmed begins after that.
		expect((await desk.enter(asMember(desk.eva))).status).toBe(422);
		moveTo(last);
		expect((await desk.step(entry, 'confirm', asMember(desk.rider))).data.status).toBe('ACCEPTED');
		moveTo(before);
	});
});

describe('the end of a pending entry', () => {
	test.each([
		['declined by the rider', 'decline', () => asMember(desk.rider), 'DECLINED'],
		['declined by a guardian', 'decline', () => asMember(desk.guardian), 'DECLINED'],
		['withdrawn by its creator', 'withdraw', () => asMember(desk.eva), 'WITHDRAWN'],
		['withdrawn by the rider', 'withdraw', () => asMember(desk.rider), 'WITHDRAWN'],
		['rejected by the organiser', 'reject', () => desk.organiser, 'REJECTED'],
	] as const)('%s', async (_name, name, claims, status) => {
		const entry = await desk.pending();
		const ended = await desk.step(entry, name, claims());
		expect(ended.data).toMatchObject({ status, amountDue: 0, starts: [{ status }] });
		expect(
			(await desk.call<Entry>('GET', `${desk.path}/${entry.id}`, asMember(desk.eva))).data,
		).not.toHaveProperty('rider');
		const confirmed = await desk.step(entry, 'confirm', asMember(desk.rider));
		expect([confirmed.status, confirmed.data.code]).toEqual([409, 'ILLEGAL_STATE_TRANSITION']);
		expect((await desk.enter(asMember(desk.eva))).data.status).toBe('PENDING_CONFIRMATION');
	});

	test('happens with its event or its only competition', async () => {
		const other = await desk.stage.competition(desk.eventId);
		const single = await desk.pending();
		const second = desk.stage.member();
		const starts = [{ competitionId: desk.competitionId }, { competitionId: other }];
		const both = (await desk.enter(asMember(desk.eva), { riderMemberId: second.id, starts })).data;
		await desk.call(
			'POST',
			`/api/events/${desk.eventId}/competitions/${desk.competitionId}/cancel`,
			desk.organiser,
		);
		const statusOf = async ({ id }: Entry) =>
			(await desk.call<Entry>('GET', `${desk.path}/${id}`, officer)).data.status;
		expect([await statusOf(single), await statusOf(both)]).toEqual(['CANCELLED', 'PENDING_CONFIRMATION']);
		expect((await desk.step(both, 'confirm', asMember(second))).data).toMatchObject({
			status: 'ACCEPTED',
			amountDue: 4_300,
			starts: [{ status: 'CANCELLED' }, { status: 'ACCEPTED' }],
		});
		const third = desk.stage.member();
		const last = await desk.enter(asMember(desk.eva), {
			riderMemberId: third.id,
			starts: [{ competitionId: other }],
		});
		expect(last.status).toBe(422);
		const horseId = desk.stage.horse({ ownerMemberIds: [desk.eva.id] }).id;
		const free = { riderMemberId: third.id, horseId, starts: [{ competitionId: other }] };
		const waiting = (await desk.enter(asMember(desk.eva), free)).data;
		await desk.call('POST', `/api/events/${desk.eventId}/cancel`, desk.organiser, { reason: 'Sturm' });
		expect(await statusOf(waiting)).toBe('CANCELLED');
	});
});
