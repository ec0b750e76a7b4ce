import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Competition } from '../src/competitions/schemas.ts';
import { atOnce } from './at-once.ts';
import { useOffice } from './use-events.ts';

const { events, call, office, stage } = useOffice();

const pathOf = (eventId: string) => `/api/events/${eventId}/competitions`;

function stored(id: string) {
	return events.db.selectFrom('competitions').selectAll().where('id', '=', id).executeTakeFirst();
}

async function enter(eventId: string, ...competitionIds: string[]): Promise<{ id: string; status: string }> {
	const { data, status, text } = await call<{ id: string; status: string }>(
		'POST',
		`/api/events/${eventId}/entries`,
		{
			token: events.officer,
			body: {
				riderMemberId: stage.member().id,
				horseId: stage.horse().id,
				starts: competitionIds.map((competitionId) => ({ competitionId })),
			},
		},
	);
	if (status !== 201) throw new Error(text);
	return data;
}

async function entryState(entryId: string) {
	const row = events.db.selectFrom('entries').select(['status', 'amountDue']).where('id', '=', entryId);
	const { status, amountDue } = await row.executeTakeFirstOrThrow();
	return [status, amountDue];
}

describe('PUT /events/{id}/competitions/{competitionId}', () => {
	test('replaces one, and accepts the record as it was read', async () => {
		const { id } = await office.draft();
		const read = await office.competition(id, { arenaId: office.arenaId, ageClasses: ['YOUTH'] });
		const requested = events.peers.requestsOf('masterdata-service').length;
		const { status, data } = await call<Competition>('PUT', `${pathOf(id)}/${read.id}`, {
			token: office.official,
			headers: { 'If-Match': '"1"' },
			body: { ...read, name: 'Anders' },
		});
		expect([status, data]).toEqual([200, { ...read, name: 'Anders', updatedAt: data.updatedAt, version: 2 }]);
		expect(events.peers.requestsOf('masterdata-service')).toHaveLength(requested);
		const stale = await call('PUT', `${pathOf(id)}/${read.id}`, {
			token: office.official,
			headers: { 'If-Match': '"1"' },
			body: office.competitionBody(),
		});
		expect(stale.status).toBe(412);
		const forged = await call('PUT', `${pathOf(id)}/${read.id}`, {
			token: office.official,
			body: office.competitionBody({ eventId: randomUUID(), status: 'CANCELLED' }),
		});
		expect(forged.data.errors?.map(({ field }) => field)).toEqual(['eventId', 'status']);
		expect(await stored(read.id)).toMatchObject({ name: 'Anders', status: 'OPEN', version: 2 });
	});

	test('is refused when the event changes its venue during the lookup of the arena, a stale version before that', async () => {
		const { id } = await office.draft();
		const read = await office.competition(id);
		const replacedDuring = async (ifMatch: string, change: () => Promise<unknown>) => {
			const requested = Promise.withResolvers<void>();
			const changed = Promise.withResolvers<void>();
			events.peers.delay('masterdata-service', () => {
				requested.resolve();
				return changed.promise;
			});
			const response = call('PUT', `${pathOf(id)}/${read.id}`, {
				token: office.official,
				headers: { 'If-Match': ifMatch },
				body: office.competitionBody({ arenaId: office.arenaId }),
			});
			await requested.promise;
			await change();
			await events.peers.recover('masterdata-service');
			changed.resolve();
			const { status, data } = await response;
			return [status, data.code];
		};
		const { venueId } = await events.db
			.selectFrom('events')
			.select('venueId')
			.where('id', '=', id)
			.executeTakeFirstOrThrow();
		const moveTo = (venue: string) => () =>
			events.db.updateTable('events').set({ venueId: venue }).where('id', '=', id).execute();
		expect(await replacedDuring('"1"', moveTo(randomUUID()))).toEqual([409, 'CONFLICT']);
		await moveTo(venueId)();
		expect(await replacedDuring('"7"', moveTo(randomUUID()))).toEqual([412, 'PRECONDITION_FAILED']);
		expect(await stored(read.id)).toMatchObject({ arenaId: null, version: 1 });
	});

	// The discipline of an age class was checked before the lock only.
	test('is refused when a concurrent change gives it another discipline than that of its age class', async () => {
		const { id } = await office.draft();
		const read = await office.competition(id, { discipline: 'DRESSAGE' });
		const patch = (body: object) => () =>
			call('PATCH', `${pathOf(id)}/${read.id}`, { token: office.organiser, body });
		const responses = await atOnce(events, id, [
			patch({ discipline: 'JUMPING' }),
			patch({ ageClasses: ['CHILDREN_DRESSAGE'] }),
			patch({ name: 'Umbenannt' }),
		]);
		expect(responses.map(({ status, data }) => [status, data.code])).toEqual([
			[200, undefined],
			[409, 'CONFLICT'],
			[200, undefined],
		]);
		expect(await stored(read.id)).toMatchObject({ discipline: 'JUMPING', ageClasses: [], name: 'Umbenannt' });
	});

	test('after the publication day and fee are the office’s, and additional places go to the waiting list', async () => {
		const { id } = await office.published();
		const read = await office.competition(id, { maxStarters: 1 });
		const { id: competitionId, eventId: _e, arenaName: _a, status: _s, version: _v, ...fields } = read;
		const { createdAt: _c, updatedAt: _u, ...body } = fields;
		const first = await enter(id, competitionId);
		const second = await enter(id, competitionId);
		expect([first.status, second.status]).toEqual(['ACCEPTED', 'WAITLISTED']);
		const put = (token: string, changes: object) =>
			call('PUT', `${pathOf(id)}/${competitionId}`, { token, body: { ...body, ...changes } });
		const refused = await put(office.organiser, { date: '2026-10-25', startFee: 1 });
		expect([refused.status, refused.data['fields']]).toEqual([403, ['date', 'startFee']]);
		expect((await put(office.organiser, { maxStarters: 2 })).status).toBe(200);
		expect(await entryState(second.id)).toEqual(['ACCEPTED', 4_300]);
		expect((await put(events.officer, { startFee: 2_000 })).status).toBe(200);
	});
});

describe('POST /events/{id}/competitions/{competitionId}/cancel', () => {
	// An entry without another competition owed nothing (OeTO §25.4: the start fee is returned, the entry fee with the event).
	test('ends its starts and their fees, and entries that have no other', async () => {
		const { id } = await office.published({ maxEntries: 2 });
		const [one, two] = [await office.competition(id), await office.competition(id)];
		const both = await enter(id, one.id, two.id);
		const single = await enter(id, one.id);
		const waiting = await enter(id, two.id);
		expect(waiting.status).toBe('WAITLISTED');
		const cancel = () =>
			call<Competition>('POST', `${pathOf(id)}/${one.id}/cancel`, { token: office.organiser });
		const { status, data } = await cancel();
		expect([status, data.status, data.version]).toEqual([200, 'CANCELLED', 2]);
		expect(await entryState(both.id)).toEqual(['ACCEPTED', 4_300]);
		expect(await entryState(single.id)).toEqual(['CANCELLED', 2_500]);
		expect(await entryState(waiting.id)).toEqual(['ACCEPTED', 4_300]);
		const again = await call('POST', `${pathOf(id)}/${one.id}/cancel`, { token: office.organiser });
		expect([again.status, again.data]).toMatchObject([
			409,
			{ code: 'ILLEGAL_STATE_TRANSITION', allowed: [] },
		]);
		const put = await call('PUT', `${pathOf(id)}/${one.id}`, {
			token: office.organiser,
			body: office.competitionBody({ number: one.number }),
		});
		expect([put.status, put.data.code]).toEqual([409, 'COMPETITION_CLOSED']);
	});

	test('subtracts its fee from the amount due of an entry that was withdrawn late', async () => {
		const { id } = await office.published();
		const [one, two] = [await office.competition(id), await office.competition(id)];
		const [late, early] = [await enter(id, one.id, two.id), await enter(id, one.id)];
		const withdraw = (entryId: string) =>
			call('POST', `/api/events/${id}/entries/${entryId}/withdraw`, { token: events.officer });
		await withdraw(early.id);
		const passed = { entriesOpenAt: null, entryDeadline: new Date('2026-09-15T09:59:59Z') };
		await events.db.updateTable('events').set(passed).where('id', '=', id).execute();
		await withdraw(late.id);
		expect(await entryState(late.id)).toEqual(['WITHDRAWN', 6_100]);
		for (const [competition, due] of [
			[one, 4_300],
			[two, 2_500],
		] as const) {
			await call('POST', `${pathOf(id)}/${competition.id}/cancel`, { token: office.organiser });
			expect(await entryState(late.id)).toEqual(['WITHDRAWN', due]);
		}
		expect(await entryState(early.id)).toEqual(['WITHDRAWN', 0]);
	});
});

describe('the rest that an entry owes after its last competition was cancelled', () => {
	const cancelledEntry = async () => {
		const { id } = await office.published();
		const only = await office.competition(id);
		const entry = await enter(id, only.id);
		await call('POST', `${pathOf(id)}/${only.id}/cancel`, { token: office.organiser });
		expect(await entryState(entry.id)).toEqual(['CANCELLED', 2_500]);
		return { id, entry };
	};
	const withdraw = (id: string, entryId: string) =>
		call('POST', `/api/events/${id}/entries/${entryId}/withdraw`, { token: events.officer });

	test('is waived by a withdrawal until the entry deadline', async () => {
		const { id, entry } = await cancelledEntry();
		expect((await withdraw(id, entry.id)).status).toBe(200);
		expect(await entryState(entry.id)).toEqual(['WITHDRAWN', 0]);
		expect((await withdraw(id, entry.id)).status).toBe(200);
	});

	test('remains after the deadline, and is gone once the event is withdrawn', async () => {
		const { id, entry } = await cancelledEntry();
		const passed = { entriesOpenAt: null, entryDeadline: new Date('2026-09-15T09:59:59Z') };
		await events.db.updateTable('events').set(passed).where('id', '=', id).execute();
		await withdraw(id, entry.id);
		expect(await entryState(entry.id)).toEqual(['WITHDRAWN', 2_500]);
		await office.step(id, 'cancel');
		expect(await entryState(entry.id)).toEqual(['WITHDRAWN', 0]);
	});

	test('is nothing if the entry only waited', async () => {
		const { id } = await office.published();
		const full = await office.competition(id, { maxStarters: 1 });
		await enter(id, full.id);
		const waiting = await enter(id, full.id);
		expect(waiting.status).toBe('WAITLISTED');
		await call('POST', `${pathOf(id)}/${full.id}/cancel`, { token: office.organiser });
		expect(await entryState(waiting.id)).toEqual(['CANCELLED', 0]);
		expect((await withdraw(id, waiting.id)).status).toBe(409);
	});
});

// A number had to be parked at a third one: two competitions can not have the same for a moment.
describe('POST /events/{id}/competitions/renumber', () => {
	const renumber = (id: string, numbers: object[], token = office.organiser) =>
		call<{ items: Competition[] }>('POST', `${pathOf(id)}/renumber`, { token, body: { numbers } });

	test('swaps numbers at once, and changes nothing when it is repeated', async () => {
		const { id } = await office.draft();
		const one = await office.competition(id, { number: 1 });
		const two = await office.competition(id, { number: 2 });
		const swapped = [
			{ competitionId: one.id, number: 2 },
			{ competitionId: two.id, number: 1 },
		];
		for (let sent = 0; sent < 2; sent += 1) {
			const { status, data } = await renumber(id, swapped);
			expect([status, data.items.map((item) => [item.id, item.number, item.version])]).toEqual([
				200,
				[
					[two.id, 1, 2],
					[one.id, 2, 2],
				],
			]);
		}
	});

	test('refuses a number that another one keeps, an unknown competition, one named twice, and strangers', async () => {
		const { id } = await office.draft();
		const one = await office.competition(id, { number: 1 });
		await office.competition(id, { number: 2 });
		const other = await office.competition((await office.draft()).id, { number: 1 });
		const statusOf = async (numbers: object[], token?: string) => {
			const { status, data } = await renumber(id, numbers, token);
			return [status, (data as unknown as { code: string }).code];
		};
		const number = 2;
		expect(await statusOf([{ competitionId: one.id, number }])).toEqual([409, 'COMPETITION_NUMBER_TAKEN']);
		expect(await statusOf([{ competitionId: other.id, number: 9 }])).toEqual([400, 'VALIDATION_ERROR']);
		const twice = [3, 4].map((each) => ({ competitionId: one.id, number: each }));
		expect(await statusOf(twice)).toEqual([400, 'VALIDATION_ERROR']);
		const free = [{ competitionId: one.id, number: 9 }];
		expect(await statusOf(free, office.stranger)).toEqual([404, 'NOT_FOUND']);
		expect(await stored(one.id)).toMatchObject({ number: 1, version: 1 });
	});
});

describe('DELETE /events/{id}/competitions/{competitionId}', () => {
	test('removes one without starts', async () => {
		const { id } = await office.published();
		const free = await office.competition(id);
		const used = await office.competition(id);
		const { id: entryId } = await enter(id, used.id);
		await call('POST', `/api/events/${id}/entries/${entryId}/withdraw`, { token: events.officer });
		const remove = (competitionId: string) =>
			call('DELETE', `${pathOf(id)}/${competitionId}`, { token: office.organiser });
		expect((await remove(free.id)).status).toBe(200);
		expect(await stored(free.id)).toBeUndefined();
		const refused = await remove(used.id);
		expect([refused.status, refused.data.code]).toEqual([409, 'COMPETITION_HAS_ENTRIES']);
		expect((await remove(free.id)).status).toBe(404);
	});
});

test.each([
	['was cancelled', { status: 'CANCELLED', cancelledReason: 'Regen' }],
	['was completed', { status: 'COMPLETED' }],
	['is over by the clock', { startsAt: new Date('2026-09-14'), endsAt: new Date('2026-09-15T10:00:00Z') }],
] as const)('an event that %s takes no changes, nor do its competitions', async (_name, state) => {
	const { id } = await office.published();
	const { id: competitionId } = await office.competition(id);
	await events.db.updateTable('events').set(state).where('id', '=', id).execute();
	const put = await call('PUT', `/api/events/${id}`, { token: events.officer, body: office.body() });
	expect([put.status, put.data.code]).toEqual([409, 'EVENT_CLOSED']);
	const one = `${pathOf(id)}/${competitionId}`;
	for (const [method, path] of [
		['POST', pathOf(id)],
		['PUT', one],
		['DELETE', one],
		['POST', `${one}/cancel`],
	] as const) {
		const body = path.endsWith('cancel') || method === 'DELETE' ? {} : { body: office.competitionBody() };
		const { status, data } = await call(method, path, { token: events.officer, ...body });
		expect([method, path, status, data.code]).toEqual([method, path, 409, 'EVENT_CLOSED']);
	}
});
