import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Competition } from '../src/competitions/schemas.ts';
import type { Event } from '../src/events/view-schemas.ts';
import { useOffice } from './use-events.ts';

const { events, call, office } = useOffice();

const pathOf = (eventId: string) => `/api/events/${eventId}/competitions`;

function stored(id: string) {
	return events.db.selectFrom('competitions').selectAll().where('id', '=', id).executeTakeFirst();
}

describe('POST /events/{id}/competitions', () => {
	test('adds one, with the name of its arena and the age of the level', async () => {
		const { id } = await office.draft();
		const body = office.competitionBody({ arenaId: office.arenaId, ageClasses: ['YOUTH', 'JUNIOR'] });
		delete body['horseMinAge'];
		const { status, data, headers } = await call<Competition>('POST', pathOf(id), {
			token: office.organiser,
			body,
		});
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${pathOf(id)}/${data.id}`);
		expect(data).toEqual({
			...body,
			id: data.id,
			eventId: id,
			arenaName: 'Hauptplatz',
			kind: 'STANDARD',
			heightCm: null,
			distanceKm: null,
			task: null,
			horseMinAge: 5,
			horseMaxAge: null,
			championship: null,
			currency: 'EUR',
			divisions: 1,
			dividedBy: [],
			prizes: [],
			createdAt: data.createdAt,
			updatedAt: data.updatedAt,
			status: 'OPEN',
			version: 1,
		});
		expect(await stored(data.id)).toMatchObject({ horseMinAge: 5, ageClasses: ['YOUTH', 'JUNIOR'] });
		expect(
			(await call<Event>('GET', `/api/events/${id}`, { token: office.organiser })).data.counts,
		).toMatchObject({ competitions: 1 });
	});

	test('with an Idempotency-Key adds one', async () => {
		const { id } = await office.draft();
		const headers = { 'Idempotency-Key': randomUUID() };
		const body = office.competitionBody({ number: 11 });
		const post = (sent: object) =>
			call<Competition>('POST', pathOf(id), { token: office.organiser, body: sent, headers });
		const first = await post(body);
		const again = await post(body);
		expect([again.status, again.data]).toEqual([201, first.data]);
		const { data: list } = await call<Page<Competition>>('GET', pathOf(id), { token: office.organiser });
		expect(list.items.map((item) => item.id)).toEqual([first.data.id]);
		const other = await call('POST', pathOf(id), {
			token: office.organiser,
			body: office.competitionBody({ number: 12 }),
			headers,
		});
		expect([other.status, other.data.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
	});

	test('reports all that does not fit the event and the master data', async () => {
		const { id } = await office.draft();
		const { status, data } = await call('POST', pathOf(id), {
			token: office.organiser,
			body: office.competitionBody({
				discipline: 'DRIVING',
				date: '2026-10-26',
				arenaId: randomUUID(),
				ageClasses: ['YOUTH', 'TODDLER'],
			}),
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'ageClasses[1] INVALID_REFERENCE',
			'arenaId INVALID_REFERENCE',
			'date INVALID_RANGE',
			'discipline INVALID_REFERENCE',
		]);
		const shape = await call('POST', pathOf(id), {
			token: office.organiser,
			body: office.competitionBody({ number: 1_000, level: 'leicht', maxStarters: 0, startFee: 1.5 }),
		});
		expect(shape.data.errors?.map(({ field }) => field).sort()).toEqual([
			'level',
			'maxStarters',
			'number',
			'startFee',
		]);
	});

	test('refuses an age class of another discipline, also when the discipline changes', async () => {
		const { id } = await office.draft();
		const post = (discipline: string) =>
			call<Competition>('POST', pathOf(id), {
				token: office.organiser,
				body: office.competitionBody({ number: 30, discipline, ageClasses: ['CHILDREN_DRESSAGE'] }),
			});
		const refusal = [
			{
				field: 'ageClasses[0]',
				code: 'INVALID_REFERENCE',
				message: 'is an age class of another discipline than JUMPING',
			},
		];
		const jumping = await post('JUMPING');
		expect([jumping.status, jumping.data]).toEqual([400, expect.objectContaining({ errors: refusal })]);
		const dressage = await post('DRESSAGE');
		expect(dressage.status).toBe(201);
		const changed = await call('PUT', `${pathOf(id)}/${dressage.data.id}`, {
			token: office.organiser,
			body: office.competitionBody({ number: 30, discipline: 'JUMPING', ageClasses: ['CHILDREN_DRESSAGE'] }),
		});
		expect([changed.status, changed.data.errors]).toEqual([400, refusal]);
		expect(await stored(dressage.data.id)).toMatchObject({ discipline: 'DRESSAGE' });
	});

	test('requires the minimum age of the level for horses, nationally', async () => {
		const { id } = await office.draft();
		const post = (eventId: string, changes: object) =>
			call('POST', pathOf(eventId), {
				token: office.organiser,
				body: office.competitionBody({ ...changes }),
			});
		const young = await post(id, { level: 'M', horseMinAge: 5 });
		expect([young.status, young.data.code, young.data['least']]).toEqual([
			422,
			'HORSE_MIN_AGE_BELOW_RULES',
			6,
		]);
		expect((await post(id, { level: 'M', horseMinAge: 7 })).status).toBe(201);
		const international = await office.draft({ ruleset: 'FEI', category: 'CSI1*' });
		expect((await post(international.id, { level: 'M', horseMinAge: 5 })).status).toBe(201);
	});

	// V100 was refused for horses under six (OeTO §53.2: four).
	test('takes the minimum age from the height in eventing', async () => {
		const { id } = await office.draft({ category: 'CCN-B', disciplines: ['EVENTING'] });
		const post = (horseMinAge?: number) =>
			call<Competition>('POST', pathOf(id), {
				token: office.organiser,
				body: office.competitionBody({
					discipline: 'EVENTING',
					level: 'V100',
					ageClasses: [],
					horseMinAge: horseMinAge ?? null,
				}),
			});
		expect((await post(4)).status).toBe(201);
		expect((await post()).data.horseMinAge).toBe(4);
		expect((await post(3)).status).toBe(422);
	});

	test('a number is assigned once, also when two are added at once; other events have their own', async () => {
		const { id } = await office.draft();
		const other = await office.draft();
		const post = (eventId: string) =>
			call('POST', pathOf(eventId), {
				token: office.organiser,
				body: office.competitionBody({ number: 7 }),
			});
		const responses = await Promise.all([post(id), post(id), post(other.id)]);
		expect(responses.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
		expect((await post(id)).data.code).toBe('COMPETITION_NUMBER_TAKEN');
	});
});

describe('GET /events/{id}/competitions', () => {
	test('lists by number, filtered, to those who may see the event', async () => {
		const { id } = await office.draft();
		const dressage = await office.competition(id, { number: 12, discipline: 'DRESSAGE', date: '2026-10-23' });
		const jumping = await office.competition(id, { number: 3, name: 'Ä' });
		const numbers = async (query: string) => {
			const { data } = await call<Page<Competition>>('GET', `${pathOf(id)}?${query}`, {
				token: office.organiser,
			});
			return data.items.map(({ number }) => number);
		};
		expect(await numbers('')).toEqual([3, 12]);
		expect(await numbers('sort=date')).toEqual([12, 3]);
		expect(await numbers('discipline=DRESSAGE')).toEqual([12]);
		expect(await numbers('date=2026-10-24')).toEqual([3]);
		expect((await call('GET', pathOf(id))).status).toBe(404);
		expect((await call('GET', `${pathOf(id)}/${jumping.id}`)).status).toBe(404);
		await office.step(id, 'publish');
		expect((await call<Page<Competition>>('GET', pathOf(id))).data.items).toHaveLength(2);
		const one = await call<Competition>('GET', `${pathOf(id)}/${dressage.id}`);
		expect([one.data, one.headers.get('etag')]).toEqual([dressage, '"1"']);
		const other = await office.published();
		expect((await call('GET', `${pathOf(other.id)}/${dressage.id}`)).status).toBe(404);
		expect((await call('GET', `${pathOf(id)}/7`)).data.code).toBe('INVALID_ID');
	});
});
