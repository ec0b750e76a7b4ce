import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { EntryVerdict } from '../src/entries/schemas.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { call, desk, stage } = useEntryDesk();

let eventId: string;
let path: string;

beforeEach(async () => {
	eventId = await stage.event();
	path = `/api/events/${eventId}/entries`;
});

function enter(...competitionIds: string[]): Promise<Entry> {
	return desk.enter(eventId, competitionIds);
}

describe('POST /events/{id}/entries/check', () => {
	test('says the same as an entry would, and stores nothing', async () => {
		const competitionId = await stage.competition(eventId, { maxStarters: 1 });
		const check = (body: object) =>
			call<EntryVerdict>('POST', `${path}/check`, { token: desk.organiser, body });
		const free = await check(desk.pair(competitionId));
		expect(free.data).toEqual({
			acceptable: true,
			checks: [],
			amountDue: 4_300,
			currency: 'EUR',
			wouldBe: 'ACCEPTED',
		});
		expect(await desk.stored(eventId)).toEqual([]);
		await enter(competitionId);
		expect((await check(desk.pair(competitionId))).data.wouldBe).toBe('WAITLISTED');
		const rider = stage.member({ status: 'PENDING' });
		const refused = await check({ ...desk.pair(competitionId, randomUUID()), riderMemberId: rider.id });
		expect(refused.status).toBe(200);
		expect(refused.data).toMatchObject({
			acceptable: false,
			amountDue: 4_300,
			wouldBe: null,
			checks: [{ code: 'RIDER_NOT_ACTIVE' }, { code: 'COMPETITION_UNKNOWN' }],
		});
		expect(await desk.stored(eventId)).toHaveLength(1);
	});
});

describe('GET /events/{id}/entries', () => {
	test('filters, sorts and pages', async () => {
		const first = await stage.competition(eventId);
		const second = await stage.competition(eventId, { maxStarters: 1 });
		const rider = stage.member({ firstName: 'Änne', lastName: 'Aschenwald' });
		const one = await enter(first);
		const two = await enter(first, second);
		const { data: three } = await call<Entry>('POST', path, {
			token: desk.organiser,
			body: { ...desk.pair(second), riderMemberId: rider.id },
		});
		await call('POST', `${path}/${one.id}/withdraw`, { token: desk.organiser });
		const numbers = async (query: string) => {
			const { data } = await call<Page<Entry>>('GET', `${path}?${query}`, { token: desk.organiser });
			return data.items.map(({ entryNumber }) => entryNumber);
		};
		expect(await numbers('')).toEqual([1, 2, 3]);
		expect(await numbers('status=WAITLISTED')).toEqual([3]);
		expect(await numbers('status=WITHDRAWN')).toEqual([1]);
		expect(await numbers('type=LATE')).toEqual([]);
		expect(await numbers(`competitionId=${first}`)).toEqual([1, 2]);
		expect(await numbers(`competitionId=${second}&status=ACCEPTED`)).toEqual([2]);
		expect(await numbers(`riderMemberId=${rider.id}`)).toEqual([3]);
		expect(await numbers(`horseId=${two.horseId}`)).toEqual([2]);
		expect(await numbers('sort=-entryNumber&size=2')).toEqual([3, 2]);
		expect(await numbers('sort=riderName,-entryNumber')).toEqual([3, 2, 1]);
		expect(await numbers('sort=-entryNumber&limit=1&offset=2')).toEqual([1]);
		expect(three.position).toBe(1);
		const bad = await call('GET', `${path}?status=LOST&sort=colour&size=201`, { token: desk.organiser });
		expect([bad.status, bad.data.errors?.map(({ field }) => field).sort()]).toEqual([
			400,
			['size', 'sort', 'status'],
		]);
		expect((await call('GET', `/api/events/${randomUUID()}/entries`, { token: desk.organiser })).status).toBe(
			404,
		);
	});

	test('finds an entry under its own event only', async () => {
		const { id } = await enter(await stage.competition(eventId));
		const elsewhere = `/api/events/${await stage.event()}/entries/${id}`;
		expect((await call('GET', elsewhere, { token: desk.organiser })).status).toBe(404);
		expect((await call('POST', `${elsewhere}/withdraw`, { token: desk.organiser })).status).toBe(404);
		expect((await call('GET', `${path}/1`, { token: desk.organiser })).data.code).toBe('INVALID_ID');
	});
});
