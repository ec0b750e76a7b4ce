import { describe, expect, test } from '@jest/globals';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { events, call, stage, desk } = useEntryDesk({ REFUND_FILLED_PLACES: true });

const tooLate = new Date('2026-09-15T09:59:59Z');
const path = (eventId: string) => `/api/events/${eventId}/entries`;
const amounts = ({ ledger }: Pick<Entry, 'ledger'>) => ledger.map(({ kind, amount }) => `${kind} ${amount}`);
const read = async ({ eventId, id }: Entry) =>
	(await call<Entry>('GET', `${path(eventId)}/${id}`, { token: desk.organiser })).data;
const passDeadline = (eventId: string) =>
	events.db.updateTable('events').set({ entryDeadline: tooLate }).where('id', '=', eventId).execute();
const makeEvent = async (
	changes: Parameters<typeof stage.event>[0] = {},
	maxStarters: number | null = null,
) => {
	const eventId = await stage.event(changes);
	return { eventId, competitionId: await stage.competition(eventId, { maxStarters }) };
};
const enterWith = (eventId: string, competitionId: string, boxes: number) =>
	call<Entry & { code: string }>('POST', path(eventId), {
		token: desk.organiser,
		body: { ...desk.pair(competitionId), boxes },
	});
/** Boxes of such an event can no longer be given back free of charge. */
const soon = { startDate: '2026-09-24', endDate: '2026-09-25' };
const patch = async ({ eventId, id }: Entry, body: object) =>
	(await call<Entry>('PATCH', `${path(eventId)}/${id}`, { token: desk.organiser, body })).data;
const cancelCompetition = async (eventId: string, competitionId: string) => {
	const cancelled = `/api/events/${eventId}/competitions/${competitionId}/cancel`;
	expect((await call('POST', cancelled, { token: desk.organiser })).status).toBe(200);
};
const paragraphs = ({ checks }: Pick<Entry, 'checks'>) =>
	checks.filter(({ code }) => code === 'NO_REFUND').map(({ rule }) => rule?.paragraph);

/** For every entry of every test: the amount due is the sum of its lines. */
const unbalanced = () =>
	events.db
		.selectFrom('entries')
		.select('id')
		.where((eb) =>
			eb(
				'amountDue',
				'<>',
				eb
					.selectFrom('ledgerLines')
					.select(({ fn }) => fn.coalesce(fn.sum<number>('amount'), eb.lit(0)).as('total'))
					.whereRef('entryId', '=', 'entries.id'),
			),
		)
		.execute();

describe('the ledger', () => {
	// Entry and CSV file had the sum as due, although the entry owed nothing.
	test('of a waiting entry is due once it has a place', async () => {
		const { eventId, competitionId } = await makeEvent({ maxEntries: 1 });
		const first = await desk.enter(eventId, [competitionId]);
		const { data } = await enterWith(eventId, competitionId, 0);
		const dueInFile = async () => {
			const headers = { authorization: `Bearer ${desk.organiser}` };
			const file = await (await fetch(`${events.url}${path(eventId)}.csv`, { headers })).text();
			const [header = [], , line = []] = file.split('\r\n').map((text) => text.split(','));
			return line[header.indexOf('Due EUR')];
		};
		const shown = async () => [(await read(data)).amountDue, await dueInFile(), amounts(await read(data))];
		const lines = ['ENTRY 2500', 'START 1800'];
		expect(data).toMatchObject({ status: 'WAITLISTED', amountDue: 0 });
		expect(await shown()).toEqual([0, '0.00', lines]);
		await desk.end(first);
		expect(await shown()).toEqual([4_300, '43.00', lines]);
	});

	test('has a line for each part of the amount due, with account, time and reason', async () => {
		const { eventId, competitionId } = await makeEvent();
		const { data } = await enterWith(eventId, competitionId, 2);
		const { amountDue, ledger } = await read(data);
		expect([amountDue, amounts({ ledger })]).toEqual([22_300, ['ENTRY 2500', 'START 1800', 'BOX 18000']]);
		expect(ledger[1]).toMatchObject({
			competitionId,
			bookedAt: events.clock.now().toISOString(),
			bookedBy: expect.any(String),
		});
		const rider = events.sign({ memberId: data.riderMemberId });
		const own = await call<Entry>('GET', `${path(eventId)}/${data.id}`, { token: rider });
		expect([own.data.amountDue, own.data.ledger[0]?.bookedBy]).toEqual([22_300, undefined]);
		expect((await call('GET', `${path(eventId)}/${data.id}`)).status).toBe(401);
		expect(
			(
				await call('GET', `${path(eventId)}/${data.id}`, {
					token: events.sign({ memberId: stage.member().id }),
				})
			).status,
		).toBe(404);
	});

	test('grows with each change, and ends at what remains due', async () => {
		const { eventId, competitionId } = await makeEvent();
		const second = await stage.competition(eventId, { startFee: 1_000 });
		const { data } = await enterWith(eventId, competitionId, 1);
		const put = (body: object) =>
			call<Entry>('PUT', `${path(eventId)}/${data.id}`, { token: desk.organiser, body });
		const added = await put({ starts: [{ competitionId }, { competitionId: second }] });
		expect([added.data.boxes, added.data.amountDue]).toEqual([1, 14_300]);
		const moved = await put({ starts: [{ competitionId: second }], boxes: 3 });
		expect(amounts(moved.data)).toEqual([
			'ENTRY 2500',
			'START 1800',
			'BOX 9000',
			'START 1000',
			'REFUND -1800',
			'BOX 18000',
		]);
		expect(moved.data.amountDue).toBe(30_500);
		const returned = await put({ starts: [{ competitionId: second }], boxes: 0 });
		expect(returned.data.amountDue).toBe(3_500);
		await call('POST', `/api/events/${eventId}/competitions/${second}/cancel`, { token: desk.organiser });
		expect((await read(data)).amountDue).toBe(2_500);
		const ended = await desk.end(data);
		expect([ended.data.amountDue, amounts(ended.data).slice(-2)]).toEqual([
			0,
			['REFUND -1000', 'REFUND -2500'],
		]);
		expect(await unbalanced()).toEqual([]);
	});

	test('null gives the boxes back, an omitted number keeps them', async () => {
		const { eventId, competitionId } = await makeEvent();
		const { data } = await enterWith(eventId, competitionId, 2);
		const patched = async (body: object) =>
			(await call<Entry>('PATCH', `${path(eventId)}/${data.id}`, { token: desk.organiser, body })).data;
		expect((await patched({ starts: [{ competitionId }] })).boxes).toBe(2);
		const { boxes, ledger, amountDue } = await patched({ boxes: null });
		expect([boxes, amounts({ ledger }).at(-1), amountDue]).toEqual([0, 'BOX -18000', 4_300]);
	});

	test('has a largest length, after which an entry can only end', async () => {
		const { eventId, competitionId } = await makeEvent();
		const { data } = await enterWith(eventId, competitionId, 0);
		const put = (boxes: number) =>
			call<Entry & { code: string }>('PUT', `${path(eventId)}/${data.id}`, {
				token: desk.organiser,
				body: { starts: [{ competitionId }], boxes },
			});
		const lines = Array.from({ length: 196 }, (_, index) => ({
			entryId: data.id,
			kind: 'BOX' as const,
			amount: index % 2 === 0 ? 9_000 : -9_000,
			reason: '1 box',
			bookedAt: events.clock.now(),
		}));
		await events.db.insertInto('ledgerLines').values(lines).execute();
		expect([(await put(1)).status, (await put(0)).status]).toEqual([200, 200]);
		const refused = await put(1);
		expect([refused.status, refused.data.code]).toEqual([409, 'ENTRY_CHANGES_USED_UP']);
		expect((await read(data)).ledger).toHaveLength(200);
		expect([(await desk.end(data)).data.amountDue, await unbalanced()]).toEqual([0, []]);
	});

	test('follows writers without a ledger', async () => {
		const { eventId, competitionId } = await makeEvent();
		const entry = await desk.enter(eventId, [competitionId]);
		for (const amountDue of [5_300, 0])
			await events.db.updateTable('entries').set({ amountDue }).where('id', '=', entry.id).execute();
		expect(amounts(await read(entry))).toEqual(['ENTRY 2500', 'START 1800', 'ENTRY 1000', 'REFUND -5300']);
		expect(await unbalanced()).toEqual([]);
	});
});

describe('boxes', () => {
	test('an entry waits for its boxes, and gets its place with them', async () => {
		const { eventId, competitionId } = await makeEvent({ maxBoxes: 3 });
		const first = (await enterWith(eventId, competitionId, 2)).data;
		await enterWith(eventId, competitionId, 2);
		await enterWith(eventId, competitionId, 1);
		const full = await enterWith(eventId, competitionId, 1);
		const none = await enterWith(eventId, competitionId, 0);
		expect([full.data.status, none.data.status]).toEqual(['WAITLISTED', 'ACCEPTED']);
		expect(await desk.standing(eventId)).toEqual([
			'1 ACCEPTED',
			'2 WAITLISTED 1',
			'3 ACCEPTED',
			'4 WAITLISTED 2',
			'5 ACCEPTED',
		]);
		await desk.end(first);
		expect(await desk.standing(eventId)).toEqual([
			'1 WITHDRAWN',
			'2 ACCEPTED',
			'3 ACCEPTED',
			'4 WAITLISTED 1',
			'5 ACCEPTED',
		]);
		const more = await call('PUT', `${path(eventId)}/${none.data.id}`, {
			token: desk.organiser,
			body: { starts: [{ competitionId }], boxes: 1 },
		});
		expect([more.status, more.data.code]).toEqual([409, 'BOXES_FULL']);
		const tooMany = await enterWith(eventId, competitionId, 4);
		expect([tooMany.status, tooMany.data.code]).toEqual([400, 'VALIDATION_ERROR']);
	});

	test('fifty entries at once get exactly the boxes of the event', async () => {
		const { eventId, competitionId } = await makeEvent({ maxBoxes: 30 });
		const responses = await Promise.all(
			Array.from({ length: 50 }, (_, index) => enterWith(eventId, competitionId, 1 + (index % 2))),
		);
		expect(responses.filter(({ status }) => status !== 201)).toEqual([]);
		const rows = await desk.stored(eventId);
		const given = rows
			.filter(({ status }) => status === 'ACCEPTED')
			.reduce((sum, { boxes }) => sum + boxes, 0);
		const wanted = rows.reduce((sum, { boxes }) => sum + boxes, 0);
		expect([rows.length, wanted, given]).toEqual([50, 75, 30]);
		expect(await unbalanced()).toEqual([]);
	});

	test('given back within ten days of the event they stay due', async () => {
		const { eventId, competitionId } = await makeEvent({ startDate: '2026-09-24', endDate: '2026-09-25' });
		const { data } = await enterWith(eventId, competitionId, 1);
		expect((await desk.end(data)).data.amountDue).toBe(9_000);
	});

	// A waiting entry kept owing boxes of which it had never got any.
	test('that a waiting entry gives back are not due, even within ten days of the event', async () => {
		const { eventId, competitionId } = await makeEvent({ ...soon, maxBoxes: 1 });
		await enterWith(eventId, competitionId, 1);
		const waiting = (await enterWith(eventId, competitionId, 1)).data;
		expect([waiting.status, waiting.amountDue]).toEqual(['WAITLISTED', 0]);
		const { status, boxes, amountDue, checks } = await patch(waiting, { boxes: 0 });
		expect([status, boxes, amountDue, paragraphs({ checks })]).toEqual(['ACCEPTED', 0, 4_300, []]);
		expect(await unbalanced()).toEqual([]);
	});

	// The start fees, which the withdrawal had returned, were refunded again, out of the fee of the box.
	test('stay due after the competition of an entry that was withdrawn in time is cancelled', async () => {
		const { eventId, competitionId } = await makeEvent(soon);
		const { data } = await enterWith(eventId, competitionId, 1);
		const ended = await desk.end(data);
		expect([ended.data.amountDue, ended.data.starts]).toEqual([
			9_000,
			[expect.objectContaining({ startFee: 1_800 })],
		]);
		await cancelCompetition(eventId, competitionId);
		expect((await read(data)).amountDue).toBe(9_000);
		expect(await unbalanced()).toEqual([]);
	});

	test.each([
		['late', soon, 13_300],
		['in time', {}, 4_300],
	])(
		'a late withdrawal with boxes given back %s gets the fee of a cancelled start',
		async (_when, days, due) => {
			const { eventId, competitionId } = await makeEvent(days);
			const { data } = await enterWith(eventId, competitionId, 1);
			await passDeadline(eventId);
			expect((await desk.end(data)).data.amountDue).toBe(due);
			await cancelCompetition(eventId, competitionId);
			expect((await read(data)).amountDue).toBe(due - 1_800);
		},
	);

	// The net of START and REFUND lines of a competition is the fee, however often the start was removed and added.
	test('a start that was removed and added again is refunded once', async () => {
		const { eventId, competitionId } = await makeEvent();
		const second = await stage.competition(eventId, { startFee: 1_000 });
		const { data } = await enterWith(eventId, competitionId, 0);
		for (const id of [second, competitionId]) await patch(data, { starts: [{ competitionId: id }] });
		await passDeadline(eventId);
		expect((await desk.end(data)).data.amountDue).toBe(4_300);
		await cancelCompetition(eventId, competitionId);
		expect((await read(data)).amountDue).toBe(2_500);
	});

	// The box that had stayed due was booked a second time.
	test('given back too late and taken again are due once', async () => {
		const { eventId, competitionId } = await makeEvent(soon);
		const { data } = await enterWith(eventId, competitionId, 1);
		const dues: number[] = [];
		for (const boxes of [0, 1, 2, 1, 0, 3]) dues.push((await patch(data, { boxes })).amountDue);
		expect(dues).toEqual([13_300, 13_300, 22_300, 22_300, 22_300, 31_300]);
		expect(await unbalanced()).toEqual([]);
	});

	// The exchange removed the warning, by which boxes that stayed due are known.
	test('given back too late stay due and known as such after a change of horse', async () => {
		const { eventId, competitionId } = await makeEvent({ ...soon, swapFee: 1_500 });
		const { data } = await enterWith(eventId, competitionId, 1);
		await patch(data, { boxes: 0 });
		const swapped = await call<Entry>('POST', `${path(eventId)}/${data.id}/swap`, {
			token: desk.organiser,
			body: { horseId: stage.horse().id },
		});
		expect([swapped.status, paragraphs(swapped.data), swapped.data.amountDue]).toEqual([
			200,
			['23.4'],
			14_800,
		]);
		expect((await patch(data, { boxes: 1 })).amountDue).toBe(14_800);
	});

	// The refund was a share of all that was booked, with the box that had stayed due.
	test('given back too late stay due if others are given back after the event was moved', async () => {
		const { eventId, competitionId } = await makeEvent(soon);
		const { data } = await enterWith(eventId, competitionId, 3);
		expect((await patch(data, { boxes: 2 })).amountDue).toBe(31_300);
		const moved = { startDate: '2026-10-23', endDate: '2026-10-25' };
		await events.db.updateTable('events').set(moved).where('id', '=', eventId).execute();
		const dues: number[] = [];
		for (const boxes of [1, 0, 1]) dues.push((await patch(data, { boxes })).amountDue);
		expect(dues).toEqual([22_300, 13_300, 13_300]);
		expect(await unbalanced()).toEqual([]);
	});

	test('added after the fee was lowered cost the new fee, whatever the earlier ones cost', async () => {
		const { eventId, competitionId } = await makeEvent();
		const { data } = await enterWith(eventId, competitionId, 2);
		await events.db.updateTable('events').set({ stableFee: 1_000 }).where('id', '=', eventId).execute();
		expect((await patch(data, { boxes: 3 })).amountDue).toBe(23_300);
	});

	// The warning said that the fees stay due, which had been returned.
	test.each([
		['in time', false, ['23.4']],
		['late', true, ['28.7', '23.4']],
	])('a withdrawal %s names what stays due', async (_when, isLate, expected) => {
		const { eventId, competitionId } = await makeEvent(soon);
		const { data } = await enterWith(eventId, competitionId, 1);
		if (isLate) await passDeadline(eventId);
		expect(paragraphs((await desk.end(data)).data)).toEqual(expected);
	});

	test('given back too late are refunded by a rejection, which removes the warning', async () => {
		const { eventId, competitionId } = await makeEvent(soon);
		const { data } = await enterWith(eventId, competitionId, 1);
		expect(paragraphs(await patch(data, { boxes: 0 }))).toEqual(['23.4']);
		const rejected = await desk.end(data, 'reject');
		expect([rejected.data.amountDue, paragraphs(rejected.data)]).toEqual([0, []]);
	});
});

test('boxes are given back at the price that was booked, also after a raise', async () => {
	const { eventId, competitionId } = await makeEvent();
	const { data } = await enterWith(eventId, competitionId, 2);
	await events.db.updateTable('events').set({ stableFee: 50_000 }).where('id', '=', eventId).execute();
	const put = (boxes: number) =>
		call<Entry>('PUT', `${path(eventId)}/${data.id}`, {
			token: desk.organiser,
			body: { starts: [{ competitionId }], boxes },
		});
	const one = await put(1);
	expect([one.status, one.data.amountDue]).toEqual([200, 13_300]);
	expect((await put(0)).data.amountDue).toBe(4_300);
	expect(await unbalanced()).toEqual([]);
});

test('an entry says that an amount stays due, and no longer once it is refunded', async () => {
	const { eventId, competitionId } = await makeEvent({ maxEntries: 1 });
	const { data } = await enterWith(eventId, competitionId, 1);
	const waiting = await enterWith(eventId, competitionId, 0);
	await passDeadline(eventId);
	const noRefund = ({ checks }: Entry) => checks.map(({ code, rule }) => `${code} ${rule?.paragraph}`);
	const ended = await desk.end(data);
	// The waiting entry has taken the place, so that all was refunded.
	expect([(await read(waiting.data)).status, noRefund(ended.data), ended.data.amountDue]).toEqual([
		'ACCEPTED',
		[],
		0,
	]);
	const { id } = (await desk.end(await read(waiting.data))).data;
	expect(noRefund(await read({ ...waiting.data, id }))).toEqual([]);
	const free = await makeEvent();
	const alone = await enterWith(free.eventId, free.competitionId, 0);
	await passDeadline(free.eventId);
	const withdrawn = await desk.end(alone.data);
	expect([noRefund(withdrawn.data), withdrawn.data.amountDue]).toEqual([['NO_REFUND 28.7'], 4_300]);
	await call('POST', `/api/events/${free.eventId}/cancel`, {
		token: desk.organiser,
		body: { reason: 'Regen' },
	});
	const refunded = await read(alone.data);
	expect([noRefund(refunded), refunded.amountDue]).toEqual([[], 0]);
});

test('amounts have the currency of the event, which stays once it has an entry', async () => {
	const { eventId, competitionId } = await makeEvent({ currency: 'CHF' });
	const { data } = await enterWith(eventId, competitionId, 0);
	expect(data.currency).toBe('CHF');
	const competition = await call<{ currency: string }>(
		'GET',
		`/api/events/${eventId}/competitions/${competitionId}`,
	);
	expect(competition.data.currency).toBe('CHF');
	const patchEvent = (id: string, currency: string) =>
		call<{ fees: { currency: string } }>('PATCH', `/api/events/${id}`, {
			token: events.officer,
			body: { fees: { currency } },
		});
	const refused = await patchEvent(eventId, 'EUR');
	expect([refused.status, (await patchEvent(eventId, 'XXX')).status]).toEqual([400, 400]);
	const empty = await makeEvent();
	expect((await patchEvent(empty.eventId, 'CZK')).data.fees.currency).toBe('CZK');
	const row = events.db.selectFrom('competitions').select('currency').where('id', '=', empty.competitionId);
	expect(await row.executeTakeFirst()).toEqual({ currency: 'CZK' });
});

describe('a late withdrawal', () => {
	const full = async (maxEntries: number) => {
		const { eventId, competitionId } = await makeEvent({ maxEntries });
		const entries: Entry[] = [];
		for (let made = 0; made < maxEntries; made += 1) entries.push(await desk.enter(eventId, [competitionId]));
		return { eventId, competitionId, entries };
	};
	const late = (eventId: string, competitionId: string) =>
		call<Entry>('POST', path(eventId), { token: desk.organiser, body: desk.pair(competitionId) });

	test('owes nothing once its place is filled by an entry of the waiting list', async () => {
		const { eventId, competitionId, entries } = await full(1);
		await desk.enter(eventId, [competitionId]);
		await passDeadline(eventId);
		const { data } = await desk.end(entries[0] as Entry);
		expect([data.status, data.amountDue, data.ledger.at(-1)]).toEqual([
			'WITHDRAWN',
			0,
			expect.objectContaining({ kind: 'REFUND', amount: -4_300, bookedBy: null }),
		]);
	});

	test('owes its fees until a late entry fills its place, and each place is filled once', async () => {
		const { eventId, competitionId, entries } = await full(2);
		await passDeadline(eventId);
		for (const entry of entries) expect((await desk.end(entry)).data.amountDue).toBe(4_300);
		expect((await late(eventId, competitionId)).data.status).toBe('ACCEPTED');
		const dues = async () => Promise.all(entries.map(async (entry) => (await read(entry)).amountDue));
		// The second withdrawal left a place that was free already.
		expect(await dues()).toEqual([0, 4_300]);
		await late(eventId, competitionId);
		expect(await dues()).toEqual([0, 4_300]);
	});

	// The first promoted entry had no competition in common with a withdrawn one, which ended the search.
	test('of one competition is refunded by a promotion to it, whatever else is promoted', async () => {
		const { eventId, competitionId } = await makeEvent({}, 1);
		const other = await stage.competition(eventId, { maxStarters: 1 });
		const [left] = [await desk.enter(eventId, [competitionId]), await desk.enter(eventId, [other])];
		await desk.enter(eventId, [other]);
		await desk.enter(eventId, [competitionId]);
		await passDeadline(eventId);
		await events.db.updateTable('competitions').set({ maxStarters: 2 }).where('id', '=', other).execute();
		expect((await desk.end(left as Entry)).data.amountDue).toBe(0);
	});

	// Both had a competition in common with the promoted entry, and the earlier one was refunded.
	test('of a full competition is refunded by a promotion to it, not one from another', async () => {
		const { eventId, competitionId } = await makeEvent({}, 1);
		const other = await stage.competition(eventId, { maxStarters: 1 });
		const open = await stage.competition(eventId);
		const [first, second] = [
			await desk.enter(eventId, [other, open]),
			await desk.enter(eventId, [competitionId]),
		];
		const waiting = await desk.enter(eventId, [competitionId, open]);
		await passDeadline(eventId);
		for (const entry of [first, second]) await desk.end(entry);
		expect((await read(waiting)).status).toBe('ACCEPTED');
		expect([(await read(first)).amountDue, (await read(second)).amountDue]).toEqual([6_100, 0]);
	});

	// Any accepted entry refunded it if the number of entries was limited.
	test('of a full competition is not refunded by an entry in another one of an event with free places', async () => {
		const { eventId, competitionId } = await makeEvent({ maxEntries: 5 }, 1);
		const left = await desk.enter(eventId, [competitionId]);
		await passDeadline(eventId);
		await desk.end(left);
		expect((await late(eventId, await stage.competition(eventId))).status).toBe(201);
		expect((await read(left)).amountDue).toBe(4_300);
		await late(eventId, competitionId);
		expect((await read(left)).amountDue).toBe(0);
	});

	test('of the last box is refunded by an entry with one, in whatever competition', async () => {
		const { eventId, competitionId } = await makeEvent({ maxBoxes: 1 });
		const left = (await enterWith(eventId, competitionId, 1)).data;
		await passDeadline(eventId);
		await desk.end(left);
		await late(eventId, competitionId);
		expect((await read(left)).amountDue).toBe(4_300);
		await enterWith(eventId, await stage.competition(eventId), 1);
		expect((await read(left)).amountDue).toBe(0);
	});

	test('stays due where places were free anyway', async () => {
		const { eventId, competitionId } = await makeEvent({ maxEntries: 5 });
		const entry = await desk.enter(eventId, [competitionId]);
		await passDeadline(eventId);
		await desk.end(entry);
		await late(eventId, competitionId);
		expect((await read(entry)).amountDue).toBe(4_300);
	});

	test('a withdrawal and the cancellation of the event at once leave nothing due', async () => {
		const { eventId, competitionId, entries } = await full(3);
		await desk.enter(eventId, [competitionId]);
		await passDeadline(eventId);
		const cancel = () =>
			call<Entry>('POST', `/api/events/${eventId}/cancel`, {
				token: desk.organiser,
				body: { reason: 'Hochwasser' },
			});
		const responses = await Promise.all([desk.end(entries[0] as Entry), cancel()]);
		// A withdrawal after the cancellation finds the entry ended.
		expect([200, 409]).toContain(responses[0]?.status);
		expect(responses[1]?.status).toBe(200);
		expect((await desk.stored(eventId)).map(({ amountDue }) => amountDue)).toEqual([0, 0, 0, 0]);
		expect(await unbalanced()).toEqual([]);
	});

	test('three withdrawals at once with two waiting refund two', async () => {
		const { eventId, competitionId, entries } = await full(3);
		for (let waiting = 0; waiting < 2; waiting += 1) await desk.enter(eventId, [competitionId]);
		await passDeadline(eventId);
		await Promise.all(entries.map((entry) => desk.end(entry)));
		const rows = await desk.stored(eventId);
		expect(rows.map(({ status, amountDue }) => `${status} ${amountDue}`).sort()).toEqual([
			'ACCEPTED 4300',
			'ACCEPTED 4300',
			'WITHDRAWN 0',
			'WITHDRAWN 0',
			'WITHDRAWN 4300',
		]);
		expect(await unbalanced()).toEqual([]);
	});
});
