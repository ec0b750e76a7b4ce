import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Event } from '../src/events/view-schemas.ts';
import { atOnce } from './at-once.ts';
import { setStage } from './stage.ts';
import { useOffice } from './use-events.ts';

const { events, call, office } = useOffice();

const path = '/api/events';

function stored(id: string) {
	return events.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
}

async function refusal(method: string, route: string, token: string | undefined, body?: unknown) {
	const { status, data } = await call(method, route, { token, ...(body === undefined ? {} : { body }) });
	return [status, data.code];
}

describe('PUT /events/{id}', () => {
	test('replaces a draft, and accepts the record as it was read', async () => {
		const read = await office.draft();
		const { status, data, headers } = await call<Event>('PUT', `${path}/${read.id}`, {
			token: office.organiser,
			headers: { 'If-Match': '"1"' },
			body: { ...read, name: 'Umbenannt', counts: { ...read.counts, entries: 3 } },
		});
		expect([status, headers.get('etag')?.slice(0, 3)]).toEqual([200, '"2.']);
		expect(data).toEqual({ ...read, name: 'Umbenannt', version: 2, updatedAt: data.updatedAt });
		expect(await stored(read.id)).toMatchObject({ name: 'Umbenannt', version: 2 });
	});

	test('refuses a stale version, and fields that the server sets', async () => {
		const read = await office.draft();
		const route = `${path}/${read.id}`;
		const stale = await call('PUT', route, {
			token: office.organiser,
			headers: { 'If-Match': '"2"' },
			body: office.body(),
		});
		expect([stale.status, stale.data.code]).toEqual([412, 'PRECONDITION_FAILED']);
		const forged = await call('PUT', route, {
			token: office.organiser,
			body: office.body({
				id: randomUUID(),
				status: 'PUBLISHED',
				version: 9,
				createdAt: '2020-01-01T00:00:00Z',
			}),
		});
		expect(forged.data.errors?.map(({ field }) => field).sort()).toEqual([
			'createdAt',
			'id',
			'status',
			'version',
		]);
		expect(await stored(read.id)).toMatchObject({ status: 'DRAFT', version: 1, name: 'Herbstturnier' });
	});

	test('requests nothing for unchanged references, so that it works while other services are unavailable', async () => {
		const read = await office.draft();
		const requested = () => [
			events.peers.requestsOf('masterdata-service').length,
			events.peers.requestsOf('members-service').length,
		];
		const before = requested();
		const kept = await call<Event>('PUT', `${path}/${read.id}`, {
			token: office.organiser,
			body: office.body({ name: 'Ohne Fragen' }),
		});
		expect([kept.status, requested()]).toEqual([200, before]);
		const venueId = office.venue({ name: 'Seeblick', timeZone: 'America/New_York' });
		const moved = await call<Event>('PUT', `${path}/${read.id}`, {
			token: office.organiser,
			body: office.body({ venueId }),
		});
		expect(moved.data.venue).toMatchObject({ id: venueId, name: 'Seeblick' });
		expect((await stored(read.id))?.startsAt).toEqual(new Date('2026-10-23T04:00:00Z'));
	});

	test('after the publication only the office changes announced fields', async () => {
		const { id, version, ...read } = await office.published();
		const { venue: _v, organiserClubName: _o, counts: _c, ...rest } = read;
		const { status: _s, entryWindow: _w, statusReason: _r, createdAt: _a, updatedAt: _u, ...body } = rest;
		const put = (token: string, changes: object) =>
			call('PUT', `${path}/${id}`, { token, body: { ...body, ...changes } });
		const harmless = { name: 'Neuer Name', description: 'Mehr', maxEntries: 200, isPublic: false };
		// The same instant in another notation is not a change.
		const sameInstant = { entryDeadline: '2026-10-12T23:59:00+02:00' };
		expect((await put(office.organiser, { ...harmless, ...sameInstant })).status).toBe(200);
		const refused = await put(office.official, {
			startDate: '2026-10-22',
			entryDeadline: '2026-10-13T21:59:00Z',
			venueId: office.venue(),
			category: 'CSN-A',
			fees: { ...body.fees, stable: 9_500 },
		});
		expect([refused.status, refused.data.code, refused.data['fields']]).toEqual([
			403,
			'FORBIDDEN',
			['startDate', 'entryDeadline', 'venueId', 'category', 'fees.stable'],
		]);
		expect(await stored(id)).toMatchObject({ version: version + 1, category: 'CSN-B', stableFee: 9_000 });
		expect((await put(events.officer, { category: 'CSN-A' })).status).toBe(200);
		const unready = await put(events.officer, { entryDeadline: null, lateEntryUntil: null });
		expect([unready.status, unready.data.code]).toEqual([422, 'EVENT_NOT_READY']);
	});

	test('null clears what an omitted field keeps', async () => {
		const { id } = await office.draft({
			maxBoxes: 40,
			fees: { entryFee: 2_500, stable: 9_000, swap: 1_500 },
		});
		const patched = async (body: object) => {
			const { data } = await call<Event>('PATCH', `${path}/${id}`, { token: office.organiser, body });
			return [data.maxBoxes, data.fees.entryFee, data.fees.stable, data.fees.swap];
		};
		expect(await patched({ fees: { stable: 8_000 } })).toEqual([40, 2_500, 8_000, 1_500]);
		expect(await patched({ fees: { swap: null } })).toEqual([40, 2_500, 8_000, 0]);
		expect(await patched({ maxBoxes: null })).toEqual([null, 2_500, 8_000, 0]);
	});

	test('additional places go to the waiting list, in order', async () => {
		const { id, version: _v, ...read } = await office.published({ maxEntries: 1 });
		const { data: competitions } = await call<Page<{ id: string }>>('GET', `${path}/${id}/competitions`);
		const stage = setStage(events);
		const starts = competitions.items.map((competition) => ({ competitionId: competition.id }));
		for (let entry = 0; entry < 4; entry += 1)
			await call('POST', `${path}/${id}/entries`, {
				token: events.officer,
				body: { riderMemberId: stage.member().id, horseId: stage.horse().id, starts },
			});
		const { data } = await call<Event>('PUT', `${path}/${id}`, {
			token: office.organiser,
			body: { ...read, maxEntries: 3 },
		});
		expect([data.maxEntries, data.counts]).toEqual([
			3,
			{ competitions: 1, entries: 4, accepted: 3, waitlisted: 1 },
		]);
		const rows = events.db.selectFrom('entries').select(['status', 'position']).where('eventId', '=', id);
		expect(await rows.orderBy('entryNumber').execute()).toEqual([
			...Array.from({ length: 3 }, () => ({ status: 'ACCEPTED', position: null })),
			{ status: 'WAITLISTED', position: 1 },
		]);
	});

	test('does not remove data that competitions need', async () => {
		const { id } = await office.draft();
		const { number } = await office.competition(id, {
			arenaId: office.arenaId,
			ageClasses: ['YOUTH'],
			date: '2026-10-25',
		});
		const { status, data } = await call('PUT', `${path}/${id}`, {
			token: office.organiser,
			body: office.body({
				endDate: '2026-10-24',
				disciplines: ['DRESSAGE'],
				ruleset: 'FEI',
				category: 'CDI1*',
				venueId: office.venue(),
			}),
		});
		expect([status, data.code]).toEqual([409, 'COMPETITIONS_DEPEND_ON_IT']);
		const conflicts = data['conflicts'] as { number: number; field: string }[];
		expect(conflicts.map((conflict) => [conflict.number, conflict.field])).toEqual(
			['endDate', 'disciplines', 'ruleset', 'venueId'].map((field) => [number, field]),
		);
	});

	test('checks the horses of every competition against the new ruleset', async () => {
		const { id } = await office.draft({ ruleset: 'FEI', category: 'CSI1*' });
		const { number } = await office.competition(id, { level: 'M', horseMinAge: 5 });
		const put = () => call('PUT', `${path}/${id}`, { token: office.organiser, body: office.body() });
		const { status, data } = await put();
		expect([status, data.code]).toEqual([409, 'COMPETITIONS_DEPEND_ON_IT']);
		expect(data['conflicts']).toMatchObject([{ number, field: 'ruleset' }]);
		await events.db.updateTable('competitions').set({ horseMinAge: 6 }).where('eventId', '=', id).execute();
		expect((await put()).status).toBe(200);
	});

	test('of a published event works also when all of its competitions are off', async () => {
		const { id } = await office.published();
		await events.db
			.updateTable('competitions')
			.set({ status: 'CANCELLED' })
			.where('eventId', '=', id)
			.execute();
		const put = await call('PUT', `${path}/${id}`, {
			token: office.organiser,
			body: office.body({ description: 'Ersatz folgt.' }),
		});
		expect(put.status).toBe(200);
	});

	test('of three at once with the same version one wins', async () => {
		const { id } = await office.draft();
		const put = (name: string) =>
			call('PUT', `${path}/${id}`, {
				token: office.organiser,
				headers: { 'If-Match': '"1"' },
				body: office.body({ name }),
			});
		const responses = await atOnce(
			events,
			id,
			['Erste', 'Zweite', 'Dritte'].map((name) => () => put(name)),
		);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
		expect((await stored(id))?.version).toBe(2);
	});
});

// The request read the event before the other one changed it, and wrote what depends on the other one's fields as it had been.
describe('PATCH /events/{id} without If-Match, behind another change of the event', () => {
	const patch = (id: string, body: object, token = events.officer) =>
		call<Event>('PATCH', `${path}/${id}`, { token, body });

	test('keeps the instants of the days to which the office moves it', async () => {
		const { id } = await office.published();
		const responses = await atOnce(events, id, [
			() =>
				call<Event>('POST', `${path}/${id}/reschedule`, {
					token: events.officer,
					body: { startDate: '2027-10-22' },
				}),
			() => patch(id, { description: 'Neu' }, office.organiser),
		]);
		expect(responses.map(({ status }) => status)).toEqual([200, 200]);
		expect(await stored(id)).toMatchObject({
			description: 'Neu',
			startDate: '2027-10-22',
			endDate: '2027-10-24',
			startsAt: new Date('2027-10-21T22:00:00Z'),
			endsAt: new Date('2027-10-24T22:00:00Z'),
		});
	});

	test('keeps the venue with its name and time zone, and the organiser with its name', async () => {
		const { id } = await office.draft();
		const venueId = office.venue({ name: 'Seeblick', timeZone: 'America/New_York' });
		const organiserClubId = office.club({ name: 'Reitverein Seeblick' });
		const responses = await atOnce(events, id, [
			() => patch(id, { venueId }),
			() => patch(id, { organiserClubId }),
			() => patch(id, { name: 'Umbenannt' }),
		]);
		expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
		const row = await stored(id);
		expect(row).toMatchObject({
			name: 'Umbenannt',
			venueId,
			venueName: 'Seeblick',
			venueTimeZone: 'America/New_York',
			organiserClubId,
			organiserClubName: 'Reitverein Seeblick',
			startsAt: new Date('2026-10-23T04:00:00Z'),
		});
		expect(row?.searchText).toContain('reitverein seeblick');
	});

	test('does not put a deadline after the last day', async () => {
		const { id } = await office.draft();
		const responses = await atOnce(events, id, [
			() => patch(id, { endDate: '2026-10-23' }),
			() => patch(id, { lateEntryUntil: '2026-10-24T12:00:00+02:00' }),
		]);
		expect(responses.map(({ status }) => status)).toEqual([200, 400]);
		expect(responses[1]?.data).toMatchObject({
			errors: [{ field: 'lateEntryUntil', code: 'INVALID_RANGE' }],
		});
		expect((await stored(id))?.lateEntryUntil).toEqual(new Date('2026-10-19T21:59:00Z'));
	});
});

describe('DELETE /events/{id}', () => {
	test('removes a draft with its competitions', async () => {
		const { id } = await office.draft();
		await office.competition(id);
		const { status, data } = await call<Event>('DELETE', `${path}/${id}`, { token: office.organiser });
		expect([status, data.id, data.counts.competitions]).toEqual([200, id, 1]);
		expect(await stored(id)).toBeUndefined();
		expect(await refusal('DELETE', `${path}/${id}`, office.organiser)).toEqual([404, 'NOT_FOUND']);
	});

	test('refuses published events; honours If-Match', async () => {
		const { id } = await office.published();
		expect(await refusal('DELETE', `${path}/${id}`, office.organiser)).toEqual([
			409,
			'CANNOT_DELETE_ACTIVE_EVENT',
		]);
		const draft = await office.draft();
		const stale = await call('DELETE', `${path}/${draft.id}`, {
			token: office.organiser,
			headers: { 'If-Match': '"7"' },
		});
		expect(stale.status).toBe(412);
		expect(await stored(draft.id)).toBeDefined();
	});
});
