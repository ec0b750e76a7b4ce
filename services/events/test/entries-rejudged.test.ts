import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { eventually } from '@paddock/testing';
import { sql } from 'kysely';
import type { Competition } from '../src/competitions/schemas.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { Event } from '../src/events/view-schemas.ts';
import type { AgeClassRecord } from '../src/peers/records.ts';
import { useEntryDesk } from './use-events.ts';

const { events, desk, stage } = useEntryDesk();

const ageClass = (code: string, minAge: number, maxAge: number | null): AgeClassRecord => ({
	code,
	category: 'RIDER',
	discipline: null,
	minAge,
	maxAge,
	validFrom: null,
	validTo: null,
});

let eventId: string;
let competitionId: string;

beforeAll(() => {
	events.peers.ageClasses.push(ageClass('YOUTH', 8, 15), ageClass('GENERAL', 19, null));
});

beforeEach(async () => {
	eventId = await stage.event();
	competitionId = await stage.competition(eventId);
});

const base = () => `/api/events/${eventId}`;
const token = () => events.officer;

/** A rider of 34 years on a horse of ten, unless changed. */
async function enter(
	starts = [competitionId],
	rider: Parameters<typeof stage.member>[0] = {},
	horse: Parameters<typeof stage.horse>[0] = {},
): Promise<Entry> {
	const { data, status, text } = await events.call<Entry>('POST', `${base()}/entries`, {
		token: token(),
		body: {
			riderMemberId: stage.member(rider).id,
			horseId: stage.horse(horse).id,
			starts: starts.map((id) => ({ competitionId: id })),
		},
	});
	if (status !== 201) throw new Error(text);
	return data;
}

async function read({ id }: Pick<Entry, 'id'>): Promise<Entry> {
	return (await events.call<Entry>('GET', `${base()}/entries/${id}`, { token: token() })).data;
}

const findings = ({ checks }: Pick<Entry, 'checks'>) => checks.map(({ level, code }) => `${level} ${code}`);

async function putCompetition(changes: object, id = competitionId) {
	const path = `${base()}/competitions/${id}`;
	const { data } = await events.call<Competition>('GET', path, { token: token() });
	const { number, name, discipline, level, date, ageClasses, horseMinAge, ponyOnly, maxStarters } = data;
	const body = { number, name, discipline, level, date, ageClasses, horseMinAge, ponyOnly, maxStarters };
	return events.call<Competition>('PUT', path, {
		token: token(),
		body: { ...body, arenaId: null, startFee: data.startFee, ...changes },
	});
}

async function putEvent(changes: object) {
	const { data } = await events.call<Event>('GET', base(), { token: token() });
	return events.call<Event>('PUT', base(), { token: token(), body: { ...data, ...changes } });
}

const concerned = (changed: Pick<Event, 'entriesNeedingAttention'>) =>
	changed.entriesNeedingAttention?.items.map(({ id }) => id);

async function listed(query: string): Promise<string[]> {
	const { data } = await events.call<Page<Entry>>('GET', query, { token: token() });
	return data.items.map(({ id }) => id);
}

// Entries stayed ACCEPTED without a remark, whatever became of the rules that they were accepted under.
describe('a change of a competition judges its entries again', () => {
	test.each<[string, object, object, string]>([
		['ponies only', { ponyOnly: true }, { ponyOnly: false }, 'NOT_A_PONY'],
		['other age classes', { ageClasses: ['YOUTH'] }, { ageClasses: [] }, 'AGE_CLASS_MISMATCH'],
		['older horses', { horseMinAge: 11 }, { horseMinAge: 10 }, 'HORSE_TOO_YOUNG'],
		['a higher level', { level: 'M', horseMinAge: 12 }, { level: 'L', horseMinAge: null }, 'HORSE_TOO_YOUNG'],
	])('to %s, and again when it is changed back', async (_name, change, back, code) => {
		const entry = await enter();
		const fits = await enter([await stage.competition(eventId)]);
		const { status, data } = await putCompetition(change);
		expect([status, concerned(data), data.entriesNeedingAttention?.total]).toEqual([200, [entry.id], 1]);
		expect(data.entriesNeedingAttention?.items[0]).toMatchObject({
			entryNumber: 1,
			status: 'ACCEPTED',
			riderName: 'Eva Zügelbauer',
			horseName: 'Lärchenglut',
			checks: [{ code, level: 'ERROR' }],
		});
		const changed = await read(entry);
		expect([changed.status, changed.version, changed.needsAttention]).toEqual(['ACCEPTED', 2, true]);
		expect(findings(changed)).toEqual([`ERROR ${code}`]);
		expect(await read(fits)).toEqual(fits);
		for (const list of [`${base()}/entries`, '/api/events/entries'])
			expect(await listed(`${list}?needsAttention=true`)).toEqual([entry.id]);
		expect(await listed(`${base()}/entries?needsAttention=false`)).toEqual([fits.id]);

		const restored = await putCompetition(back);
		expect(restored.data.entriesNeedingAttention).toEqual({ total: 0, items: [] });
		const cleared = await read(entry);
		expect([cleared.checks, cleared.needsAttention]).toEqual([[], false]);
		expect(await listed(`/api/events/entries?needsAttention=true`)).toEqual([]);
	});

	test('and one that changes nothing for them does not touch them', async () => {
		const entry = await enter([competitionId], { feePaidForYear: null, homeClubId: null });
		expect(findings(entry)).toEqual(['WARNING FEE_UNPAID', 'WARNING HOME_CLUB_MISSING']);
		await putCompetition({ name: 'Neuer Name', maxStarters: 90 });
		await putEvent({ name: 'Neuer Name', description: 'Neu' });
		expect(await read(entry)).toEqual(entry);
	});

	test('by the day of entry: what became of rider and horse since is not looked up', async () => {
		const entry = await enter([competitionId], { dateOfBirth: '2012-05-01' });
		events.peers.members.delete(entry.riderMemberId);
		events.peers.horses.delete(entry.horseId);
		await putCompetition({ ageClasses: ['YOUTH'] });
		expect((await read(entry)).checks).toEqual([]);
		await putCompetition({ ageClasses: ['GENERAL'] });
		expect(findings(await read(entry))).toEqual(['ERROR AGE_CLASS_MISMATCH']);
	});

	test('clears findings in a competition that is cancelled', async () => {
		const entry = await enter([competitionId, await stage.competition(eventId)]);
		await putCompetition({ ponyOnly: true });
		expect((await read(entry)).needsAttention).toBe(true);
		await events.call('POST', `${base()}/competitions/${competitionId}/cancel`, { token: token() });
		expect(await read(entry)).toMatchObject({ status: 'ACCEPTED', checks: [], needsAttention: false });
	});

	test('to another day marks them, and lets them withdraw free of charge', async () => {
		const entry = await enter();
		await putCompetition({ date: '2026-10-25' });
		const moved = await read(entry);
		expect(findings(moved)).toEqual(['WARNING DATE_CHANGED']);
		expect(moved.checks[0]?.message).toMatch(/was moved from 2026-10-24 to 2026-10-25\.$/);
		expect([moved.needsAttention, moved.freeWithdrawalUntil]).toEqual([false, '2026-10-22T22:00:00.000Z']);
	});
});

describe('a change of the event judges its entries again', () => {
	test('by the age classes of its new first day', async () => {
		eventId = await stage.event({ startDate: '2026-12-31', endDate: '2027-01-02' });
		competitionId = await stage.competition(eventId, { date: '2027-01-01', ageClasses: ['YOUTH'] });
		const entry = await enter([competitionId], { dateOfBirth: '2011-03-01', feePaidForYear: 2026 });
		expect(entry).toMatchObject({ checks: [], rider: { ageClasses: ['YOUTH'] } });
		const { data } = await putEvent({ startDate: '2027-01-01' });
		expect(concerned(data)).toEqual([entry.id]);
		const changed = await read(entry);
		expect(changed.rider?.ageClasses).toEqual([]);
		expect(findings(changed)).toEqual([
			'WARNING FEE_UNPAID',
			'WARNING HORSE_FEE_UNPAID',
			'ERROR AGE_CLASS_MISMATCH',
		]);
		await putEvent({ startDate: '2026-12-31' });
		expect(await read(entry)).toMatchObject({ checks: [], rider: { ageClasses: ['YOUTH'] } });
	});
});

describe('an entry with an error', () => {
	test('is withdrawn free of charge after the entry deadline', async () => {
		const entry = await enter();
		await putCompetition({ ponyOnly: true });
		const passed = { entriesOpenAt: null, entryDeadline: new Date('2026-09-15T09:59:59Z') };
		await events.db.updateTable('events').set(passed).where('id', '=', eventId).execute();
		expect((await desk.end(entry)).data).toMatchObject({
			status: 'WITHDRAWN',
			amountDue: 0,
			needsAttention: false,
		});
	});

	test('gets no place from the waiting list', async () => {
		await events.db.updateTable('events').set({ maxEntries: 1 }).where('id', '=', eventId).execute();
		const first = await enter([await stage.competition(eventId)]);
		const second = await enter();
		const third = await enter([await stage.competition(eventId)]);
		await putCompetition({ ponyOnly: true });
		await desk.end(first);
		expect(await desk.standing(eventId)).toEqual(['1 WITHDRAWN', '2 WAITLISTED 1', '3 ACCEPTED']);
		await desk.end(third);
		await putCompetition({ ponyOnly: false });
		expect((await read(second)).status).toBe('ACCEPTED');
	});

	test('has none after its start is replaced by another', async () => {
		const other = await stage.competition(eventId);
		const entry = await enter();
		await putCompetition({ ponyOnly: true });
		const put = (...ids: string[]) =>
			events.call<Entry>('PUT', `${base()}/entries/${entry.id}`, {
				token: token(),
				body: { starts: ids.map((id) => ({ competitionId: id })) },
			});
		expect(findings((await put(competitionId, other)).data)).toEqual(['ERROR NOT_A_PONY']);
		expect((await put(other)).data).toMatchObject({ checks: [], needsAttention: false });
	});

	test('needs no attention once the event is over', async () => {
		const entry = await enter();
		await putCompetition({ ponyOnly: true });
		const over = { startsAt: new Date('2026-09-13'), endsAt: new Date('2026-09-14') };
		await events.db.updateTable('events').set(over).where('id', '=', eventId).execute();
		expect((await read(entry)).needsAttention).toBe(false);
		expect(await listed(`${base()}/entries?needsAttention=true`)).toEqual([]);
	});
});

describe('when other services are down', () => {
	const withoutFacts = () =>
		events.db.updateTable('entries').set({ judgedBy: null }).where('eventId', '=', eventId).execute();

	test('changes succeed; what cannot be judged is named, and judged when they respond', async () => {
		const entry = await enter();
		await withoutFacts();
		for (const service of ['members-service', 'horses-service', 'masterdata-service'] as const)
			await events.peers.kill(service);
		const changes = { ponyOnly: true, horseMinAge: 11 };
		const { status, data } = await putCompetition(changes);
		expect([status, concerned(data)]).toEqual([200, [entry.id]]);
		expect(findings(await read(entry))).toEqual(['ERROR HORSE_TOO_YOUNG', 'WARNING NOT_RECHECKED']);
		for (const service of ['members-service', 'horses-service', 'masterdata-service'] as const)
			await events.peers.recover(service);
		// Every instance begins with a pass.
		await events.another();
		await eventually('the entry is judged', async () =>
			findings(await read(entry)).includes('ERROR NOT_A_PONY'),
		);
		expect(findings(await read(entry))).toEqual(['ERROR HORSE_TOO_YOUNG', 'ERROR NOT_A_PONY']);
	});

	test('entries of before the data were stored are judged by the present ones', async () => {
		const entry = await enter();
		await withoutFacts();
		await putCompetition({ ponyOnly: true, ageClasses: ['YOUTH'] });
		expect(findings(await read(entry))).toEqual(['ERROR AGE_CLASS_MISMATCH', 'ERROR NOT_A_PONY']);
		const [row] = await desk.stored(eventId);
		expect(row?.judgedBy).toMatchObject({ riderBirthYear: 1992, horseIsPony: false });
	});

	test('a change does not wait for a service that hangs longer than for its timeout', async () => {
		await enter();
		await withoutFacts();
		for (const service of ['members-service', 'horses-service'] as const) events.peers.hang(service);
		expect((await putCompetition({ name: 'Anders' })).status).toBe(200);
		for (const service of ['members-service', 'horses-service'] as const) await events.peers.recover(service);
	});
});

// The starts of other entries and events were left out, so that a move made a fourth start of a day unseen.
describe('the starts of a horse elsewhere count when an entry is judged again', () => {
	const tooMany = 'ERROR HORSE_TOO_MANY_STARTS';

	test('at another event on the new day', async () => {
		const other = await stage.event();
		const jump = await stage.competition(other, { date: '2026-10-23' });
		const horse = stage.horse();
		const { id } = await enter([competitionId], {}, horse);
		const elsewhere = await events.call<Entry>('POST', `/api/events/${other}/entries`, {
			token: token(),
			body: { riderMemberId: stage.member().id, horseId: horse.id, starts: [{ competitionId: jump }] },
		});
		expect(elsewhere.status).toBe(201);
		await putCompetition({ date: '2026-10-23' });
		expect(findings(await read({ id }))).toEqual(['ERROR HORSE_AT_TWO_EVENTS', 'WARNING DATE_CHANGED']);
		await putCompetition({ date: '2026-10-24' });
		expect(findings(await read({ id }))).toEqual(['WARNING DATE_CHANGED']);
	});

	test('of another entry of the same horse', async () => {
		const horse = stage.horse();
		const free = (date: string) => stage.competition(eventId, { kind: 'LICENCE_FREE', level: 'E', date });
		const early = await Promise.all(['2026-10-23', '2026-10-23', '2026-10-23'].map(free));
		const late = await free('2026-10-25');
		const first = await enter(early, {}, horse);
		const second = await enter([late], {}, horse);
		expect([findings(first), findings(second)]).toEqual([[], []]);
		await putCompetition({ date: '2026-10-23', prizes: [] }, late);
		expect([findings(await read(first)), findings(await read(second))]).toEqual([
			[tooMany],
			[tooMany, 'WARNING DATE_CHANGED'],
		]);
		await putCompetition({ date: '2026-10-25' }, late);
		expect(findings(await read(first))).toEqual([]);
	});

	// A licence-free competition admits several riders of a horse (§55.1.2); the change of its kind was not judged.
	test('in the same competition, where the rules no longer allow a second rider', async () => {
		const horse = stage.horse();
		const free = await stage.competition(eventId, { kind: 'LICENCE_FREE' });
		const both = [await enter([free], {}, horse), await enter([free], {}, horse)];
		const changed = await putCompetition({ kind: 'STANDARD' }, free);
		expect([changed.status, concerned(changed.data)]).toEqual([200, both.map(({ id }) => id)]);
		const twice = 'ERROR HORSE_TWICE_IN_COMPETITION';
		for (const entry of both) expect(findings(await read(entry))).toEqual([twice]);
		await putCompetition({ kind: 'LICENCE_FREE' }, free);
		for (const entry of both) expect(findings(await read(entry))).toEqual([]);
	});
});

// The finding stayed until the next change of the event, and kept the entry from a place.
describe('an entry that another one of its horse excluded is judged again', () => {
	const twice = 'ERROR HORSE_TWICE_IN_COMPETITION';

	/** Two entries of a horse in a competition that no longer admits two riders, and another competition of the first one. */
	async function excluding() {
		const horse = stage.horse();
		const free = await stage.competition(eventId, { kind: 'LICENCE_FREE' });
		const other = await stage.competition(eventId, { kind: 'LICENCE_FREE' });
		const [first, second] = [await enter([free, other], {}, horse), await enter([free], {}, horse)];
		await putCompetition({ kind: 'STANDARD' }, free);
		expect(findings(await read(second))).toEqual([twice]);
		return { first, second, other };
	}

	test('once that one ended, and gets its place', async () => {
		await events.db.updateTable('events').set({ maxEntries: 1 }).where('id', '=', eventId).execute();
		const { first, second } = await excluding();
		await desk.end(first);
		const { status, checks, version } = await read(second);
		expect([status, findings({ checks }), version]).toEqual(['ACCEPTED', [], 4]);
	});

	test('once that one has no start in the competition', async () => {
		const { first, second, other } = await excluding();
		const body = { starts: [{ competitionId: other }] };
		const changed = await events.call('PATCH', `${base()}/entries/${first.id}`, { token: token(), body });
		expect([changed.status, findings(await read(second))]).toEqual([200, []]);
	});

	test('once that one is passed to another horse', async () => {
		const { first, second } = await excluding();
		const body = { horseId: stage.horse().id };
		const swapped = await events.call('POST', `${base()}/entries/${first.id}/swap`, { token: token(), body });
		expect([swapped.status, findings(await read(second))]).toEqual([200, []]);
	});

	test('for nothing else, as other services are not called', async () => {
		const { first, second } = await excluding();
		await events.db
			.updateTable('competitions')
			.set({ ponyOnly: true, ageClasses: ['YOUTH'] })
			.where('eventId', '=', eventId)
			.execute();
		await desk.end(first);
		expect(findings(await read(second))).toEqual([]);
	});
});

test('a rider starts in one championship of a discipline and a year', async () => {
	const part = (championship: string) => stage.competition(eventId, { championship });
	const [juniors, under25] = [await part('ÖM Junioren'), await part('ÖM U25')];
	const rider = stage.member();
	await enter([juniors], rider);
	const body = (riderMemberId: string) => ({
		riderMemberId,
		horseId: stage.horse().id,
		starts: [{ competitionId: under25 }],
	});
	for (const { id } of [rider, stage.member({ nationality: 'DE' })]) {
		const { status, data } = await events.call('POST', `${base()}/entries`, {
			token: token(),
			body: body(id),
		});
		expect([status, (data['checks'] as Entry['checks']).map(({ code }) => code)]).toEqual([
			422,
			['CHAMPIONSHIP_NOT_ALLOWED'],
		]);
	}
	const passed = await events.call<Entry>('POST', `${base()}/entries`, {
		token: token(),
		body: {
			...body(rider.id),
			overrides: [{ code: 'CHAMPIONSHIP_NOT_ALLOWED', reason: 'Doppelstart genehmigt' }],
		},
	});
	expect(passed.status).toBe(201);
	await putCompetition({ name: 'Anders' });
	expect(findings(await read(passed.data))).toEqual(['WARNING CHAMPIONSHIP_NOT_ALLOWED']);
});

test('five hundred entries are judged in one change', async () => {
	const { id } = await enter([competitionId, await stage.competition(eventId)]);
	await sql`
		insert into entries select (jsonb_populate_record(entries, jsonb_build_object(
			'id', gen_random_uuid(), 'horse_id', gen_random_uuid(), 'entry_number', number
		))).* from entries, generate_series(2, 500) as number where id = ${id}`.execute(events.db);
	await sql`
		insert into starts select entries.id, starts.competition_id, starts.status, entries.horse_id,
			starts.rider_member_id, starts.start_fee
		from starts, entries where starts.entry_id = ${id} and entries.event_id = ${eventId} and entries.id <> ${id}`.execute(
		events.db,
	);
	const { data } = await putCompetition({ ponyOnly: true, ageClasses: ['YOUTH'] });
	expect([data.entriesNeedingAttention?.total, data.entriesNeedingAttention?.items.length]).toEqual([
		500, 200,
	]);
});
