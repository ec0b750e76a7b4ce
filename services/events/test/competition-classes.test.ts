import { describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Competition } from '../src/competitions/schemas.ts';
import type { Event } from '../src/events/view-schemas.ts';
import { useOffice } from './use-events.ts';

const { events, call, office } = useOffice();

/** A competition at a draft of that category, with the fields of the table and nothing that it leaves open. */
async function offer(category: string, disciplines: readonly string[], fields: object) {
	const { id } = await office.draft({ category, disciplines });
	const {
		level: _level,
		horseMinAge: _age,
		...body
	} = office.competitionBody({ discipline: disciplines[0] });
	const response = await call<Competition & TestFailure>('POST', `/api/events/${id}/competitions`, {
		token: office.organiser,
		body: { ...body, ...fields },
	});
	return { id, response };
}

describe('the minimum age of horses follows the rules of 2026', () => {
	test.each([
		['CSN-B', 'JUMPING', { level: 'LM', heightCm: 125 }, 5],
		['CSN-B', 'JUMPING', { heightCm: 130, horseMinAge: 5 }, 5],
		['CSN-B', 'JUMPING', { heightCm: 70 }, 5],
		['CSN-B', 'JUMPING', { heightCm: 80 }, 4],
		['CDN-A', 'DRESSAGE', { level: 'S' }, 7],
		['CDN-A', 'DRESSAGE', { level: 'S', task: 'Grand Prix' }, 8],
		['CDN-A', 'DRESSAGE', { level: 'S', task: 'Grand Prix Spezial' }, 8],
		['CDN-A', 'DRESSAGE', { level: 'S', task: 'Intermédiaire II' }, 8],
		['CDN-B', 'DRESSAGE', { level: 'LP' }, 6],
		['CEN-B', 'ENDURANCE', { level: 'E', distanceKm: 40 }, 4],
		['CEN-B', 'ENDURANCE', { level: 'M', distanceKm: 100 }, 6],
		['CDN-B', 'DRESSAGE', { kind: 'RIDING_HORSE' }, 3],
		['CDN-B', 'DRESSAGE', { kind: 'SUITABILITY' }, 4],
		['CCN-B', 'EVENTING', { level: 'VH80' }, 4],
		['CCN-B', 'EVENTING', { level: 'V105' }, 5],
	])('%s %s %j: %i years', async (category, discipline, fields, least) => {
		const { response } = await offer(category, [discipline], fields);
		expect([response.status, response.data.horseMinAge]).toEqual([201, least]);
	});

	test.each([
		['CSN-B', 'JUMPING', { heightCm: 70, horseMinAge: 4 }, 5, '200.7'],
		['CDN-A', 'DRESSAGE', { level: 'S', horseMinAge: 6 }, 7, '108.2.3'],
		['CDN-B', 'DRESSAGE', { level: 'LP', horseMinAge: 5 }, 6, '108.2.2'],
		['CEN-B', 'ENDURANCE', { level: 'M', distanceKm: 140, horseMinAge: 7 }, 8, '608.1'],
	])('%s %s %j is refused: %i years', async (category, discipline, fields, least, paragraph) => {
		const { response } = await offer(category, [discipline], fields);
		expect([response.status, response.data]).toEqual([
			422,
			expect.objectContaining({
				code: 'HORSE_MIN_AGE_BELOW_RULES',
				least,
				rule: { source: 'OETO', paragraph },
			}),
		]);
	});

	test('the organiser narrows the highest age, but does not widen it', async () => {
		const young = { kind: 'YOUNG_HORSE', heightCm: 130 };
		const narrow = await offer('CSN-B', ['JUMPING'], { ...young, horseMaxAge: 5 });
		expect([narrow.response.status, narrow.response.data.horseMaxAge]).toEqual([201, 5]);
		const wide = await offer('CSN-B', ['JUMPING'], { ...young, horseMaxAge: 7 });
		expect([wide.response.status, wide.response.data]).toEqual([
			422,
			expect.objectContaining({ code: 'HORSE_MAX_AGE_ABOVE_RULES', most: 6 }),
		]);
	});
});

describe('level, height, distance and test agree', () => {
	test.each([
		['JUMPING', { level: 'QUATSCH' }, ['level INVALID_FORMAT']],
		['JUMPING', {}, ['level REQUIRED']],
		['JUMPING', { heightCm: 102 }, ['level REQUIRED']],
		['JUMPING', { level: 'L', heightCm: 105 }, ['heightCm INVALID_RANGE']],
		['JUMPING', { level: 'L 115', heightCm: 120 }, ['heightCm INVALID_RANGE']],
		['JUMPING', { level: 'M*' }, []],
		['JUMPING', { level: 'L', distanceKm: 40 }, ['distanceKm INVALID_RANGE']],
		['JUMPING', { level: 'L', task: 'L5' }, ['task INVALID_RANGE']],
		['DRESSAGE', { level: 'L', heightCm: 105 }, ['heightCm INVALID_RANGE']],
		['DRESSAGE', { level: 'L', task: 'M5' }, ['task INVALID_RANGE']],
		['DRESSAGE', { level: 'M', task: 'Grand Prix' }, ['task INVALID_RANGE']],
		['DRESSAGE', { level: 'S*' }, ['level INVALID_FORMAT']],
		['DRESSAGE', { level: 'L', kind: 'POWER_AND_SKILL' }, ['kind INVALID_RANGE']],
		['JUMPING', { level: 'L', horseMinAge: 6, horseMaxAge: 5 }, ['horseMaxAge INVALID_RANGE']],
	] as const)('%s %j: %j', async (discipline, fields, expected) => {
		const { response } = await offer('CSN-B', ['JUMPING', 'DRESSAGE'], { discipline, ...fields });
		expect(response.status).toBe(expected.length === 0 ? 201 : 400);
		expect((response.data.errors ?? []).map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
	});

	test('a level in the form of earlier versions is read', async () => {
		const dressage = await offer('CDN-B', ['DRESSAGE'], { level: 'LM5' });
		expect(dressage.response.data).toMatchObject({ level: 'LM', task: 'LM5' });
		const jumping = await offer('CSN-B', ['JUMPING'], { level: 'L 115' });
		expect(jumping.response.data).toMatchObject({ level: 'L', heightCm: 115 });
		const eventing = await offer('CCN-B', ['EVENTING'], { level: 'V100' });
		expect(eventing.response.data).toMatchObject({ level: 'V100', heightCm: 100 });
	});
});

describe('classes by category', () => {
	test('a height beyond the category is refused with the paragraph', async () => {
		const { response } = await offer('CSN-C', ['JUMPING'], { heightCm: 160 });
		expect([response.status, response.data]).toEqual([
			422,
			expect.objectContaining({
				code: 'CLASS_NOT_IN_CATEGORY',
				rule: { source: 'OETO', paragraph: '200.5.6' },
			}),
		]);
	});

	test('B* has one dressage competition of class S a day', async () => {
		const { id, response } = await offer('CDN-B*', ['DRESSAGE'], { level: 'S' });
		expect(response.status).toBe(201);
		const { date: _date, ...body } = office.competitionBody({
			discipline: 'DRESSAGE',
			level: 'S',
			horseMinAge: 7,
		});
		const post = (date: string) =>
			call('POST', `/api/events/${id}/competitions`, { token: office.organiser, body: { ...body, date } });
		const second = await post('2026-10-24');
		expect([second.status, second.data.code]).toEqual([422, 'CLASS_NOT_IN_CATEGORY']);
		expect((await post('2026-10-25')).status).toBe(201);
	});

	// Only the writes of a competition were judged.
	test('B* has one of class S a day after a change of the category or the days as well', async () => {
		const { id, response } = await offer('CDN-A', ['DRESSAGE'], { level: 'S' });
		const own = { token: office.organiser };
		const url = `/api/events/${id}`;
		const { date } = response.data;
		const second = await office.competition(id, { discipline: 'DRESSAGE', level: 'S', horseMinAge: 7, date });
		const toB = () => call('PATCH', url, { ...own, body: { category: 'CDN-B*' } });
		const refused = await toB();
		expect([refused.status, refused.data.code, refused.data['conflicts']]).toEqual([
			409,
			'COMPETITIONS_DEPEND_ON_IT',
			[1, 2].map(() => expect.objectContaining({ field: 'category' })),
		]);
		const move = (to: string) =>
			call('POST', `${url}/reschedule`, {
				...own,
				body: { startDate: '2026-10-23', competitions: [{ competitionId: second.id, date: to }] },
			});
		expect([(await move('2026-10-25')).status, (await toB()).status]).toEqual([200, 200]);
		const moved = await move(date);
		expect([moved.status, moved.data.code]).toEqual([422, 'CLASS_NOT_IN_CATEGORY']);
		await events.db
			.updateTable('competitions')
			.set({ date: '2026-10-25' })
			.where('eventId', '=', id)
			.execute();
		const together = await call('POST', `${url}/reschedule`, { ...own, body: { startDate: '2026-10-30' } });
		expect(together.status).toBe(200);
	});

	test('C* is no category any more, but events that have it keep it', async () => {
		const body = office.body({ category: 'CSN-C*' });
		const created = await call('POST', '/api/events', { token: office.organiser, body });
		expect([created.status, created.data.errors?.[0]?.field]).toEqual([400, 'category']);
		const { id } = await office.draft();
		await events.db.updateTable('events').set({ category: 'CSN-C*' }).where('id', '=', id).execute();
		const kept = await call<Event>('PUT', `/api/events/${id}`, { token: office.organiser, body });
		expect([kept.status, kept.data.category]).toEqual([200, 'CSN-C*']);
	});

	test('an event keeps a category that its competitions need', async () => {
		const { id } = await offer('CSN-A', ['JUMPING'], { heightCm: 145 }).then(({ response }) => ({
			id: response.data.eventId,
		}));
		const put = await call('PUT', `/api/events/${id}`, {
			token: office.organiser,
			body: office.body({ category: 'CSN-C', disciplines: ['JUMPING'] }),
		});
		expect([put.status, put.data.code, put.data['conflicts']]).toEqual([
			409,
			'COMPETITIONS_DEPEND_ON_IT',
			[expect.objectContaining({ field: 'category' })],
		]);
	});
});

test('clients of earlier versions change the level alone', async () => {
	const jumping = await offer('CSN-B', ['JUMPING'], { heightCm: 105 });
	const dressage = await offer('CDN-B', ['DRESSAGE'], { level: 'A2' });
	const change = ({ id, response }: Awaited<ReturnType<typeof offer>>, body: object) =>
		call<Competition & TestFailure>('PUT', `/api/events/${id}/competitions/${response.data.id}`, {
			token: office.organiser,
			body,
		});
	expect(await change(jumping, { level: 'L' })).toMatchObject({
		status: 200,
		data: { level: 'L', heightCm: null, horseMinAge: 5 },
	});
	expect(await change(dressage, { level: 'L3' })).toMatchObject({
		status: 200,
		data: { level: 'L', task: 'L3' },
	});
	expect((await change(jumping, { level: 'A', heightCm: 120 })).status).toBe(400);
	await events.db
		.updateTable('competitions')
		.set({ level: 'A 140' })
		.where('id', '=', jumping.response.data.id)
		.execute();
	expect((await change(jumping, { name: 'Neuer Name' })).data).toMatchObject({
		level: 'A 140',
		name: 'Neuer Name',
	});
});

test.each([
	[{ kind: 'LICENCE_FREE', heightCm: 160 }],
	[{ kind: 'INTRODUCTORY', level: 'S***' }],
	[{ level: 'M***' }],
])('CSN-C offers no %j', async (fields) => {
	const { response } = await offer('CSN-C', ['JUMPING'], fields);
	expect([response.status, response.data.code]).toEqual([422, 'CLASS_NOT_IN_CATEGORY']);
});

test('horses at levels of the FEI are six years old unless the announcement says otherwise', async () => {
	const { id } = await office.draft({ ruleset: 'FEI', category: 'CSI3*', disciplines: ['JUMPING'] });
	const { horseMinAge: _age, ...body } = office.competitionBody({ discipline: 'JUMPING', level: 'CSI3*' });
	const path = `/api/events/${id}/competitions`;
	const created = await call<Competition>('POST', path, { token: office.organiser, body });
	expect([created.status, created.data.horseMinAge]).toEqual([201, 6]);
});

test('pairs, teams and groups are refused: an entry has one rider and one horse', async () => {
	const { response } = await offer('CAN-B', ['DRIVING'], { level: 'M', kind: 'TEAM' });
	expect([response.status, response.data.code]).toEqual([422, 'COMPETITION_NOT_SUPPORTED']);
});

test('a level that was stored before stays, until the class of the competition is changed', async () => {
	const { id, response } = await offer('CSN-B', ['JUMPING'], { level: 'L' });
	const { data } = response;
	await events.db.updateTable('competitions').set({ level: 'ALT' }).where('id', '=', data.id).execute();
	const { updatedAt: _, ...read } = data;
	const put = (changes: object) =>
		call<Competition & TestFailure>('PUT', `/api/events/${id}/competitions/${data.id}`, {
			token: office.organiser,
			body: { ...read, level: 'ALT', ...changes },
		});
	expect((await put({ name: 'Neuer Name' })).status).toBe(200);
	const { status, data: refused } = await put({ level: 'NEU', version: 2 });
	expect([status, refused.errors?.[0]?.field]).toEqual([400, 'level']);
});
