import { describe, expect, test } from '@jest/globals';
import { demoHorses, demoMembers } from '@paddock/demo';
import { isInternalRoute } from '@paddock/service';
import { openApiDocument } from '@paddock/service/openapi';
import { checkLostDatabase, namedSchemas } from '@paddock/testing';
import { removeDemo } from '../src/demo.ts';
import type { Horse } from '../src/horses/schemas.ts';
import type { Ownership } from '../src/ownership/schemas.ts';
import type { Pedigree } from '../src/pedigree/schemas.ts';
import { horsesRoutes } from '../src/routes.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

async function startDemo(): Promise<void> {
	await (await horses.another({ DEMO: true })).close();
}

const get = async <Data>(path: string) =>
	(await horses.call<Data>('GET', path, { token: horses.officer })).data;

describe('the demo', () => {
	test('is inserted once if configured, and not again after its removal', async () => {
		await (await horses.another()).close();
		const count = async () => (await horses.db.selectFrom('horses').select('id').execute()).length;
		expect(await count()).toBe(0);
		await startDemo();
		await startDemo();
		expect(await count()).toBe(Object.keys(demoHorses).length);
		for (const { id, ...shared } of Object.values(demoHorses)) {
			const { name, sex, headNumber, heightCm, isPony, sireName, clubId, ownerMemberIds, age } = shared;
			const horse = await get<Horse>(`/api/horses/${id}`);
			expect(horse).toMatchObject({ name, sex, headNumber, heightCm, isPony, clubId, birthYear: 2026 - age });
			expect([name, horse.sireName]).toEqual([name, sireName]);
			expect(horse.owners.map(({ memberId }) => memberId)).toEqual(ownerMemberIds);
			expect(horse.ueln).toMatch(/^040DEM\d{9}$/);
			expect(horse.microchip).toMatch(/^999\d{12}$/);
		}
	});

	test('has a family of three generations, a horse of two owners, a transfer last year, a dead horse', async () => {
		const { ancestors } = await get<Pedigree>(`/api/horses/${demoHorses.gelding.id}/pedigree`);
		expect(ancestors.filter(({ id }) => id !== null).map(({ number }) => number)).toEqual([2, 3, 4, 5]);
		const shared = await get<Horse>(`/api/horses/${demoHorses.shared.id}`);
		expect(shared.owners.map(({ sharePercent }) => sharePercent)).toEqual([60, 40]);
		const { periods } = await get<Ownership>(`/api/horses/${demoHorses.transferred.id}/ownership`);
		expect(periods.map(({ from, owners }) => [from, owners[0]?.memberId])).toEqual([
			['2025-06-01', demoMembers.greta.id],
			['2015-07-01', demoMembers.david.id],
		]);
		const dead = await get<Horse>(`/api/horses/${demoHorses.deceased.id}`);
		expect([dead.status, dead.dateOfDeath]).toEqual(['DECEASED', '2025-11-03']);
	});

	test('is valid: each of its horses can be written unchanged', async () => {
		for (const { clubId } of Object.values(demoHorses)) horses.peers.clubs.set(clubId, 'ACTIVE');
		for (const { id } of Object.values(demoHorses)) {
			const horse = await get<Horse>(`/api/horses/${id}`);
			const { status, text } = await horses.call('PUT', `/api/horses/${id}`, {
				token: horses.officer,
				body: { ...horse, birthYear: horse.birthYear, colour: 'Geprüft' },
			});
			expect([status, status === 200 ? '' : text]).toEqual([200, '']);
		}
	});

	test('goes whatever was changed in it, and leaves other horses the names of their parents', async () => {
		const own = await horses.register({
			name: 'Eigenes',
			birthYear: 2024,
			sireId: demoHorses.sire.id,
			damId: demoHorses.shared.id,
		});
		await horses.call('POST', `/api/horses/${demoHorses.pony.id}/ownership`, {
			token: horses.officer,
			body: { from: '2026-04-30', owners: [{ externalParty: { name: 'Neu', countryCode: 'AT' } }] },
		});
		await horses.call('DELETE', `/api/horses/${demoHorses.four.id}`, { token: horses.officer });
		expect(await removeDemo(horses.db)).toBe(Object.keys(demoHorses).length);
		expect(await removeDemo(horses.db)).toBe(0);
		expect(await get<Horse>(`/api/horses/${own.id}`)).toMatchObject({
			sireId: null,
			sireName: demoHorses.sire.name,
			damId: null,
			damName: demoHorses.shared.name,
			damSireName: demoHorses.shared.sireName,
			version: 3,
		});
		const periods = await horses.db.selectFrom('ownershipPeriods').select('horseId').execute();
		expect(periods).toEqual([{ horseId: own.id }]);
		await startDemo();
		expect(await horses.db.selectFrom('horses').select('id').execute()).toEqual([{ id: own.id }]);
	});
});

describe('the documentation', () => {
	const document = openApiDocument({
		title: 'Horses',
		version: '0',
		description: '',
		tags: [],
		routes: horsesRoutes.filter((route) => !isInternalRoute(route)),
	});

	test('names every route, its body and its response', () => {
		expect(Object.keys(document.paths ?? {})).toHaveLength(29);
		expect(Object.keys(document.components?.schemas ?? {})).toEqual(
			expect.arrayContaining([
				'Horse',
				'SportHorse',
				'HorseView',
				'HorsePage',
				'HorseBody',
				'HorseRegistration',
				'Ownership',
				'TransferBody',
				'Transfer',
				'Pedigree',
				'PedigreeNode',
				'HorseStats',
			]),
		);
		const node: unknown = document.components?.schemas?.['PedigreeNode'];
		expect(node).toMatchObject({
			allOf: [
				{ $ref: '#/components/schemas/Ancestor' },
				{ properties: { sire: { $ref: '#/components/schemas/PedigreeNode' } } },
			],
		});
	});

	test('has examples that the schemas allow', () => {
		const named = namedSchemas(horsesRoutes.filter((route) => !isInternalRoute(route)));
		const without = named.filter(({ example }) => example === undefined);
		expect(new Set(without.map(({ name }) => name))).toEqual(
			new Set(['HorsePage', 'OwnershipTransferPage', 'RecordChangePage']),
		);
		for (const { schema, name, example } of named.filter((one) => !without.includes(one)))
			expect([name, schema.safeParse(example).error?.issues]).toEqual([name, undefined]);
	});
});

test('a lost database gets 503 with Retry-After; readiness reports it; both recover automatically', () =>
	checkLostDatabase(horses, '/api/horses'));
