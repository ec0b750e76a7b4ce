import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EntryCheck } from '../src/database-schema.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { events, call, desk, stage } = useEntryDesk();

let eventId: string;
let path: string;

beforeAll(async () => {
	const open = {
		category: 'RIDER' as const,
		discipline: null,
		validFrom: null,
		validTo: null,
	};
	events.peers.ageClasses.push(
		{ ...open, code: 'YOUTH', minAge: 8, maxAge: 15 },
		{ ...open, code: 'GENERAL', minAge: 19, maxAge: null },
	);
});
beforeEach(async () => {
	eventId = await stage.event();
	path = `/api/events/${eventId}/entries`;
});

function enter(competitionId: string): Promise<Entry> {
	return desk.enter(eventId, [competitionId]);
}

function storedStarts(entryId: string) {
	return events.db.selectFrom('starts').selectAll().where('entryId', '=', entryId).execute();
}

describe('POST /events/{id}/entries', () => {
	test('stores the entry with its starts and a snapshot of rider and horse', async () => {
		const first = await stage.competition(eventId, { startFee: 1_800 });
		const second = await stage.competition(eventId, { startFee: 2_000 });
		const rider = stage.member({ firstName: 'Jana', lastName: 'Pirouettner', dateOfBirth: '2012-12-31' });
		const horse = stage.horse({ feePaidForYear: 2025, ownerMemberIds: [rider.id] });
		const { status, data, headers } = await call<Entry>('POST', path, {
			token: events.sign({ memberId: rider.id }),
			// In the other order: the response is by number.
			body: {
				riderMemberId: rider.id,
				horseId: horse.id,
				starts: [{ competitionId: second }, { competitionId: first }],
			},
		});
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`${path}/${data.id}`);
		const expected = {
			id: data.id,
			eventId,
			entryNumber: 1,
			type: 'REGULAR',
			status: 'ACCEPTED',
			missingConfirmations: [],
			statusReason: null,
			position: null,
			riderMemberId: rider.id,
			rider: {
				name: 'Jana Pirouettner',
				clubId: stage.clubId,
				clubName: 'Reitverein Auwiesen',
				nation: 'AT',
				ageClasses: ['YOUTH'],
			},
			horseId: horse.id,
			horse: { name: 'Lärchenglut', headNumber: 'D006', birthYear: 2016, sireName: 'Waldkauz' },
			starts: [
				{ competitionId: first, status: 'ACCEPTED', startFee: 1_800 },
				{ competitionId: second, status: 'ACCEPTED', startFee: 2_000 },
			],
			checks: [
				{
					code: 'HORSE_FEE_UNPAID',
					level: 'WARNING',
					rule: { source: 'OETO', paragraph: '10.4' },
					overridable: false,
					message: 'The registration fee of Lärchenglut is not paid for 2026.',
				},
			],
			overrides: [],
			needsAttention: false,
			boxes: 0,
			ledger: [
				{ kind: 'ENTRY', amount: 2_500, competitionId: null, reason: 'Entry fee' },
				{ kind: 'START', amount: 1_800, competitionId: first, reason: expect.stringMatching(/^Start in no/) },
				{
					kind: 'START',
					amount: 2_000,
					competitionId: second,
					reason: expect.stringMatching(/^Start in no/),
				},
			].map((line) => ({ ...line, bookedAt: '2026-09-15T10:00:00.000Z' })),
			swaps: [],
			acts: [
				{
					act: 'ENTERED',
					actedAt: '2026-09-15T10:00:00.000Z',
					actingAs: 'RIDER',
					forMemberId: rider.id,
				},
			],
			amountDue: 6_300,
			currency: 'EUR',
			freeWithdrawalUntil: null,
			createdAt: '2026-09-15T10:00:00.000Z',
			updatedAt: '2026-09-15T10:00:00.000Z',
			version: 1,
		};
		expect(data).toEqual(expected);
		events.peers.members.set(rider.id, { ...rider, lastName: 'Anders', homeClubId: null });
		const read = await call<Entry>('GET', `${path}/${data.id}`, { token: desk.organiser });
		const bookedBy = expect.any(String);
		const lines = expected.ledger.map((line) => ({ ...line, bookedBy }));
		const acts = expected.acts.map((act) => ({ ...act, actedBy: expect.any(String) }));
		expect(read.data).toEqual({ ...expected, ledger: lines, acts });
		expect(read.headers.get('etag')).toMatch(/^"1\./);
		expect(await desk.stored(eventId)).toHaveLength(1);
		expect((await storedStarts(data.id)).map(({ horseId }) => horseId)).toEqual([horse.id, horse.id]);
	});

	test('calls members and horses with the service’s own token, each once', async () => {
		const body = desk.pair(await stage.competition(eventId));
		await call('POST', path, { token: desk.organiser, body });
		expect(events.peers.requestsOf('members-service')).toContain(
			`GET /internal/members/lookup?ids=${body.riderMemberId}`,
		);
		const requested = events.peers.requestsOf('horses-service').filter((line) => line.includes(body.horseId));
		expect(requested).toEqual([`GET /internal/horses/lookup?ids=${body.horseId}`]);
	});

	test('numbers the entries of each event from 1', async () => {
		const competitionId = await stage.competition(eventId);
		await enter(competitionId);
		await enter(competitionId);
		expect((await desk.stored(eventId)).map(({ entryNumber }) => entryNumber)).toEqual([1, 2]);
	});

	test('reports all bad fields at once', async () => {
		const { status, data } = await call('POST', path, {
			token: desk.organiser,
			body: { riderMemberId: 'me', starts: [], type: 'EARLY', status: 'ACCEPTED' },
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'horseId REQUIRED',
			'riderMemberId INVALID_FORMAT',
			'starts INVALID_LENGTH',
			'status UNKNOWN_FIELD',
			'type INVALID_FORMAT',
		]);
		const competitionId = await stage.competition(eventId);
		const twice = await call('POST', path, {
			token: desk.organiser,
			body: desk.pair(competitionId, competitionId),
		});
		expect(twice.data.errors).toMatchObject([{ field: 'starts' }]);
		const many = Array.from({ length: 21 }, () => randomUUID());
		const tooMany = await call('POST', path, { token: desk.organiser, body: desk.pair(...many) });
		expect(tooMany.data.errors).toMatchObject([{ field: 'starts', code: 'INVALID_LENGTH' }]);
	});

	test('reports everything that the rules forbid together, and stores nothing', async () => {
		const young = await stage.competition(eventId, {
			ageClasses: ['YOUTH'],
			horseMinAge: 6,
			name: 'A',
			number: 900,
		});
		const cancelled = await stage.competition(eventId, { status: 'CANCELLED' });
		const foreign = await stage.competition(await stage.event());
		const rider = stage.member({ status: 'SUSPENDED', homeClubId: null, homeClubName: null });
		const horse = stage.horse({ birthYear: 2021, status: 'RETIRED' });
		const body = {
			riderMemberId: rider.id,
			horseId: horse.id,
			starts: [young, cancelled, foreign].map((competitionId) => ({ competitionId })),
		};
		const { status, data } = await call('POST', path, { token: events.officer, body });
		expect([status, data.code]).toEqual([422, 'ENTRY_NOT_ALLOWED']);
		const checks = data['checks'] as EntryCheck[];
		expect(checks.map(({ level, code }) => `${level} ${code}`)).toEqual([
			'ERROR RIDER_ON_SUSPENSION_LIST',
			'WARNING HOME_CLUB_MISSING',
			'ERROR HORSE_NOT_ACTIVE',
			'ERROR AGE_CLASS_MISMATCH',
			'ERROR HORSE_TOO_YOUNG',
			'ERROR COMPETITION_CANCELLED',
			'ERROR COMPETITION_UNKNOWN',
		]);
		expect(checks.find(({ code }) => code === 'AGE_CLASS_MISMATCH')?.message).toBe(
			'Eva Zügelbauer counts as 34 in 2026; A (no. 900) is for YOUTH (8 to 15).',
		);
		expect(await desk.stored(eventId)).toEqual([]);
	});

	test('refuses unknown riders and horses as a rule, not as a fault of the request', async () => {
		const competitionId = await stage.competition(eventId);
		const body = { riderMemberId: randomUUID(), horseId: randomUUID(), starts: [{ competitionId }] };
		const codes = async (token: string) => {
			const { status, data } = await call('POST', path, { token, body });
			return [status, (data['checks'] as EntryCheck[]).map(({ code }) => code)];
		};
		expect(await codes(events.officer)).toEqual([422, ['RIDER_UNKNOWN', 'HORSE_UNKNOWN']]);
		expect(await codes(desk.organiser)).toEqual([422, ['RIDER_NOT_ELIGIBLE', 'HORSE_NOT_ELIGIBLE']]);
	});

	test('accepts a horse once per event, and again after a withdrawal', async () => {
		const competitionId = await stage.competition(eventId);
		const body = desk.pair(competitionId);
		const first = await call<Entry>('POST', path, { token: desk.organiser, body });
		const again = await call('POST', path, {
			token: desk.organiser,
			body: { ...body, riderMemberId: stage.member().id },
		});
		expect([again.status, again.data['checks']]).toMatchObject([
			422,
			[{ code: 'ENTRY_DUPLICATE' }, { code: 'HORSE_TWICE_IN_COMPETITION' }],
		]);
		await call('POST', `${path}/${first.data.id}/withdraw`, { token: desk.organiser });
		expect((await call('POST', path, { token: desk.organiser, body })).status).toBe(201);
	});

	test('accepts three horses of a rider per competition', async () => {
		const competitionId = await stage.competition(eventId);
		const body = desk.pair(competitionId);
		const ride = () =>
			call('POST', path, { token: desk.organiser, body: { ...body, horseId: stage.horse().id } });
		expect([(await ride()).status, (await ride()).status, (await ride()).status]).toEqual([201, 201, 201]);
		const fourth = await ride();
		expect([fourth.status, fourth.data['checks']]).toMatchObject([422, [{ code: 'RIDER_TOO_MANY_HORSES' }]]);
		const elsewhere = await stage.competition(eventId);
		const starts = [{ competitionId: elsewhere }];
		expect((await call('POST', path, { token: desk.organiser, body: { ...body, starts } })).status).toBe(201);
	});

	test('says 404 for an unknown event and for a draft of others', async () => {
		const draft = await stage.event({ status: 'DRAFT' });
		for (const id of [draft, randomUUID()]) {
			const response = await call('POST', `/api/events/${id}/entries`, {
				token: events.sign({ memberId: stage.member().id }),
				body: desk.pair(randomUUID()),
			});
			expect([response.status, response.data.code]).toEqual([404, 'NOT_FOUND']);
		}
		const own = await call('POST', `/api/events/${draft}/entries`, {
			token: desk.organiser,
			body: desk.pair(await stage.competition(draft)),
		});
		expect([own.status, own.data['checks']]).toMatchObject([422, [{ code: 'EVENT_NOT_OPEN' }]]);
	});
});
