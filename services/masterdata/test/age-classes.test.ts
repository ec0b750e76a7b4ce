import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { timesOf } from '@paddock/testing';
import type { AgeClass } from '../src/age-classes/schemas.ts';
import { useMasterdata } from './running-masterdata.ts';

const path = '/api/masterdata/age-classes';
const masterdata = useMasterdata();
const { call } = masterdata;

interface Applicable {
	ageInYear: number;
	ageOnDate: number;
	ageClasses: AgeClass[];
}

/** In a category of its own discipline, so that it meets no seeded class. */
function vaulting(code: string, changes: Partial<AgeClass> = {}) {
	return {
		code,
		ruleset: 'FEI' as const,
		nameEn: 'Vaulters',
		nameDe: 'Voltigierer',
		category: 'RIDER' as const,
		discipline: 'VAULTING',
		minAge: 120,
		maxAge: 130,
		legalReference: 'FEI Vaulting Rules, Art. 719',
		validFrom: null,
		validTo: null,
		...changes,
	};
}

async function create(code: string, changes: Partial<AgeClass> = {}): Promise<AgeClass> {
	const { status, data } = await call<AgeClass>('POST', path, {
		token: masterdata.officer,
		body: vaulting(code, changes),
	});
	expect(status).toBe(201);
	return data;
}

async function applicable(query: string) {
	const { data } = await call<Applicable>('GET', `${path}/applicable?${query}`);
	return { ...data, ageClasses: data.ageClasses.map(({ ruleset, code }) => `${ruleset} ${code}`) };
}

function storedRow(id: string) {
	return masterdata.db.selectFrom('ageClasses').selectAll().where('id', '=', id).executeTakeFirst();
}

describe('GET /age-classes/applicable', () => {
	test('counts by calendar year: born on New Year’s Eve 2010, a junior the day after the 15th birthday', async () => {
		expect(await applicable('dateOfBirth=2010-12-31&date=2026-01-01&ruleset=OETO')).toEqual({
			ageInYear: 16,
			ageOnDate: 15,
			ageClasses: ['OETO JUNIOR', 'OETO YOUNG_RIDER', 'OETO U25'],
		});
	});

	test('finds youth and the dressage children together', async () => {
		const found = await applicable('dateOfBirth=2012-06-01&date=2026-04-01&ruleset=OETO');
		expect(found.ageClasses).toEqual(['OETO YOUTH', 'OETO CHILDREN_DRESSAGE']);
	});

	test('finds the classes of a discipline', async () => {
		const found = await applicable('dateOfBirth=2012-06-01&date=2026-04-01&ruleset=OETO&discipline=DRIVING');
		expect(found.ageClasses).toEqual(['OETO YOUTH', 'OETO JUNIOR']);
	});

	test('covers both rulesets unless one is named, and ponies on request', async () => {
		const riders = await applicable('birthDate=2012-06-01&date=2026-04-01');
		expect(riders.ageClasses).toEqual(['FEI CHILDREN', 'FEI JUNIOR', 'OETO YOUTH', 'OETO CHILDREN_DRESSAGE']);
		const pony = await applicable('dateOfBirth=2012-06-01&date=2026-04-01&category=PONY');
		expect(pony.ageClasses).toEqual(['FEI PONY', 'OETO YOUTH']);
	});

	test('uses today in Austria without a date', async () => {
		const startedAt = masterdata.clock.now().getTime();
		const newYear = new Date('2026-12-31T23:00:00Z').getTime();
		masterdata.clock.advance(newYear - 1 - startedAt);
		expect(await applicable('dateOfBirth=2010-01-01')).toMatchObject({ ageInYear: 16, ageOnDate: 16 });
		masterdata.clock.advance(1);
		expect(await applicable('dateOfBirth=2010-01-01')).toMatchObject({ ageInYear: 17, ageOnDate: 17 });
		masterdata.clock.advance(startedAt - newYear);
	});

	test('leaves out a class before its first day and after its last', async () => {
		await create('SEASON', { validFrom: '2026-05-01', validTo: '2026-05-31' });
		const on = async (date: string) => (await applicable(`dateOfBirth=1901-01-01&date=${date}`)).ageClasses;
		expect(await on('2026-04-30')).not.toContain('FEI SEASON');
		expect(await on('2026-05-01')).toContain('FEI SEASON');
		expect(await on('2026-05-31')).toContain('FEI SEASON');
		expect(await on('2026-06-01')).not.toContain('FEI SEASON');
	});

	test('refuses a birth after the date, days that do not exist, and names all that is wrong', async () => {
		const later = await call('GET', `${path}/applicable?dateOfBirth=2026-01-02&date=2026-01-01`);
		expect([later.status, later.data.code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
		expect(later.data.errors).toMatchObject([{ field: 'dateOfBirth', code: 'INVALID_RANGE' }]);
		const wrong = await call(
			'GET',
			`${path}/applicable?dateOfBirth=2026-02-29&date=1899-12-31&ruleset=IOC&category=DOG`,
		);
		expect(wrong.data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'category INVALID_FORMAT',
			'date INVALID_RANGE',
			'dateOfBirth INVALID_FORMAT',
			'ruleset INVALID_FORMAT',
		]);
		const missing = await call('GET', `${path}/applicable`);
		expect(missing.data.errors).toMatchObject([{ field: 'dateOfBirth', code: 'REQUIRED' }]);
	});
});

describe('GET /age-classes', () => {
	test('lists the seeded ones, with their source', async () => {
		const { data, headers } = await call<Page<AgeClass>>('GET', `${path}?ruleset=OETO`);
		expect(data.pagination.totalElements).toBe(13);
		expect(data.items.find(({ code, discipline }) => code === 'JUNIOR' && discipline === null)).toMatchObject(
			{
				minAge: 16,
				maxAge: 18,
				legalReference: 'OeTO 2026 §12(2)',
			},
		);
		expect(headers.get('cache-control')).toBe(
			'public, max-age=60, stale-while-revalidate=30, stale-if-error=86400',
		);
		const pony = await call<Page<AgeClass>>('GET', `${path}?category=PONY&sort=-maxAge,code`);
		expect(pony.data.items.map(({ ruleset, code }) => `${ruleset} ${code}`)).toEqual([
			'OETO GENERAL',
			'FEI PONY',
			'OETO YOUTH',
		]);
		const dressage = await call<Page<AgeClass>>('GET', `${path}?discipline=DRESSAGE`);
		expect(dressage.data.items.map(({ code }) => code)).toEqual(['CHILDREN_DRESSAGE']);
	});

	test('refuses a query that is not valid', async () => {
		const { status, data } = await call('GET', `${path}?ruleset=oeto&sort=age`);
		expect(status).toBe(400);
		expect(data.errors?.map(({ field }) => field).sort()).toEqual(['ruleset', 'sort']);
	});
});

describe('GET /age-classes/{id}', () => {
	test('shows one record', async () => {
		const ageClass = await create('SHOWN');
		const { data, headers } = await call<AgeClass>('GET', `${path}/${ageClass.id}`);
		expect(data).toEqual({ ...vaulting('SHOWN'), id: ageClass.id, ...timesOf(data), version: 1 });
		expect(headers.get('etag')).toBe('"1"');
		expect((await call('GET', `${path}/${randomUUID()}`)).status).toBe(404);
		expect((await call('GET', `${path}/JUNIOR`)).data.code).toBe('INVALID_ID');
	});
});

describe('POST /age-classes', () => {
	test('creates, and says where', async () => {
		const { data, headers } = await call<AgeClass>('POST', path, {
			token: masterdata.officer,
			body: vaulting('NEW', { validFrom: '2027-01-01', validTo: '9999-12-31' }),
		});
		expect(data).toMatchObject({ code: 'VALIDATION_ERROR' });
		expect(headers.get('location')).toBeNull();
		const created = await create('NEW', { validFrom: '2027-01-01' });
		expect(await storedRow(created.id)).toMatchObject({
			validFrom: '2027-01-01',
			validTo: null,
			minAge: 120,
		});
	});

	test('reports all bad fields at once, bounds that are the wrong way round among them', async () => {
		const { status, data } = await call('POST', path, {
			token: masterdata.officer,
			body: {
				...vaulting('lower case', { minAge: 20, maxAge: 19, validFrom: '2026-02-01', validTo: '2026-01-31' }),
				nameDe: '',
				ruleset: 'IOC',
			},
		});
		expect(status).toBe(400);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'code INVALID_FORMAT',
			'maxAge INVALID_RANGE',
			'nameDe INVALID_LENGTH',
			'ruleset INVALID_FORMAT',
			'validTo INVALID_RANGE',
		]);
	});

	test('refuses a second definition for the same days, and accepts one for others', async () => {
		await create('TWICE', { validFrom: '2026-01-01', validTo: '2026-12-31' });
		const post = (validFrom: string | null, changes: Partial<AgeClass> = {}) =>
			call('POST', path, { token: masterdata.officer, body: vaulting('TWICE', { validFrom, ...changes }) });
		for (const validFrom of [null, '2026-12-31']) {
			const { status, data } = await post(validFrom);
			expect([validFrom, status, data.code]).toEqual([validFrom, 409, 'AGE_CLASS_TAKEN']);
		}
		expect((await post('2027-01-01')).status).toBe(201);
		expect((await post(null, { discipline: null })).status).toBe(201);
		expect((await post(null, { discipline: null })).status).toBe(409);
	});
});

describe('PUT /age-classes/{id}', () => {
	test('replaces and counts the version up', async () => {
		const ageClass = await create('CHANGED', { validFrom: '2026-01-01' });
		const { data } = await call<AgeClass>('PUT', `${path}/${ageClass.id}`, {
			token: masterdata.officer,
			headers: { 'If-Match': '"1"' },
			body: vaulting('CHANGED', { maxAge: null, validTo: '2026-12-31' }),
		});
		expect(data).toMatchObject({ maxAge: null, validFrom: null, validTo: '2026-12-31', version: 2 });
		expect(await storedRow(ageClass.id)).toMatchObject({ maxAge: null, validFrom: null, version: 2 });
	});

	test('refuses a stale If-Match, a changed version, overlapping days, an unknown record', async () => {
		await create('BEFORE', { validTo: '2026-12-31' });
		const after = await create('BEFORE', { validFrom: '2027-01-01' });
		const put = (body: object, headers = {}) =>
			call('PUT', `${path}/${after.id}`, { token: masterdata.officer, body, headers });
		expect((await put(vaulting('BEFORE'), { 'If-Match': 'W/"7"' })).status).toBe(412);
		expect((await put({ ...after, version: 5 })).status).toBe(400);
		expect((await put(vaulting('BEFORE', { validFrom: '2026-12-31' }))).data.code).toBe('AGE_CLASS_TAKEN');
		expect((await storedRow(after.id))?.version).toBe(1);
		const unknown = await call('PUT', `${path}/${randomUUID()}`, {
			token: masterdata.officer,
			body: vaulting('X'),
		});
		expect(unknown.status).toBe(404);
	});
});

test('DELETE /age-classes/{id} removes it and returns it', async () => {
	const ageClass = await create('GONE');
	const stale = await call('DELETE', `${path}/${ageClass.id}`, {
		token: masterdata.officer,
		headers: { 'If-Match': '"2"' },
	});
	expect(stale.status).toBe(412);
	const { status, data } = await call<AgeClass>('DELETE', `${path}/${ageClass.id}`, {
		token: masterdata.officer,
	});
	expect([status, data]).toEqual([200, ageClass]);
	expect(await storedRow(ageClass.id)).toBeUndefined();
	expect((await call('DELETE', `${path}/${ageClass.id}`, { token: masterdata.officer })).status).toBe(404);
});
