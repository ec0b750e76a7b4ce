import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { FoundHorse } from '../src/lookup/routes.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

describe('GET /internal/horses/lookup', () => {
	const path = (ids: readonly string[]) => `/internal/horses/lookup?ids=${ids.join(',')}`;
	const lookUp = (ids: readonly string[]) =>
		horses.call<{ items: FoundHorse[] }>('GET', path(ids), { token: horses.signService(['horses:lookup']) });

	test('returns the data that other services need, of removed horses too, and leaves unknown ones out', async () => {
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

	test('accepts 1 to 50 ids', async () => {
		const ids = Array.from({ length: 50 }, () => randomUUID());
		expect((await lookUp(ids)).data.items).toEqual([]);
		for (const wrong of [[...ids, randomUUID()], ['x'], ['']]) expect((await lookUp(wrong)).status).toBe(400);
	});

	test('is for services with its scope only', async () => {
		const send = (token?: string) => horses.call('GET', path([randomUUID()]), { token });
		expect((await send()).status).toBe(401);
		expect((await send(horses.officer)).status).toBe(401);
		expect((await send(horses.sign({ roles: ['ADMIN'], scopes: ['horses:lookup'] }))).status).toBe(401);
		expect((await send(horses.signService(['members:lookup']))).status).toBe(403);
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

	test('is for services with its scope only', async () => {
		const path = `/internal/horses/kept?memberId=${randomUUID()}`;
		expect((await horses.call('GET', path, { token: horses.officer })).status).toBe(401);
		const token = horses.signService(['members:lookup']);
		expect((await horses.call('GET', path, { token })).status).toBe(403);
	});
});
