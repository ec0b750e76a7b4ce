import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
import type { Event } from '../src/events/view-schemas.ts';
import { useOffice } from './use-events.ts';

const { events, call, office } = useOffice();

const path = '/api/events';

function stored(id: string) {
	return events.db.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
}

async function countStored(): Promise<number> {
	return (await events.db.selectFrom('events').select('id').execute()).length;
}

function create(body: unknown, token = office.organiser, headers = {}) {
	return call<Event>('POST', path, { token, body, headers });
}

describe('POST /events', () => {
	test('makes a draft with snapshots of venue and club, and says where', async () => {
		const { status, data, headers } = await create(office.body());
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		expect(headers.get('etag')).toMatch(/^"1\.[\w-]+"$/);
		expect(data).toMatchObject({
			status: 'DRAFT',
			entryWindow: 'NOT_YET',
			eventNumber: expect.stringMatching(/^\d{5}$/),
			venue: {
				id: office.venueId,
				name: 'Reitzentrum Auwiesen',
				city: 'Auwiesen an der Furt',
				stateCode: 'AT-3',
				countryCode: 'AT',
				timeZone: 'Europe/Vienna',
			},
			organiserClubName: 'Reitverein Auwiesen',
			entryDeadline: '2026-10-12T21:59:00.000Z',
			cancelledReason: null,
			statusReason: null,
			counts: { competitions: 0, entries: 0, accepted: 0, waitlisted: 0 },
			createdAt: events.clock.now().toISOString(),
			version: 1,
		});
		expect(await stored(data.id)).toMatchObject({
			status: 'DRAFT',
			startDate: '2026-10-23',
			startsAt: new Date('2026-10-22T22:00:00Z'),
			// The night in which clocks go back is over by then: midnight is one hour later in UTC.
			endsAt: new Date('2026-10-25T23:00:00Z'),
			entryFee: 2_500,
			officials: [{ role: 'JUDGE', name: 'Renate Richterin', memberId: null }],
			isDemo: false,
		});
	});

	test('fills omitted fields with their defaults', async () => {
		const { data } = await create({
			name: 'Karg',
			startDate: '2026-12-01',
			endDate: '2026-12-01',
			venueId: office.venueId,
			organiserClubId: office.clubId,
			ruleset: 'FEI',
			category: 'CSI3*-W',
			disciplines: ['JUMPING'],
		});
		expect(data).toMatchObject({
			description: null,
			isPublic: true,
			entriesOpenAt: null,
			entryDeadline: null,
			lateEntryUntil: null,
			maxEntries: null,
			fees: { entryFee: 0, lateSurcharge: 0, stable: 0, currency: 'EUR' },
			officials: [],
		});
	});

	test('reports all bad fields at once', async () => {
		const { status, data } = await call('POST', path, {
			token: events.officer,
			body: office.body({
				name: '',
				startDate: '2026-10-23',
				endDate: '2026-10-22',
				category: 'CSI5*',
				disciplines: ['JUMPING', 'JUMPING'],
				entriesOpenAt: 'yesterday',
				lateEntryUntil: '2026-10-12T21:58:59Z',
				maxEntries: 0,
				fees: { entryFee: -1, tip: 3 },
				officials: [{ role: 'CLOWN', name: 'x' }],
				colour: 'red',
			}),
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'category INVALID_FORMAT',
			'colour UNKNOWN_FIELD',
			'disciplines INVALID_FORMAT',
			'endDate INVALID_RANGE',
			'entriesOpenAt INVALID_FORMAT',
			'fees.entryFee INVALID_RANGE',
			'fees.tip UNKNOWN_FIELD',
			'lateEntryUntil INVALID_RANGE',
			'maxEntries INVALID_RANGE',
			'name INVALID_LENGTH',
			'officials[0].role INVALID_FORMAT',
		]);
	});

	test('offers the discipline of its category', async () => {
		const post = (category: string, disciplines: string[]) =>
			call('POST', path, { token: events.officer, body: office.body({ category, disciplines }) });
		const dressage = await post('CDN-A*', ['JUMPING', 'VAULTING']);
		expect([dressage.status, dressage.data.errors]).toEqual([
			400,
			[
				{
					field: 'disciplines',
					code: 'INVALID_REFERENCE',
					message: 'must include DRESSAGE or PARA_DRESSAGE, as the category says',
				},
			],
		]);
		expect((await post('CDN-A*', ['JUMPING', 'DRESSAGE'])).status).toBe(201);
		expect((await post('CSN-C-NEU', ['JUMPING'])).status).toBe(201);
	});

	test.each([
		['14 days are the most', { startDate: '2026-10-01', endDate: '2026-10-14' }, []],
		['15 are too many', { startDate: '2026-10-11', endDate: '2026-10-25' }, ['endDate INVALID_RANGE']],
		['a deadline on the last day', { entryDeadline: '2026-10-25T22:59:59Z', lateEntryUntil: null }, []],
		[
			'a deadline after it',
			{ entryDeadline: '2026-10-25T23:00:00Z', lateEntryUntil: null },
			['entryDeadline INVALID_RANGE'],
		],
		[
			'late entries after it',
			{ lateEntryUntil: '2026-10-26T00:00:00+01:00' },
			['lateEntryUntil INVALID_RANGE'],
		],
		['late entries without a deadline', { entryDeadline: null }, ['entryDeadline REQUIRED']],
		['a deadline of another age', { entryDeadline: '0026-10-12T21:59:00Z' }, ['entryDeadline INVALID_RANGE']],
		// In UTC, as it is stored and shown, this is a minute of 1899.
		[
			'an opening of another age',
			{ entriesOpenAt: '1900-01-01T00:00:00+23:59' },
			['entriesOpenAt INVALID_RANGE'],
		],
	] as const)('knows the order of days: %s', async (_case, changes, expected) => {
		const { startDate = '2026-10-23' } = changes as { startDate?: string };
		const deadlines =
			startDate === '2026-10-01' ? { entriesOpenAt: null, entryDeadline: null, lateEntryUntil: null } : {};
		const { data } = await call('POST', path, {
			token: events.officer,
			body: office.body({ ...deadlines, ...changes }),
		});
		expect((data.errors ?? []).map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
	});

	test('refuses all unknown references at once, and stores nothing', async () => {
		const before = await countStored();
		const memberId = randomUUID();
		const { status, data } = await call('POST', path, {
			token: events.officer,
			body: office.body({
				venueId: randomUUID(),
				organiserClubId: office.club({ status: 'INACTIVE' }),
				officials: [
					{ role: 'JUDGE', name: 'Ohne Nummer' },
					{ role: 'STEWARD', name: 'Unbekannt', memberId },
				],
			}),
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([
			'venueId INVALID_REFERENCE',
			'organiserClubId INVALID_REFERENCE',
			'officials[1].memberId INVALID_REFERENCE',
		]);
		const closed = await call('POST', path, {
			token: events.officer,
			body: office.body({ venueId: office.venue({ isActive: false }) }),
		});
		expect(closed.data.errors?.map(({ field }) => field)).toEqual(['venueId']);
		expect(await countStored()).toBe(before);
	});

	test('with the last number assigned, a creation is refused with a code; a free number can be set', async () => {
		const { rows } = await sql<{ last: number }>`select last_value as last from event_numbers`.execute(
			events.db,
		);
		await sql`select setval('event_numbers', 99999)`.execute(events.db);
		const refused = await call('POST', path, { token: office.organiser, body: office.body() });
		expect([refused.status, refused.data.code]).toEqual([409, 'EVENT_NUMBERS_USED_UP']);
		const given = await create(office.body({ eventNumber: '00042' }), events.officer);
		expect(given.data.eventNumber).toBe('00042');
		await sql`select setval('event_numbers', ${sql.lit(Number(rows[0]?.last))})`.execute(events.db);
	});

	test('the office may set a number; the next assigned one skips it', async () => {
		const { data } = await create(office.body());
		const next = String(Number(data.eventNumber) + 1).padStart(5, '0');
		const given = await create(office.body({ eventNumber: next }), events.officer);
		expect(given.data.eventNumber).toBe(next);
		expect((await create(office.body())).data.eventNumber).toBe(
			String(Number(data.eventNumber) + 2).padStart(5, '0'),
		);
		const again = await call('POST', path, {
			token: events.officer,
			body: office.body({ eventNumber: next }),
		});
		expect([again.status, again.data.code]).toEqual([409, 'EVENT_NUMBER_TAKEN']);
		const organisers = await call('POST', path, {
			token: office.organiser,
			body: office.body({ eventNumber: '00007' }),
		});
		expect([organisers.status, organisers.data.code, organisers.data['fields']]).toEqual([
			403,
			'FORBIDDEN',
			['eventNumber'],
		]);
	});

	test('with an Idempotency-Key is executed once, and calls other services once', async () => {
		const headers = { 'Idempotency-Key': randomUUID() };
		const body = office.body({ name: 'Einmal' });
		const before = await countStored();
		const first = await create(body, office.organiser, headers);
		const requested = events.peers.requestsOf('masterdata-service').length;
		const second = await create(body, office.organiser, headers);
		expect(second.data).toEqual(first.data);
		expect(await countStored()).toBe(before + 1);
		expect(events.peers.requestsOf('masterdata-service')).toHaveLength(requested);
		const other = await call('POST', path, {
			token: office.organiser,
			headers,
			body: office.body({ name: 'Anders' }),
		});
		expect([other.status, other.data.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
	});
});
