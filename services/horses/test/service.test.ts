import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoHorses, demoMembers } from '@paddock/demo';
import { isInternalRoute } from '@paddock/service';
import { openApiDocument } from '@paddock/service/openapi';
import { namedSchemas, startDatabaseProxy } from '@paddock/testing';
import { removeDemo } from '../src/demo.ts';
import { horsesRoutes } from '../src/routes.ts';
import type { Horse } from '../src/schemas/horse.ts';
import type { FoundHorse } from '../src/schemas/lookup.ts';
import type { Ownership } from '../src/schemas/ownership.ts';
import type { Pedigree } from '../src/schemas/pedigree.ts';
import { type RunningHorses, runHorses } from './running-horses.ts';

let horses: RunningHorses;

beforeAll(async () => {
	horses = await runHorses();
});
afterAll(() => horses.close());

async function startDemo(): Promise<void> {
	await (await horses.another({ DEMO: true })).close();
}

const get = async <Data>(path: string) =>
	(await horses.call<Data>('GET', path, { token: horses.officer })).data;

describe('the demo', () => {
	test('is put in once where it is asked for, and stays away once removed', async () => {
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

	test('obeys the rules: each of its horses may be written as it is', async () => {
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
		const periods = await horses.db.selectFrom('ownership_periods').select('horse_id').execute();
		expect(periods).toEqual([{ horse_id: own.id }]);
		await startDemo();
		expect(await horses.db.selectFrom('horses').select('id').execute()).toEqual([{ id: own.id }]);
	});
});

describe('GET /internal/horses/lookup', () => {
	const path = (ids: readonly string[]) => `/internal/horses/lookup?ids=${ids.join(',')}`;
	const lookUp = (ids: readonly string[]) =>
		horses.call<{ items: FoundHorse[] }>('GET', path(ids), { token: horses.signService(['horses:lookup']) });

	test('tells what other services need, of removed horses too, and leaves unknown ones out', async () => {
		const memberId = horses.peers.member();
		const sire = await horses.register({ sex: 'STALLION', birthYear: 2000, name: 'Vater' });
		const horse = await horses.register({
			name: 'Gefragt',
			sex: 'GELDING',
			dateOfBirth: '2018-03-04',
			birthYear: null,
			isPony: true,
			heightCm: 140,
			headNumber: 'L001',
			feiId: '104LL01',
			sireId: sire.id,
			clubId: horses.peers.club(),
			responsibleMemberId: memberId,
			owners: [{ memberId }, { externalParty: { name: 'Fremd', countryCode: 'AT' } }],
			feePaidForYear: 2025,
		});
		const removed = await horses.register({ name: 'Weg' });
		await horses.call('DELETE', `/api/horses/${removed.id}`, { token: horses.officer });
		const { data } = await lookUp([horse.id.toUpperCase(), removed.id, randomUUID(), horse.id]);
		expect(data.items).toHaveLength(2);
		expect(data.items.find(({ id }) => id === horse.id)).toEqual({
			id: horse.id,
			name: 'Gefragt',
			sex: 'GELDING',
			birthYear: 2018,
			dateOfBirth: '2018-03-04',
			isPony: true,
			heightCm: 140,
			headNumber: 'L001',
			feiId: '104LL01',
			sireName: 'Vater',
			clubId: horse.clubId,
			responsibleMemberId: memberId,
			ownerMemberIds: [memberId],
			status: 'ACTIVE',
			feePaidForYear: 2025,
		});
		expect(data.items.find(({ id }) => id === removed.id)?.status).toBe('INACTIVE');
	});

	test('takes 1 to 50 ids', async () => {
		const ids = Array.from({ length: 50 }, () => randomUUID());
		expect((await lookUp(ids)).data.items).toEqual([]);
		for (const wrong of [[...ids, randomUUID()], ['x'], ['']]) expect((await lookUp(wrong)).status).toBe(400);
	});

	test('is for services with its scope alone', async () => {
		const ask = (token?: string) => horses.call('GET', path([randomUUID()]), { token });
		expect((await ask()).status).toBe(401);
		expect((await ask(horses.officer)).status).toBe(401);
		expect((await ask(horses.sign({ roles: ['ADMIN'], scopes: ['horses:lookup'] }))).status).toBe(401);
		expect((await ask(horses.signService(['members:lookup']))).status).toBe(403);
	});
});

describe('GET /internal/horses/owned', () => {
	const owned = (memberId: string, token = horses.signService(['horses:lookup'])) =>
		horses.call<{ count: number }>('GET', `/internal/horses/owned?memberId=${memberId}`, { token });
	const countOf = async (memberId: string) => (await owned(memberId)).data.count;

	test('counts the horses that a member owns or is responsible for today, each once', async () => {
		const memberId = horses.peers.member();
		const since2020 = { registeredOn: '2020-01-01', owners: [{ memberId }] };
		expect(await countOf(memberId)).toBe(0);
		await horses.register({ ...since2020, responsibleMemberId: memberId });
		await horses.register({ responsibleMemberId: memberId });
		await horses.register({ owners: [{ memberId }, { memberId: horses.peers.member() }] });
		const sold = await horses.register(since2020);
		const removed = await horses.register(since2020);
		const deceased = await horses.register(since2020);
		expect(await countOf(memberId)).toBe(6);
		const token = horses.officer;
		const owners = [{ memberId: horses.peers.member() }];
		const steps = [
			['POST', `/api/horses/${sold.id}/ownership`, { body: { from: '2026-04-01', owners } }],
			['DELETE', `/api/horses/${removed.id}`, {}],
			['POST', `/api/horses/${deceased.id}/decease`, { body: { date: '2026-04-30' } }],
		] as const;
		for (const [method, path, body] of steps)
			expect((await horses.call(method, path, { token, ...body })).status).toBeLessThan(300);
		expect(await countOf(memberId)).toBe(3);
	});

	test('requires a member id, and a service token with its scope', async () => {
		expect((await owned('x')).status).toBe(400);
		const memberId = randomUUID();
		expect((await owned(memberId, horses.officer)).status).toBe(401);
		expect((await owned(memberId, horses.signService(['members:lookup']))).status).toBe(403);
	});
});

describe('GET /internal/horses/kept', () => {
	const kept = async (memberId: string) => {
		const token = horses.signService(['horses:lookup']);
		const path = `/internal/horses/kept?memberId=${memberId}`;
		const { data } = await horses.call<{ horseIds: string[] }>('GET', path, { token });
		return data.horseIds;
	};

	test('lists what a member owns or is responsible for today; a sale moves the horse to the buyer', async () => {
		const [seller, buyer] = [horses.peers.member(), horses.peers.member()];
		const owners = [{ memberId: seller }];
		const sold = await horses.register({ registeredOn: '2020-01-01', owners, responsibleMemberId: seller });
		const removed = await horses.register({ owners });
		const token = horses.officer;
		await horses.call('DELETE', `/api/horses/${removed.id}`, { token });
		expect((await kept(seller)).sort()).toEqual([sold.id, removed.id].sort());
		const body = { from: '2026-04-01', owners: [{ memberId: buyer }] };
		await horses.call('POST', `/api/horses/${sold.id}/ownership`, { token, body });
		expect([await kept(seller), await kept(buyer)]).toEqual([[removed.id], [sold.id]]);
		expect(await kept(randomUUID())).toEqual([]);
	});

	test('is for services with its scope alone', async () => {
		const path = `/internal/horses/kept?memberId=${randomUUID()}`;
		expect((await horses.call('GET', path, { token: horses.officer })).status).toBe(401);
		const token = horses.signService(['members:lookup']);
		expect((await horses.call('GET', path, { token })).status).toBe(403);
	});
});

describe('the documentation', () => {
	const document = openApiDocument({
		title: 'Horses',
		version: '0',
		description: '',
		tags: [],
		routes: horsesRoutes.filter((route) => !isInternalRoute(route)),
		own: [],
	});

	test('knows every route, its body and its answer by name', () => {
		expect(Object.keys(document.paths ?? {})).toHaveLength(26);
		expect(Object.keys(document.components?.schemas ?? {})).toEqual(
			expect.arrayContaining([
				'Horse',
				'SportHorse',
				'HorseView',
				'HorsePage',
				'HorseBody',
				'NewHorseBody',
				'Ownership',
				'TransferBody',
				'Transfer',
				'Pedigree',
				'PedigreeNode',
				'HorseStats',
			]),
		);
		const node: unknown = document.components?.schemas?.['PedigreeNode'];
		expect(node).toMatchObject({ properties: { sire: { $ref: '#/components/schemas/PedigreeNode' } } });
	});

	test('has examples that the schemas allow', () => {
		const named = namedSchemas(horsesRoutes.filter((route) => !isInternalRoute(route)));
		const without = named.filter(({ example }) => example === undefined);
		expect(new Set(without.map(({ name }) => name))).toEqual(new Set(['HorsePage', 'OwnershipTransferPage']));
		for (const { schema, name, example } of named.filter((one) => !without.includes(one)))
			expect([name, schema.safeParse(example).error?.issues]).toEqual([name, undefined]);
	});
});

test('a lost database is answered with 503 and a time to come back; both recover by themselves', async () => {
	const databaseProxy = await startDatabaseProxy(horses.databaseUrl);
	const service = await horses.another({ DATABASE_URL: databaseProxy.url, DATABASE_POOL_MAX: 2 });
	const ask = () => service.call('GET', '/api/horses', { token: horses.officer });
	const readiness = async () => (await fetch(`${service.url}/health/readiness`)).status;
	expect([(await ask()).status, await readiness()]).toEqual([200, 200]);
	await databaseProxy.cut();
	const lost = await ask();
	expect([lost.status, lost.data.code, lost.headers.get('retry-after')]).toEqual([
		503,
		'SERVICE_UNAVAILABLE',
		'2',
	]);
	expect(await readiness()).toBe(503);
	await databaseProxy.restore();
	expect([(await ask()).status, await readiness()]).toEqual([200, 200]);
	await service.close();
	await databaseProxy.cut();
});
