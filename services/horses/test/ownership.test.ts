import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import { sql } from 'kysely';
import type { Horse } from '../src/horses/schemas.ts';
import type { Ownership, Transfer } from '../src/ownership/schemas.ts';
import { insertPeriod } from '../src/ownership/store.ts';
import { useHorses } from './running-horses.ts';
import { waitingBehind } from './waiting-behind.ts';

const horses = useHorses();

function transfer<Data = TestFailure>(id: string, body: object, token = horses.officer, headers = {}) {
	return horses.call<Data>('POST', `/api/horses/${id}/ownership`, { token, body, headers });
}

async function history(id: string, query = ''): Promise<Ownership['periods']> {
	const path = `/api/horses/${id}/ownership${query}`;
	return (await horses.call<Ownership>('GET', path, { token: horses.officer })).data.periods;
}

const party = (name: string, sharePercent: number | null = null) => ({
	externalParty: { name, countryCode: 'AT' },
	sharePercent,
});
const ownerNames = (periods: Ownership['periods']) =>
	periods.map(({ from, to, owners }) => [from, to, ...owners.map((owner) => owner.externalParty?.name)]);

const since2020 = { registeredOn: '2020-01-01', owners: [party('Erste')] };

describe('POST /api/horses/{id}/ownership', () => {
	test('ends the period before on the day before, and changes the horse’s owners and version', async () => {
		const horse = await horses.register(since2020);
		const memberId = horses.peers.member();
		const owners = [{ memberId, sharePercent: 59.5 }, party('Zweite', 40.5)];
		const { status, data, headers } = await transfer<Transfer>(horse.id, { from: '2024-03-01', owners });
		expect(status).toBe(201);
		expect(headers.get('location')).toBe(`/api/horses/${horse.id}/ownership?on=2024-03-01`);
		const now = [
			{ memberId, externalParty: null, sharePercent: 59.5 },
			{ memberId: null, ...party('Zweite', 40.5) },
		];
		expect(data).toEqual({
			horseId: horse.id,
			from: '2024-03-01',
			to: null,
			owners: now,
			status: 'COMPLETED',
			transferId: null,
		});
		expect(await history(horse.id)).toEqual([
			{ from: '2024-03-01', to: null, owners: now },
			{ from: '2020-01-01', to: '2024-02-29', owners: [{ memberId: null, ...party('Erste') }] },
		]);
		const read = await horses.call<Horse>('GET', `/api/horses/${horse.id}`, { token: horses.officer });
		expect([read.data.owners, read.data.version]).toEqual([now, 2]);
	});

	test.each([
		['a day ahead', { from: '2026-05-02' }, ['from INVALID_RANGE']],
		['no day', { from: undefined }, ['from REQUIRED']],
		['30 February', { from: '2024-02-30' }, ['from INVALID_FORMAT']],
		['no owner', { owners: [] }, ['owners INVALID_LENGTH']],
		['shares of 101', { owners: [party('A', 60), party('B', 41)] }, ['owners INVALID_RANGE']],
		[
			'a share of none',
			{ owners: [party('A', 100), party('B', 0)] },
			['owners[1].sharePercent INVALID_RANGE'],
		],
		['one share of two', { owners: [party('A', 100), party('B')] }, ['owners[1].sharePercent REQUIRED']],
		[
			'both kinds of owner',
			{ owners: [{ ...party('A'), memberId: randomUUID() }] },
			['owners[0].memberId REQUIRED'],
		],
		[
			'21 owners',
			{ owners: Array.from({ length: 21 }, (_, index) => party(`O${index}`)) },
			['owners INVALID_LENGTH'],
		],
		['another period’s end', { to: '2025-01-01' }, ['to UNKNOWN_FIELD']],
	])('refuses %s', async (_what, changes, expected) => {
		const horse = await horses.register(since2020);
		const body = { from: '2024-03-01', owners: [party('Zweite')], ...changes };
		const { status, data } = await transfer(horse.id, body);
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual(expected);
		expect(await history(horse.id)).toHaveLength(1);
	});

	test('says that a share must be greater than 0', async () => {
		const horse = await horses.register(since2020);
		const owners = [party('A', 100), party('B', 0)];
		const { data } = await transfer(horse.id, { from: '2024-03-01', owners });
		expect(data.errors?.map(({ message }) => message)).toEqual(['must be greater than 0']);
	});

	test('refuses an owner twice', async () => {
		const horse = await horses.register(since2020);
		const memberId = horses.peers.member();
		const { data } = await transfer(horse.id, { from: '2024-03-01', owners: [{ memberId }, { memberId }] });
		expect(data.errors).toMatchObject([{ field: 'owners[1].memberId' }]);
	});

	test('refuses a day that is not after the last transfer’s, an unknown horse, a removed one', async () => {
		const horse = await horses.register(since2020);
		const body = (from: string) => ({ from, owners: [party('Zweite')] });
		for (const from of ['2020-01-01', '2019-12-31']) {
			const { status, data } = await transfer(horse.id, body(from));
			expect([status, data.code, data['previousFrom']]).toEqual([
				409,
				'OWNERSHIP_NOT_AFTER_PREVIOUS',
				'2020-01-01',
			]);
		}
		expect((await transfer(horse.id, body('2020-01-02'))).status).toBe(201);
		expect((await transfer(randomUUID(), body('2024-01-01'))).status).toBe(404);
		await horses.call('DELETE', `/api/horses/${horse.id}`, { token: horses.officer });
		expect((await transfer(horse.id, body('2024-01-01'))).data.code).toBe('HORSE_INACTIVE');
	});

	test('a seller gets the same response to the same request, and can’t sell the horse again', async () => {
		const seller = horses.person();
		const horse = await horses.register({ ...since2020, owners: [{ memberId: seller.memberId }] });
		const body = { from: '2025-01-01', owners: [{ memberId: horses.peers.member() }] };
		const headers = { 'Idempotency-Key': randomUUID() };
		const first = await transfer<Transfer>(horse.id, body, seller.token, headers);
		const again = await transfer<Transfer>(horse.id, body, seller.token, headers);
		expect([first.status, again.status, again.data]).toEqual([201, 201, first.data]);
		const other = await transfer(horse.id, { ...body, from: '2025-01-02' }, seller.token, headers);
		expect(other.data.code).toBe('IDEMPOTENCY_KEY_REUSED');
		const anew = await transfer(horse.id, { ...body, from: '2025-01-02' }, seller.token);
		expect([anew.status, anew.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
		expect(await history(horse.id)).toHaveLength(2);
	});

	test('two concurrent sales by an owner make one', async () => {
		const seller = horses.person();
		const horse = await horses.register({ ...since2020, owners: [{ memberId: seller.memberId }] });
		const sell = (from: string) => transfer(horse.id, { from, owners: [party('Käufer')] }, seller.token);
		// All three have been found to be the owner's before the first of them is made.
		const responses = await waitingBehind(
			horses.db,
			(transaction) => sql`select 1 from horses where id = ${horse.id} for update`.execute(transaction),
			['2025-01-01', '2025-01-02', '2025-01-03'].map((from) => () => sell(from)),
		);
		expect(responses.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
		expect(await history(horse.id)).toHaveLength(2);
	});

	test('of 50 transfers at once the periods stay contiguous and the shares whole', async () => {
		const horse = await horses.register(since2020);
		const day = (index: number) => new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
		const responses = await Promise.all(
			Array.from({ length: 50 }, (_, index) =>
				transfer(horse.id, {
					from: day(index % 40),
					owners: [party(`A${index}`, 33.33), party(`B${index}`, 66.67)],
				}),
			),
		);
		const made = responses.filter(({ status }) => status === 201);
		const refused = responses.filter(({ status }) => status !== 201);
		expect(new Set(refused.map(({ data }) => data.code))).toEqual(new Set(['OWNERSHIP_NOT_AFTER_PREVIOUS']));
		const periods = await history(horse.id);
		expect(periods).toHaveLength(made.length + 1);
		expect(made.length).toBeGreaterThan(0);
		for (const [index, { from }] of periods.entries()) {
			const earlier = periods[index + 1];
			if (earlier === undefined) continue;
			const dayAfter = new Date(Date.parse(`${earlier.to}T00:00:00Z`) + 86_400_000);
			expect(dayAfter.toISOString().slice(0, 10)).toBe(from);
		}
		for (const { owners } of periods.slice(0, -1))
			expect(owners.reduce((sum, { sharePercent }) => sum + (sharePercent ?? 0), 0)).toBeCloseTo(100, 8);
		expect((await horses.stored(horse.id))?.version).toBe(made.length + 1);
	});

	test('a period that is only half there is not there', async () => {
		const horse = await horses.register(since2020);
		const memberId = horses.peers.member();
		// The same member twice, which the schema refuses: tests the constraint of the table.
		const bad = { from: '2024-01-01', owners: [{ memberId }, { memberId }] };
		await expect(
			horses.db.transaction().execute(async (transaction) => {
				const owners = bad.owners.map((owner) => ({ ...owner, externalParty: null, sharePercent: null }));
				await insertPeriod(transaction, horse.id, { from: bad.from, owners });
			}),
		).rejects.toMatchObject({ code: '23505' });
		expect(await history(horse.id)).toHaveLength(1);
	});
});

describe('GET /api/horses/{id}/ownership', () => {
	test('returns the owners on a day, from the registration on', async () => {
		const { id } = await horses.register(since2020);
		await transfer(id, { from: '2022-02-01', owners: [party('Zweite')] });
		await transfer(id, { from: '2024-03-01', owners: [party('Dritte')] });
		const on = async (day: string) => ownerNames(await history(id, `?on=${day}`));
		expect(await on('2019-12-31')).toEqual([]);
		expect(await on('2020-01-01')).toEqual([['2020-01-01', '2022-01-31', 'Erste']]);
		expect(await on('2022-01-31')).toEqual([['2020-01-01', '2022-01-31', 'Erste']]);
		expect(await on('2022-02-01')).toEqual([['2022-02-01', '2024-02-29', 'Zweite']]);
		expect(await on('2024-02-29')).toEqual([['2022-02-01', '2024-02-29', 'Zweite']]);
		expect(await on('2026-05-01')).toEqual([['2024-03-01', null, 'Dritte']]);
		expect(ownerNames(await history(id)).map(([from]) => from)).toEqual([
			'2024-03-01',
			'2022-02-01',
			'2020-01-01',
		]);
	});

	test('refuses an invalid day', async () => {
		const { id } = await horses.register(since2020);
		const { status, data } = await horses.call('GET', `/api/horses/${id}/ownership?on=gestern`, {
			token: horses.officer,
		});
		expect([status, data.code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
	});
});
