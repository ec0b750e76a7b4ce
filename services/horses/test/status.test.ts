import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure, TestService } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import type { HorseStatus } from '../src/horses/words.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();
/** Waits for other services for a second only. */
let impatient: TestService;

beforeAll(async () => {
	impatient = await horses.another({ PEER_TIMEOUT_MS: 2_000 });
});

function step<Data = TestFailure>(id: string, name: string, body?: object, headers = {}) {
	return horses.call<Data>('POST', `/api/horses/${id}/${name}`, {
		token: horses.officer,
		headers,
		...(body === undefined ? {} : { body }),
	});
}

function remove<Data = TestFailure>(id: string, headers = {}) {
	return horses.call<Data>('DELETE', `/api/horses/${id}`, { token: horses.officer, headers });
}

const bodies: Readonly<Record<string, object>> = {
	suspend: { statusReason: 'Influenza im Stall' },
	decease: { date: '2026-04-30', reason: 'Kolik' },
};

/** The steps to each status, for a horse whose fee is long unpaid. */
const ways: Readonly<Record<HorseStatus, readonly string[]>> = {
	ACTIVE: [],
	SUSPENDED: ['suspend'],
	RETIRED: ['retire'],
	LAPSED: ['lapse'],
	DECEASED: ['decease'],
	INACTIVE: ['suspend', 'delete'],
};

async function horseThatIs(status: HorseStatus): Promise<Horse> {
	let horse = await horses.register({ registeredOn: '2018-01-01', feePaidForYear: 2020 });
	for (const name of ways[status]) {
		const taken =
			name === 'delete' ? await remove<Horse>(horse.id) : await step<Horse>(horse.id, name, bodies[name]);
		horse = taken.data;
	}
	expect(horse.status).toBe(status);
	return horse;
}

const statuses = Object.keys(ways) as HorseStatus[];
const allowed: Readonly<Record<HorseStatus, readonly HorseStatus[]>> = {
	ACTIVE: ['SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE'],
	SUSPENDED: ['ACTIVE', 'DECEASED', 'INACTIVE'],
	RETIRED: ['ACTIVE', 'DECEASED', 'INACTIVE'],
	LAPSED: ['ACTIVE', 'DECEASED', 'INACTIVE'],
	DECEASED: ['ACTIVE'],
	INACTIVE: ['DECEASED', 'SUSPENDED'],
};
const targets: Readonly<Record<string, HorseStatus>> = {
	suspend: 'SUSPENDED',
	retire: 'RETIRED',
	lapse: 'LAPSED',
	decease: 'DECEASED',
	restore: 'SUSPENDED',
};

describe('a step of the status', () => {
	const cases = Object.keys(targets).flatMap((name) => statuses.map((from) => [name, from] as const));

	test.each(cases)('%s from %s', async (name, from) => {
		const to = targets[name] ?? 'ACTIVE';
		const horse = await horseThatIs(from);
		const before = await horses.stored(horse.id);
		const { status, data } = await step<Horse & TestFailure>(horse.id, name, bodies[name]);
		const isRestore = name === 'restore';
		if (
			isRestore
				? from === 'INACTIVE'
				: allowed[from].includes(to) && !(from === 'INACTIVE' && to === 'SUSPENDED')
		) {
			expect([status, data.status, data.version]).toEqual([200, to, horse.version + 1]);
			expect((await horses.stored(horse.id))?.status).toBe(to);
			return;
		}
		expect([status, data.code, data['from'], data['to']]).toEqual([
			409,
			'ILLEGAL_STATE_TRANSITION',
			from,
			isRestore ? 'ACTIVE' : to,
		]);
		expect([...(data['allowed'] as string[])].sort()).toEqual([...allowed[from]].sort());
		expect(await horses.stored(horse.id)).toEqual(before);
	});

	test('stores the reason, and reinstating clears it', async () => {
		const { id } = await horses.register();
		expect((await step<Horse>(id, 'suspend', { reason: ' Seuche ' })).data.statusReason).toBe('Seuche');
		expect((await step<Horse>(id, 'reinstate')).data).toMatchObject({ status: 'ACTIVE', statusReason: null });
		expect((await step<Horse>(id, 'retire')).data).toMatchObject({ status: 'RETIRED', statusReason: null });
		expect((await step<Horse>(id, 'reinstate')).data.status).toBe('ACTIVE');
	});

	test('needs its body', async () => {
		const { id } = await horses.register();
		const noReason = await step(id, 'suspend', { reason: '  ' });
		expect(noReason.data.errors).toMatchObject([{ field: 'statusReason', code: 'INVALID_LENGTH' }]);
		const noDate = await step(id, 'decease', { why: 'x' });
		expect(noDate.data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'date REQUIRED',
			'why UNKNOWN_FIELD',
		]);
	});

	test('of an unknown horse is not found; a stale If-Match refuses it', async () => {
		expect((await step(randomUUID(), 'retire')).data.code).toBe('NOT_FOUND');
		const { id } = await horses.register();
		expect((await step(id, 'retire', undefined, { 'If-Match': '"2"' })).status).toBe(412);
		expect((await step(id, 'retire', undefined, { 'If-Match': '"1"' })).status).toBe(200);
	});
});

describe('a registration', () => {
	test('lapses after more than three unpaid years only, and revives once the fee is paid', async () => {
		const paid = await horses.register({ registeredOn: '2018-01-01', feePaidForYear: 2023 });
		const early = await step(paid.id, 'lapse');
		expect([early.status, early.data.code, early.data['feePaidForYear']]).toEqual([
			422,
			'FEE_NOT_OVERDUE',
			2023,
		]);
		const horse = await horseThatIs('LAPSED');
		expect(horse.statusReason).toBe('FEE_UNPAID');
		expect((await step(horse.id, 'reinstate')).data.code).toBe('FEE_UNPAID');
		await horses.call('PUT', `/api/horses/${horse.id}`, {
			token: horses.officer,
			body: { ...horse, feePaidForYear: 2026 },
		});
		expect((await step<Horse>(horse.id, 'reinstate')).data.status).toBe('ACTIVE');
	});
});

describe('a death', () => {
	test('is recorded with its day, between birth and today, not before the last transfer', async () => {
		const { id } = await horses.register({ birthYear: 2016, registeredOn: '2020-06-01' });
		for (const date of ['2026-05-02', '2015-12-31']) {
			const { status, data } = await step(id, 'decease', { date });
			expect([status, data.errors?.[0]?.field, data.errors?.[0]?.code]).toEqual([
				400,
				'date',
				'INVALID_RANGE',
			]);
		}
		const early = await step(id, 'decease', { date: '2020-05-31' });
		expect([early.status, early.data.code]).toEqual([409, 'OWNERSHIP_AFTER_DEATH']);
		const { data } = await step<Horse>(id, 'decease', { date: '2021-01-01', reason: null });
		expect(data).toMatchObject({ status: 'DECEASED', dateOfDeath: '2021-01-01', statusReason: null });
		const owners = [{ externalParty: { name: 'Erbe', countryCode: 'AT' } }];
		const transfer = (from: string) =>
			horses.call('POST', `/api/horses/${id}/ownership`, { token: horses.officer, body: { from, owners } });
		expect((await transfer('2021-01-02')).data.code).toBe('OWNERSHIP_AFTER_DEATH');
		expect((await transfer('2020-12-31')).status).toBe(201);
	});
});

describe('DELETE /api/horses/{id}', () => {
	test('the office can read the record, and removing it again changes nothing', async () => {
		const horse = await horses.register();
		const { status, data } = await remove<Horse>(horse.id, { 'If-Match': '"1"' });
		expect([status, data.status, data.statusReason, data.version]).toEqual([200, 'INACTIVE', 'DELETED', 2]);
		const again = await remove<Horse>(horse.id, { 'If-Match': '"1"' });
		expect([again.status, again.data]).toEqual([200, data]);
		const listed = await horses.call<{ items: Horse[] }>('GET', '/api/horses?size=200', {
			token: horses.officer,
		});
		expect(listed.data.items.map(({ id }) => id)).not.toContain(horse.id);
	});

	test('restoring brings status and reason back', async () => {
		const { id } = await horses.register();
		await step(id, 'suspend', { reason: 'Seuche' });
		await remove(id);
		expect((await step<Horse>(id, 'restore')).data).toMatchObject({
			status: 'SUSPENDED',
			statusReason: 'Seuche',
			version: 4,
		});
	});

	test('refuses a stale If-Match, an unknown horse, a dead one', async () => {
		const { id } = await horses.register();
		expect((await remove(id, { 'If-Match': '"9"' })).status).toBe(412);
		expect((await remove(randomUUID())).status).toBe(404);
		await step(id, 'decease', { date: '2026-05-01' });
		expect((await remove(id)).data.code).toBe('ILLEGAL_STATE_TRANSITION');
	});

	test('refuses a horse that is entered for coming events, and looks entries up with the caller’s own token', async () => {
		const { id } = await horses.register();
		horses.peers.entered.add(id);
		const refused = await remove(id);
		expect([refused.status, refused.data.code]).toEqual([409, 'HORSE_HAS_OPEN_ENTRIES']);
		expect(horses.peers.requestsOf('events-service').at(-1)).toBe(
			`/api/events/entries?horseId=${id}&open=true&size=1`,
		);
		expect(horses.peers.credentials('events-service').at(-1)).toMatch(/^Bearer ey/);
		horses.peers.entered.delete(id);
		expect((await remove(id)).status).toBe(200);
	});

	test.each([
		['die', 503, 'SERVICE_UNAVAILABLE'],
		['hang', 504, 'UPSTREAM_TIMEOUT'],
		['nonsense', 503, 'SERVICE_UNAVAILABLE'],
	] as const)('changes nothing while the events context can’t say (%s)', async (behaviour, status, code) => {
		const { id } = await horses.register();
		await horses.peers.fail('events-service', behaviour);
		const response = await impatient.call('DELETE', `/api/horses/${id}`, { token: horses.officer });
		await horses.peers.recover('events-service');
		expect([response.status, response.data.code]).toEqual([status, code]);
		if (status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(await horses.stored(id)).toMatchObject({ status: 'ACTIVE', version: 1 });
		expect((await remove(id)).status).toBe(200);
	});

	test('calls nothing in a deployment without events', async () => {
		const alone = await horses.another({ CONTEXTS: ['auth', 'members', 'masterdata', 'horses'] });
		await horses.peers.fail('events-service', 'die');
		const { id } = await horses.register();
		const before = horses.peers.requestsOf('events-service').length;
		expect((await alone.call('DELETE', `/api/horses/${id}`, { token: horses.officer })).status).toBe(200);
		expect(horses.peers.requestsOf('events-service')).toHaveLength(before);
		await horses.peers.recover('events-service');
		await alone.close();
	});
});
