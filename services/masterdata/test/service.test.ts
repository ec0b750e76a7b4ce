import { describe, expect, test } from '@jest/globals';
import { seed } from '@paddock/database';
import { openApiDocument } from '@paddock/service/openapi';
import { silentLogger } from '@paddock/telemetry';
import { checkLostDatabase, namedSchemas, openTestPool } from '@paddock/testing';
import { sql } from 'kysely';
import { removeDemo } from '../src/demo.ts';
import { masterdataRoutes } from '../src/routes.ts';
import { seedSets } from '../src/seed.ts';
import { useMasterdata } from './running-masterdata.ts';

const logger = silentLogger();
const masterdata = useMasterdata();

async function count(table: 'countries' | 'states' | 'ageClasses' | 'venues' | 'arenas'): Promise<number> {
	const { total } = await masterdata.db
		.selectFrom(table)
		.select(sql<number>`count(*)`.as('total'))
		.executeTakeFirstOrThrow();
	return total;
}

async function startOnce(DEMO: boolean): Promise<void> {
	await (await masterdata.another({ DATABASE_POOL_MAX: 2, DEMO })).close();
}

describe('the seed', () => {
	test('fills a new database', async () => {
		expect([await count('countries'), await count('states'), await count('ageClasses')]).toEqual([
			249, 9, 19,
		]);
		expect(await count('venues')).toBe(0);
	});

	test('neither overwrites nor restores rows at a later start', async () => {
		const { db } = masterdata;
		await db.updateTable('countries').set({ nameEn: 'Swissland' }).where('isoAlpha2', '=', 'CH').execute();
		await db.deleteFrom('countries').where('isoAlpha2', '=', 'AQ').execute();
		await startOnce(false);
		expect(await count('countries')).toBe(248);
		const swiss = db.selectFrom('countries').select('nameEn').where('isoAlpha2', '=', 'CH');
		expect(await swiss.executeTakeFirst()).toEqual({ nameEn: 'Swissland' });
	});

	test('of a changed table adds missing rows only, identified by any code', async () => {
		const changed = seedSets.map((set) => ({ ...set, name: `${set.name}-changed` }));
		await seed(masterdata.db, changed, logger);
		expect([await count('countries'), await count('states'), await count('ageClasses')]).toEqual([
			249, 9, 19,
		]);
	});

	test('is inserted once by many processes that start at the same moment', async () => {
		let inserted = 0;
		const set = {
			name: 'racing',
			insert: async () => {
				inserted++;
			},
		};
		const pools = Array.from({ length: 4 }, () => openTestPool(masterdata.databaseUrl));
		await Promise.all(pools.map((pool) => seed(pool, [set], logger)));
		await Promise.all(pools.map((pool) => pool.destroy()));
		expect(inserted).toBe(1);
	});

	test('leaves no mark when it fails half-way', async () => {
		const broken = {
			name: 'broken',
			insert: async () => {
				throw new Error('half-way');
			},
		};
		await expect(seed(masterdata.db, [broken], logger)).rejects.toThrow('half-way');
		const marks = await masterdata.db.selectFrom('seedMarks').select('name').execute();
		expect(marks.map(({ name }) => name)).not.toContain('broken');
	});
});

test('demo venues are created only if configured, are marked, and are not created again after their removal', async () => {
	await startOnce(false);
	expect(await count('venues')).toBe(0);
	await startOnce(true);
	await startOnce(true);
	const venues = await masterdata.db.selectFrom('venues').select('isDemo').execute();
	expect(venues).toEqual([{ isDemo: true }, { isDemo: true }, { isDemo: true }]);
	expect(await count('arenas')).toBe(7);
	const shown = await masterdata.call<{ items: { name: string }[] }>('GET', '/api/masterdata/venues');
	expect(shown.data.items).toHaveLength(3);
	expect(await removeDemo(masterdata.db)).toBe(3);
	await startOnce(true);
	expect([await count('venues'), await count('arenas')]).toEqual([0, 0]);
});

describe('the documentation', () => {
	const document = openApiDocument({
		title: 'Master data',
		version: '0',
		description: '',
		tags: [],
		routes: masterdataRoutes,
	});

	test('names every route, its body and its response', () => {
		expect(Object.keys(document.paths ?? {})).toHaveLength(22);
		const schemas = Object.keys(document.components?.schemas ?? {});
		for (const name of ['Country', 'State', 'AgeClass', 'Venue', 'Arena'])
			expect(schemas).toEqual(expect.arrayContaining([name, `${name}Body`, `${name}Page`]));
	});

	test('has examples that the schemas allow', () => {
		const withExample = namedSchemas(masterdataRoutes).filter(({ example }) => example !== undefined);
		expect(withExample.length).toBeGreaterThan(20);
		for (const { schema, name, example } of withExample)
			expect([name, schema.safeParse(example).error?.issues]).toEqual([name, undefined]);
	});
});

test('a lost database gets 503 with Retry-After; readiness reports it; both recover automatically', () =>
	checkLostDatabase(masterdata, '/api/masterdata/countries/by-code/AT'));
