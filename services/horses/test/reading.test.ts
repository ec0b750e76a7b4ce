import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { sql } from 'kysely';
import type { Horse } from '../src/horses/schemas.ts';
import type { HorseStats } from '../src/horses/stats.ts';
import { type RunningHorses, runHorses, useHorses } from './running-horses.ts';

const horses = useHorses();
const { call } = horses;
let clubId: string;
let owner: ReturnType<RunningHorses['person']>;

/** The hand-counted stable of these tests; every horse is of one club. */
const stable = [
	{ name: 'Aurora', sex: 'MARE', dateOfBirth: '2015-06-15', birthYear: null, breed: 'Haflinger' },
	{ name: 'Ähre', sex: 'MARE', birthYear: 2015, breed: 'HAFLINGER', isPony: true, heightCm: 140 },
	{ name: 'Öse', sex: 'GELDING', birthYear: 2018, breed: 'Welsh', isPony: true, heightCm: 120 },
	{
		name: 'Omega',
		sex: 'STALLION',
		dateOfBirth: '2019-02-01',
		birthYear: null,
		breed: 'Trakehner',
		federationHorseNumber: '0007654321',
	},
	{ name: 'Zeus', sex: 'STALLION', birthYear: 2003, breed: null, feiId: '103ZE01' },
];

beforeAll(async () => {
	clubId = horses.peers.club();
	owner = horses.person();
	for (const [index, horse] of stable.entries()) {
		await horses.register({ ...horse, clubId, registeredOn: `202${index + 2}-01-01` });
		horses.clock.advance(60_000);
	}
});

async function names(query: string, path = '/api/horses'): Promise<string[]> {
	const separator = path.includes('?') ? '&' : '?';
	const { data } = await call<Page<Horse>>('GET', `${path}${separator}${query}`, { token: horses.officer });
	return data.items.map(({ name }) => name);
}

describe('GET /api/horses', () => {
	test.each([
		['', ['Ähre', 'Aurora', 'Omega', 'Öse', 'Zeus']],
		['sex=STALLION', ['Omega', 'Zeus']],
		['breed=haflinger', ['Ähre', 'Aurora']],
		['breed=Hafl', []],
		['isPony=true', ['Ähre', 'Öse']],
		['isPony=false', ['Aurora', 'Omega', 'Zeus']],
		['federationRegistered=true', ['Omega']],
		['feiRegistered=true', ['Zeus']],
		['federationRegistered=false&feiRegistered=false', ['Ähre', 'Aurora', 'Öse']],
		['bornFrom=2018', ['Omega', 'Öse']],
		['bornTo=2015', ['Ähre', 'Aurora', 'Zeus']],
		['bornFrom=2015&bornTo=2018', ['Ähre', 'Aurora', 'Öse']],
		// Of Ähre only the year is known: it may have been after the day.
		['bornFrom=2015-06-16&bornTo=2015-12-31', ['Ähre']],
		['bornFrom=2015-06-15&bornTo=2015-06-15', ['Ähre', 'Aurora']],
		['bornTo=2019-01-31', ['Ähre', 'Aurora', 'Öse', 'Zeus']],
		['updatedSince=2026-05-01T12:03:00%2B02:00', ['Omega', 'Zeus']],
		['sort=-birthYear,name', ['Omega', 'Öse', 'Ähre', 'Aurora', 'Zeus']],
		['sort=sex,-registeredOn', ['Öse', 'Ähre', 'Aurora', 'Zeus', 'Omega']],
		['sort=-createdAt&size=2', ['Zeus', 'Omega']],
		['page=2&size=2', ['Omega', 'Öse']],
		['offset=4&limit=10', ['Zeus']],
		['status=RETIRED', []],
	])('?%s finds %j', async (query, expected) => {
		expect(await names(`clubId=${clubId}&${query}`)).toEqual(expected);
	});

	test('counts pages, also beyond the last one', async () => {
		const page = async (query: string) =>
			(await call<Page<Horse>>('GET', `/api/horses?${query}`, { token: horses.officer })).data;
		expect((await page(`clubId=${clubId}&size=2`)).pagination).toMatchObject({
			page: 1,
			size: 2,
			totalElements: 5,
			totalPages: 3,
			hasNext: true,
			hasPrevious: false,
		});
		const beyond = await page(`clubId=${clubId}&page=1000000000&size=200`);
		expect([beyond.items, beyond.pagination.totalElements]).toEqual([[], 5]);
		expect((await page(`clubId=${randomUUID()}`)).pagination.totalElements).toBe(0);
	});

	test('refuses a query that is not valid, naming all that is wrong', async () => {
		const { status, data } = await call(
			'GET',
			'/api/horses?page=0&size=201&sex=HORSE&bornFrom=16&bornTo=2016-02-30&clubId=x&sort=owner&updatedSince=today',
			{ token: horses.officer },
		);
		expect([status, data.code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
		expect(data.errors?.map(({ field }) => field).sort()).toEqual([
			'bornFrom',
			'bornTo',
			'clubId',
			'page',
			'sex',
			'size',
			'sort',
			'updatedSince',
		]);
	});

	test('refuses an instant before 1900, as members do', async () => {
		const response = await call('GET', '/api/horses?updatedSince=0000-01-01T00:00:00Z', {
			token: horses.officer,
		});
		expect([response.status, response.data.errors]).toMatchObject([
			400,
			[{ field: 'updatedSince', code: 'INVALID_RANGE', message: 'must be from 1900 to 2199' }],
		]);
	});

	test('lists the horses of a present owner, not of a former one', async () => {
		const mine = await horses.register({
			name: 'Meins',
			owners: [{ memberId: owner.memberId }],
			registeredOn: '2020-01-01',
		});
		expect(await names(`ownerId=${owner.memberId}`)).toEqual(['Meins']);
		await call('POST', `/api/horses/${mine.id}/ownership`, {
			token: owner.token,
			body: { from: '2026-01-01', owners: [{ memberId: horses.peers.member() }] },
		});
		expect(await names(`ownerId=${owner.memberId}`)).toEqual([]);
	});

	test('/active leaves out the others', async () => {
		const [first, second] = [await horses.register({ name: 'Da' }), await horses.register({ name: 'Rast' })];
		await call('POST', `/api/horses/${second.id}/retire`, { token: horses.officer });
		const active = await names('updatedSince=2026-05-01T10:05:00Z', '/api/horses/active');
		expect(active).toContain(first.name);
		expect(active).not.toContain('Rast');
		expect(await names('status=RETIRED')).toEqual(['Rast']);
		const unknown = await call('GET', '/api/horses/active?status=RETIRED', { token: horses.officer });
		expect(unknown.data.errors).toMatchObject([{ field: 'status', code: 'UNKNOWN_FIELD' }]);
	});
});

describe('GET /api/horses/{id}', () => {
	test('shows one horse, with an entity tag', async () => {
		const horse = await horses.register({ name: 'Gezeigt' });
		const { data, headers } = await call<Horse>('GET', `/api/horses/${horse.id}`, { token: horses.officer });
		expect(data).toEqual(horse);
		const etag = headers.get('etag') ?? '';
		expect(etag).toMatch(/^"1\.[\w-]{27}"$/);
		expect(headers.get('cache-control')).toBe('private, no-cache');
		const again = await call('GET', `/api/horses/${horse.id}`, {
			token: horses.officer,
			headers: { 'If-None-Match': etag },
		});
		expect(again.status).toBe(304);
	});

	test('404 for unknown ones, and for removed ones except for the office', async () => {
		const send = (id: string, token = horses.stranger) => call('GET', `/api/horses/${id}`, { token });
		expect((await send(randomUUID())).data.code).toBe('NOT_FOUND');
		expect((await send('1')).data.code).toBe('INVALID_ID');
		const { id } = await horses.register();
		await call('DELETE', `/api/horses/${id}`, { token: horses.officer });
		for (const part of ['', '/pedigree', '/offspring', '/ownership'])
			expect((await send(id + part)).data.code).toBe('NOT_FOUND');
		expect((await send(id, horses.officer)).status).toBe(200);
	});
});

test('after midnight, the numbers of a large registry are those of the day before until it is counted again', async () => {
	const own = await runHorses();
	const { id } = await own.register();
	await sql`alter table horses disable trigger user, add column filler text`.execute(own.db);
	await sql`alter table horses alter filler set storage external`.execute(own.db);
	await sql`update horses set filler = repeat('x', 34000000) where id = ${id}`.execute(own.db);
	const countedAt = async () => {
		const token = own.sign({ memberId: randomUUID() });
		return (await own.call<HorseStats>('GET', '/api/horses/stats', { token })).data.countedAt;
	};
	own.clock.advance(Date.parse('2026-05-01T21:59:30Z') - own.clock.now().getTime());
	expect(await countedAt()).toBe('2026-05-01T21:59:30.000Z');
	own.clock.advance(90_000);
	expect(await countedAt()).toBe('2026-05-01T21:59:30.000Z');
	await own.close();
});

test('GET /api/horses/stats counts them', async () => {
	const own = await runHorses();
	for (const [index, horse] of stable.entries())
		await own.register({ ...horse, registeredOn: `202${index + 2}-01-01` });
	const extra = await own.register({ breed: 'haflinger', birthYear: 2018 });
	await own.call('DELETE', `/api/horses/${extra.id}`, { token: own.officer });
	const retired = await own.register({ name: 'Rast', sex: 'GELDING', breed: 'Haflinger', birthYear: 2003 });
	await own.call('POST', `/api/horses/${retired.id}/retire`, { token: own.officer });
	const { data } = await own.call<HorseStats>('GET', '/api/horses/stats', { token: own.stranger });
	expect(data).toEqual({
		countedAt: own.clock.now().toISOString(),
		total: 6,
		byStatus: [
			{ status: 'ACTIVE', count: 5 },
			{ status: 'SUSPENDED', count: 0 },
			{ status: 'RETIRED', count: 1 },
			{ status: 'LAPSED', count: 0 },
			{ status: 'DECEASED', count: 0 },
			{ status: 'INACTIVE', count: 1 },
		],
		bySex: [
			{ sex: 'STALLION', count: 2 },
			{ sex: 'MARE', count: 2 },
			{ sex: 'GELDING', count: 2 },
		],
		ponies: 2,
		byBreed: [
			{ breed: 'Haflinger', count: 3 },
			{ breed: 'Trakehner', count: 1 },
			{ breed: 'Welsh', count: 1 },
		],
		byBirthYear: [
			{ birthYear: 2019, count: 1 },
			{ birthYear: 2018, count: 1 },
			{ birthYear: 2015, count: 2 },
			{ birthYear: 2003, count: 2 },
		],
		registeredThisYear: 2,
	});
	await own.close();
});
