import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { eventually, type TestFailure } from '@paddock/testing';
import { sql } from 'kysely';
import type { Horse } from '../src/horses/schemas.ts';
import type { Pedigree } from '../src/pedigree/schemas.ts';
import { lockPedigrees } from '../src/pedigree/store.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

const stallion = (birthYear: number, changes: object = {}) =>
	horses.register({ sex: 'STALLION', birthYear, ...changes });
const mare = (birthYear: number, changes: object = {}) =>
	horses.register({ sex: 'MARE', birthYear, ...changes });

function change<Data = TestFailure>(horse: Horse, changes: object) {
	return horses.call<Data>('PUT', `/api/horses/${horse.id}`, {
		token: horses.officer,
		body: {
			name: horse.name,
			sex: horse.sex,
			birthYear: horse.birthYear,
			microchip: horse.microchip,
			sireId: horse.sireId,
			damId: horse.damId,
			...changes,
		},
	});
}

async function pedigreeOf(id: string, query = ''): Promise<Pedigree> {
	const path = `/api/horses/${id}/pedigree${query}`;
	return (await horses.call<Pedigree>('GET', path, { token: horses.stranger })).data;
}

describe('GET /api/horses/{id}/pedigree', () => {
	test('shows a family as a tree and by Kekule’s numbers', async () => {
		const grandsire = await stallion(2000, { name: 'Großvater' });
		const granddam = await mare(2001, { name: 'Großmutter', sireName: 'Ahn' });
		const sire = await stallion(2008, { name: 'Vater', sireId: grandsire.id, damId: granddam.id });
		const dam = await mare(2009, { name: 'Mutter' });
		const foal = await mare(2018, { name: 'Fohlen', sireId: sire.id, damId: dam.id, damSireName: 'Gehört' });
		expect(foal).toMatchObject({ sireName: 'Vater', damName: 'Mutter', damSireName: 'Gehört' });
		const { horse, ancestors, generations } = await pedigreeOf(foal.id);
		expect(generations).toBe(4);
		expect([horse.number, horse.id, horse.sire?.id, horse.dam?.name]).toEqual([
			1,
			foal.id,
			sire.id,
			'Mutter',
		]);
		expect(ancestors.map(({ number, name, id }) => [number, name, id])).toEqual([
			[2, 'Vater', sire.id],
			[3, 'Mutter', dam.id],
			[4, 'Großvater', grandsire.id],
			[5, 'Großmutter', granddam.id],
			[6, 'Gehört', null],
			[10, 'Ahn', null],
		]);
		const short = await pedigreeOf(foal.id, '?generations=1');
		expect(short.ancestors.map(({ number }) => number)).toEqual([2, 3]);
		expect(short.horse.sire).not.toHaveProperty('sire');
	});

	test('goes six generations back, and shows an ancestor in each of its places', async () => {
		const root = await stallion(1981, { name: 'Stammvater' });
		let sire = root;
		for (let generation = 1; generation <= 7; generation++)
			sire = await stallion(1981 + 4 * generation, { name: `G${generation}`, sireId: sire.id });
		const dam = await mare(1990, { sireId: root.id });
		const foal = await mare(2020, { sireId: sire.id, damId: dam.id });
		const { ancestors } = await pedigreeOf(foal.id, '?generations=6');
		expect(ancestors.map(({ number, name }) => [number, name])).toEqual([
			[2, 'G7'],
			[3, 'Prüfling'],
			[4, 'G6'],
			[6, 'Stammvater'],
			[8, 'G5'],
			[16, 'G4'],
			[32, 'G3'],
			[64, 'G2'],
		]);
	});

	test.each(['0', '7', 'x', '1.5'])('refuses %s generations', async (generations) => {
		const { id } = await mare(2016);
		const path = `/api/horses/${id}/pedigree?generations=${generations}`;
		const { status, data } = await horses.call('GET', path, { token: horses.stranger });
		expect([status, data.errors?.[0]?.field]).toEqual([400, 'generations']);
	});

	test('of an unknown horse is not found', async () => {
		for (const part of ['pedigree', 'offspring']) {
			const path = `/api/horses/${randomUUID()}/${part}`;
			expect((await horses.call('GET', path, { token: horses.stranger })).data.code).toBe('NOT_FOUND');
		}
	});
});

test('GET /api/horses/{id}/offspring lists those of a sire and of a dam, the youngest first', async () => {
	const sire = await stallion(2000);
	const dam = await mare(2000);
	const removed = await mare(2012, { sireId: sire.id });
	await horses.call('DELETE', `/api/horses/${removed.id}`, { token: horses.officer });
	await mare(2010, { name: 'Alt', sireId: sire.id, damId: dam.id });
	await mare(2015, { name: 'Jung', sireId: sire.id });
	const names = async (id: string, query = '') => {
		const path = `/api/horses/${id}/offspring${query}`;
		const { data } = await horses.call<Page<Horse>>('GET', path, { token: horses.stranger });
		return data.items.map(({ name }) => name);
	};
	expect(await names(sire.id)).toEqual(['Jung', 'Alt']);
	expect(await names(sire.id, '?sort=birthYear&size=1')).toEqual(['Alt']);
	expect(await names(dam.id)).toEqual(['Alt']);
});

describe('a linked parent', () => {
	test.each([
		['a mare as sire', 'sireId', { sex: 'MARE', birthYear: 2000 }, 'WRONG_PARENT_SEX'],
		['a stallion as dam', 'damId', { sex: 'STALLION', birthYear: 2000 }, 'WRONG_PARENT_SEX'],
		['a gelding as dam', 'damId', { sex: 'GELDING', birthYear: 2000 }, 'WRONG_PARENT_SEX'],
		['a sire one year older', 'sireId', { sex: 'STALLION', birthYear: 2015 }, 'PARENT_TOO_YOUNG'],
		['a younger dam', 'damId', { sex: 'MARE', birthYear: 2020 }, 'PARENT_TOO_YOUNG'],
	])('is not %s', async (_what, field, parent, code) => {
		const { id: parentId } = await horses.register(parent);
		const created = await horses.tryToRegister({ birthYear: 2016, [field]: parentId });
		expect([created.status, created.data.code, created.data['field'], created.data['parentId']]).toEqual([
			422,
			code,
			field,
			parentId,
		]);
		const horse = await mare(2016);
		expect((await change(horse, { [field]: parentId })).data.code).toBe(code);
		expect(await horses.stored(horse.id)).toMatchObject({ sireId: null, damId: null, version: 1 });
	});

	test('may be a gelding, which was a stallion once, and two years older', async () => {
		const { id: sireId } = await horses.register({ sex: 'GELDING', birthYear: 2014 });
		expect(await mare(2016, { sireId, sireName: 'Überstimmt' })).toMatchObject({
			sireId,
			sireName: 'Prüfling',
		});
	});

	test('is registered, and not removed; one that was removed later stays', async () => {
		const sire = await stallion(2000);
		const child = await mare(2016, { sireId: sire.id });
		await horses.call('DELETE', `/api/horses/${sire.id}`, { token: horses.officer });
		const { data } = await horses.tryToRegister({ birthYear: 2016, sireId: sire.id, damId: randomUUID() });
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`)).toEqual([
			'sireId INVALID_REFERENCE',
			'damId INVALID_REFERENCE',
		]);
		expect((await change(child, { birthYear: 2017 })).status).toBe(200);
		expect((await pedigreeOf(child.id)).ancestors).toMatchObject([
			{ number: 2, id: sire.id, status: 'INACTIVE' },
		]);
	});

	test('is not the horse itself, nor one of its offspring', async () => {
		const first = await stallion(2000);
		const second = await mare(2005, { sireId: first.id });
		const third = await stallion(2010, { damId: second.id });
		for (const parent of [{ sireId: first.id }, { damId: second.id }, { sireId: third.id }]) {
			const { status, data } = await change(first, parent);
			expect([status, data.code]).toEqual([422, 'PEDIGREE_CYCLE']);
		}
	});

	test('can’t be changed so that a child breaks', async () => {
		const sire = await stallion(2010);
		const child = await mare(2013, { sireId: sire.id });
		for (const changes of [{ sex: 'MARE' }, { birthYear: 2012 }]) {
			const { status, data } = await change(sire, changes);
			expect([status, data.code, data['childIds']]).toEqual([409, 'CHILD_WOULD_BREAK', [child.id]]);
		}
		expect((await change(sire, { sex: 'GELDING' })).status).toBe(200);
		expect((await change({ ...sire, sex: 'GELDING' }, { birthYear: 2011 })).status).toBe(200);
		const tooOld = await change(child, { birthYear: 2012 });
		expect(tooOld.data.code).toBe('PARENT_TOO_YOUNG');
	});
});

async function hasWaiter(): Promise<boolean> {
	const { rows } = await sql`
		select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
		where datname = current_database() and locktype = 'advisory' and not granted`.execute(horses.db);
	return rows.length === 1;
}

describe('changes of a family at the same moment', () => {
	test('two that would close a cycle: one fails', async () => {
		for (let round = 0; round < 5; round++) {
			// Each may be the other's sire as far as its own record says: both are made old and young in one step.
			const [a, b] = [await stallion(2010), await stallion(2010)];
			const responses = await Promise.all([
				change(a, { sireId: b.id, birthYear: 2013 }),
				change(b, { sireId: a.id, birthYear: 2016 }),
			]);
			expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
			const lost = responses.find(({ status }) => status !== 200);
			expect(['PEDIGREE_CYCLE', 'PARENT_TOO_YOUNG', 'CHILD_WOULD_BREAK']).toContain(lost?.data.code);
			const rows = [await horses.stored(a.id), await horses.stored(b.id)];
			expect(rows.filter((row) => row?.sireId !== null)).toHaveLength(1);
		}
	});

	test('a foal that is registered while its sire becomes a mare: one fails', async () => {
		for (let round = 0; round < 5; round++) {
			const sire = await stallion(2000);
			const [changed, foal] = await Promise.all([
				change(sire, { sex: 'MARE' }),
				horses.tryToRegister({ birthYear: 2016, sireId: sire.id }),
			]);
			expect([changed.status, foal.status]).not.toEqual([200, 201]);
			expect([changed.status === 200, foal.status === 201]).toContain(true);
		}
	});

	test('wait for each other, and other changes don’t wait', async () => {
		const [horse, sire] = [await mare(2016), await stallion(2000)];
		const held = Promise.withResolvers<void>();
		const locked = Promise.withResolvers<void>();
		const holder = horses.db.transaction().execute(async (transaction) => {
			await lockPedigrees(transaction);
			locked.resolve();
			await held.promise;
		});
		await locked.promise;
		const waiting = change(horse, { sireId: sire.id });
		try {
			await eventually('the change waits for the lock', hasWaiter, 5_000);
			expect((await change(sire, { colour: 'Rappe' })).status).toBe(200);
			expect((await horses.stored(horse.id))?.sireId).toBeNull();
		} finally {
			held.resolve();
			await holder;
		}
		expect((await waiting).status).toBe(200);
	});
});
