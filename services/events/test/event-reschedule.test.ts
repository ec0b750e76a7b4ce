import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Competition } from '../src/competitions/schemas.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { Event } from '../src/events/view-schemas.ts';
import { atOnce } from './at-once.ts';
import { useOffice } from './use-events.ts';

const { events, call, office, stage } = useOffice();

const path = '/api/events';

function reschedule(id: string, body: object, headers: Record<string, string> = {}, token = events.officer) {
	return call<Event & { code: string; [context: string]: unknown }>('POST', `${path}/${id}/reschedule`, {
		token,
		headers,
		body,
	});
}

async function daysOf(id: string): Promise<[number, string, number][]> {
	const { data } = await call<Page<Competition>>('GET', `${path}/${id}/competitions`, {
		token: events.officer,
	});
	return data.items.map(({ number, date, version }) => [number, date, version]);
}

async function read(id: string): Promise<Event> {
	return (await call<Event>('GET', `${path}/${id}`, { token: events.officer })).data;
}

/** Of three days, with a competition on each, the first of them numbered 1. */
async function published(): Promise<Event> {
	const { id } = await office.draft();
	for (const [index, date] of ['2026-10-23', '2026-10-24', '2026-10-25'].entries())
		await office.competition(id, { number: index + 1, date });
	const { status, data } = await office.step(id, 'publish');
	expect(status).toBe(200);
	return data;
}

async function enter(eventId: string, rider: Parameters<typeof stage.member>[0] = {}): Promise<Entry> {
	const competitions = await call<Page<Competition>>('GET', `${path}/${eventId}/competitions`);
	const starts = competitions.data.items.map(({ id }) => ({ competitionId: id }));
	const { data, status, text } = await call<Entry>('POST', `${path}/${eventId}/entries`, {
		token: events.officer,
		body: { riderMemberId: stage.member(rider).id, horseId: stage.horse().id, starts },
	});
	if (status !== 201) throw new Error(text);
	return data;
}

// Postponing an event with fifteen competitions took 34 PUTs, because event and competitions restrict each other's days.
describe('POST /events/{id}/reschedule', () => {
	test('moves event, competitions and deadlines in one change; deadlines keep their local time', async () => {
		const { updatedAt: _u, ...before } = await published();
		const { id, version } = before;
		// Entries until 12 October, 23:59 in Vienna, in summer time.
		const { status, data, headers } = await reschedule(id, { startDate: '2027-02-26' });
		expect([status, headers.get('etag')?.slice(0, 3)]).toEqual([200, `"${version + 1}.`]);
		const { updatedAt: _, ...after } = data;
		expect(after).toEqual({
			...before,
			startDate: '2027-02-26',
			endDate: '2027-02-28',
			entryDeadline: '2027-02-15T22:59:00.000Z',
			lateEntryUntil: '2027-02-22T22:59:00.000Z',
			version: version + 1,
			entriesNeedingAttention: { total: 0, items: [] },
		});
		expect(await daysOf(id)).toEqual([
			[1, '2027-02-26', 2],
			[2, '2027-02-27', 2],
			[3, '2027-02-28', 2],
		]);
		const row = events.db.selectFrom('events').select(['startsAt', 'endsAt']).where('id', '=', id);
		expect(await row.executeTakeFirst()).toEqual({
			startsAt: new Date('2027-02-25T23:00:00Z'),
			endsAt: new Date('2027-02-28T23:00:00Z'),
		});
		const calendar = await (await fetch(`${events.url}${path}/calendar.ics`)).text();
		const [entry = ''] = calendar.split('BEGIN:VEVENT').filter((text) => text.includes(id));
		expect(entry).toContain(`SEQUENCE:${version}\r\n`);
		expect(entry).toContain('DTSTART;VALUE=DATE:20270226');
	});

	test('moves an opening of entries that has not passed', async () => {
		const { id } = await office.draft({ entriesOpenAt: '2026-10-01T06:00:00Z' });
		const { status, data } = await reschedule(id, { startDate: '2027-02-26' });
		expect([status, data.entriesOpenAt]).toEqual([200, '2027-02-04T07:00:00.000Z']);
	});

	test('takes other values for what must not move along', async () => {
		const { id } = await published();
		const [first, , third] = (await call<Page<Competition>>('GET', `${path}/${id}/competitions`)).data.items;
		const { status, data } = await reschedule(id, {
			startDate: '2026-11-06',
			endDate: '2026-11-07',
			entriesOpenAt: '2026-09-01T06:00:00Z',
			entryDeadline: '2026-11-01T12:00:00+01:00',
			lateEntryUntil: null,
			competitions: [
				{ competitionId: third?.id, date: '2026-11-06' },
				{ competitionId: first?.id, date: '2026-11-07' },
			],
		});
		expect([status, data]).toMatchObject([
			200,
			{
				status: 'REGISTRATION_OPEN',
				endDate: '2026-11-07',
				entriesOpenAt: '2026-09-01T06:00:00.000Z',
				entryDeadline: '2026-11-01T11:00:00.000Z',
				lateEntryUntil: null,
			},
		]);
		expect((await daysOf(id)).map(([, date]) => date)).toEqual(['2026-11-07', '2026-11-07', '2026-11-06']);
	});

	test('may overlap the present days', async () => {
		const { id } = await published();
		expect((await reschedule(id, { startDate: '2026-10-24' })).status).toBe(200);
		expect((await daysOf(id)).map(([, date]) => date)).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
		expect((await reschedule(id, { startDate: '2026-10-22' })).status).toBe(200);
		expect((await daysOf(id)).map(([, date]) => date)).toEqual(['2026-10-22', '2026-10-23', '2026-10-24']);
	});

	test('moves a draft as well, by its organiser, and competitions that are off along with it', async () => {
		const { id } = await office.draft({ entriesOpenAt: null, entryDeadline: null, lateEntryUntil: null });
		const { id: off } = await office.competition(id, { number: 1, date: '2026-10-25' });
		await call('POST', `${path}/${id}/competitions/${off}/cancel`, { token: events.officer });
		const { status, data } = await reschedule(id, { startDate: '2026-12-05' }, {}, office.organiser);
		expect([status, data]).toMatchObject([
			200,
			{ status: 'DRAFT', endDate: '2026-12-07', entryDeadline: null },
		]);
		expect(data).not.toHaveProperty('entriesNeedingAttention');
		expect((await daysOf(id)).map(([, date]) => date)).toEqual(['2026-12-07']);
	});

	test('judges the entries again, marks them and lets them withdraw free of charge', async () => {
		const { id } = await office.draft();
		await office.competition(id, { date: '2026-10-23', ageClasses: ['JUNIOR'] });
		await office.step(id, 'publish');
		const grown = await enter(id, { dateOfBirth: '2008-03-01' });
		const young = await enter(id, { dateOfBirth: '2009-03-01' });
		const moved = await reschedule(id, {
			startDate: '2027-02-26',
			entryDeadline: '2026-09-15T09:00:00Z',
			entriesOpenAt: null,
		});
		expect(moved.status).toBe(200);
		expect(moved.data.entriesNeedingAttention).toMatchObject({ total: 1, items: [{ id: grown.id }] });
		const entries = await call<Page<Entry>>('GET', `${path}/${id}/entries`, { token: events.officer });
		const found = entries.data.items.map(({ checks, status, freeWithdrawalUntil }) => [
			status,
			freeWithdrawalUntil,
			...checks.map(({ level, code }) => `${level} ${code}`),
		]);
		const unpaid = ['WARNING FEE_UNPAID', 'WARNING HORSE_FEE_UNPAID'];
		const until = '2027-02-25T23:00:00.000Z';
		expect(found).toEqual([
			['ACCEPTED', until, ...unpaid, 'ERROR AGE_CLASS_MISMATCH', 'WARNING DATE_CHANGED'],
			['ACCEPTED', until, ...unpaid, 'WARNING DATE_CHANGED'],
		]);
		expect(entries.data.items[1]?.checks.at(-1)?.message).toBe(
			'The event was moved from 2026-10-23 to 2027-02-26.',
		);
		const withdrawn = await call<Entry>('POST', `${path}/${id}/entries/${young.id}/withdraw`, {
			token: events.officer,
		});
		expect(withdrawn.data).toMatchObject({ status: 'WITHDRAWN', amountDue: 0 });
		const back = await reschedule(id, { startDate: '2026-10-23' });
		expect(back.data.entriesNeedingAttention?.total).toBe(0);
		const { data } = await call<Entry>('GET', `${path}/${id}/entries/${grown.id}`, { token: events.officer });
		expect(data.checks.map(({ code }) => code)).toEqual(['DATE_CHANGED']);
	});

	test('changes nothing if the event is there already, or the request is repeated', async () => {
		const { id, version } = await published();
		await enter(id);
		const same = await reschedule(id, { startDate: '2026-10-23' });
		expect([same.status, same.data.version]).toEqual([200, version]);
		const key = { 'Idempotency-Key': randomUUID(), 'If-Match': `"${version}"` };
		const first = await reschedule(id, { startDate: '2026-10-30' }, key);
		expect([first.status, first.data.version]).toEqual([200, version + 1]);
		const again = await reschedule(id, { startDate: '2026-10-30' }, key);
		expect([again.status, again.data]).toEqual([200, first.data]);
		expect((await reschedule(id, { startDate: '2026-10-31' }, key)).data.code).toBe('IDEMPOTENCY_KEY_REUSED');
		const stale = await reschedule(id, { startDate: '2026-10-31' }, { 'If-Match': `"${version}"` });
		expect([stale.status, (await read(id)).startDate]).toEqual([412, '2026-10-30']);
	});

	test('of three at once with the same version one wins, with all of its dates', async () => {
		const { id, version } = await published();
		const at = (startDate: string) => () => reschedule(id, { startDate }, { 'If-Match': `"${version}"` });
		const responses = await atOnce(events, id, ['2026-11-06', '2026-11-13', '2026-11-20'].map(at));
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
		const { startDate } = await read(id);
		expect((await daysOf(id))[0]?.[1]).toBe(startDate);
	});
});

describe('an event is not moved', () => {
	const refused = async (id: string, body: object, token?: string) => {
		const before = [await read(id), await daysOf(id)];
		const { status, data } = await reschedule(id, body, {}, token);
		expect([await read(id), await daysOf(id)]).toEqual(before);
		return [
			status,
			data.code,
			...((data['errors'] as { field: string }[] | undefined) ?? []).map(({ field }) => field),
		];
	};

	test('by others than the office once it is published, or by strangers', async () => {
		const { id } = await published();
		expect(await refused(id, { startDate: '2026-10-30' }, office.organiser)).toEqual([403, 'FORBIDDEN']);
		expect(await refused(id, { startDate: '2026-10-30' }, office.stranger)).toEqual([403, 'OUT_OF_SCOPE']);
		const member = events.sign({ memberId: randomUUID() });
		expect(await refused(id, { startDate: '2026-10-30' }, member)).toEqual([403, 'FORBIDDEN']);
		expect((await reschedule(randomUUID(), { startDate: '2026-10-30' })).status).toBe(404);
	});

	test.each<[string, object, string[]]>([
		[
			'into the past',
			{
				startDate: '2026-09-14',
				entryDeadline: '2026-09-13T00:00:00Z',
				lateEntryUntil: null,
				entriesOpenAt: null,
			},
			['startDate'],
		],
		['so near that its entry deadline has passed', { startDate: '2026-09-20' }, ['entryDeadline']],
		['to more than fourteen days', { startDate: '2026-10-30', endDate: '2026-11-13' }, ['endDate']],
		['to an end before its start', { startDate: '2026-10-30', endDate: '2026-10-29' }, ['endDate']],
		[
			'with a deadline after its end',
			{ startDate: '2026-10-30', entryDeadline: '2026-11-02T00:00:00Z', lateEntryUntil: null },
			['entryDeadline'],
		],
		[
			'with deadlines out of order',
			{ startDate: '2026-10-30', lateEntryUntil: '2026-10-01T00:00:00Z' },
			['lateEntryUntil'],
		],
		['beyond the last possible day', { startDate: '2199-12-31' }, ['endDate']],
		['to a day that does not exist', { startDate: '2027-02-29' }, ['startDate']],
		['without a day', {}, ['startDate']],
		[
			'with an unknown competition',
			{
				startDate: '2026-10-30',
				competitions: [{ competitionId: '5a1f0d5e-3f6a-4c39-8a54-1f6f0e8d7c01', date: '2026-10-30' }],
			},
			['competitions[0].competitionId'],
		],
	])('%s', async (_case, body, fields) => {
		const { id } = await published();
		const [status, code, ...named] = await refused(id, body);
		expect([status, code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(named).toEqual(fields);
	});

	test('to fewer days than its competitions need', async () => {
		const { id } = await published();
		const { status, data } = await reschedule(id, { startDate: '2026-10-30', endDate: '2026-10-31' });
		expect([status, data['conflicts']]).toMatchObject([409, [{ number: 3, field: 'endDate' }]]);
		const competitionId = (data['conflicts'] as { competitionId: string }[])[0]?.competitionId;
		const beyond = {
			startDate: '2026-10-30',
			endDate: '2026-10-31',
			competitions: [{ competitionId, date: '2026-11-01' }],
		};
		expect(await refused(id, beyond)).toEqual([400, 'VALIDATION_ERROR', 'competitions[0].date']);
	});

	test('without an entry deadline once it is published', async () => {
		const { id } = await published();
		const body = { startDate: '2026-10-30', entryDeadline: null, lateEntryUntil: null };
		expect(await refused(id, body)).toEqual([422, 'EVENT_NOT_READY']);
	});

	test('once a competition has taken place, or the event is over', async () => {
		const { id } = await published();
		const begun = {
			startsAt: new Date('2026-09-14'),
			startDate: '2026-09-14',
			endDate: '2026-09-25',
			entriesOpenAt: null,
			entryDeadline: new Date('2026-09-10'),
			lateEntryUntil: null,
		};
		await events.db.updateTable('events').set(begun).where('id', '=', id).execute();
		const first = events.db.updateTable('competitions').where('eventId', '=', id).where('number', '=', 1);
		await first.set({ date: '2026-09-14' }).execute();
		expect(await refused(id, { startDate: '2026-11-06' })).toEqual([409, 'EVENT_HAS_BEGUN']);
		await office.step(id, 'cancel');
		expect(await refused(id, { startDate: '2026-11-06' })).toEqual([409, 'EVENT_CLOSED']);
	});

	test('on its first day, before a competition was over, it still is moved', async () => {
		const { id } = await published();
		const today = {
			startsAt: new Date('2026-09-14T22:00:00Z'),
			startDate: '2026-09-15',
			endDate: '2026-09-17',
			endsAt: new Date('2026-09-17T22:00:00Z'),
			entriesOpenAt: null,
			entryDeadline: new Date('2026-09-10'),
			lateEntryUntil: null,
		};
		await events.db.updateTable('events').set(today).where('id', '=', id).execute();
		await events.db
			.updateTable('competitions')
			.set({ date: '2026-09-15' })
			.where('eventId', '=', id)
			.execute();
		const { status, data } = await reschedule(id, { startDate: '2026-09-22' });
		expect([status, data.status]).toEqual([200, 'REGISTRATION_OPEN']);
	});
});
