import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Horse } from '../src/horses/schemas.ts';
import type { OwnershipTransfer } from '../src/ownership/transfer-schemas.ts';
import { useHorses } from './running-horses.ts';
import { type TransferDesk, transferDesk } from './transfer-desk.ts';

const horses = useHorses();

let desk: TransferDesk;

beforeAll(() => {
	desk = transferDesk(horses);
});

describe('the requester of a transfer', () => {
	test('an owner alone transfers at once, without and with a share', async () => {
		for (const sharePercent of [undefined, 100]) {
			const [seller, mia] = [horses.person(), horses.person()];
			const owners = [{ memberId: seller.memberId, sharePercent: sharePercent ?? null }];
			const { id } = await horses.register({ registeredOn: '2020-01-01', owners });
			const { status, data } = await desk.request(id, mia, seller.token);
			expect([status, data.status, data.transferId]).toEqual([201, 'COMPLETED', null]);
			expect(await desk.ownersOf(id)).toEqual([mia.memberId]);
		}
	});

	test('responsible person and official of the club need the owner’s confirmation', async () => {
		const [owner, keeper, mia] = [horses.person(), horses.person(), horses.person()];
		const clubId = horses.peers.club();
		const official = horses.person({
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } },
		});
		for (const { token } of [keeper, official]) {
			const { id } = await horses.register({
				registeredOn: '2020-01-01',
				owners: [{ memberId: owner.memberId }],
				responsibleMemberId: keeper.memberId,
				clubId,
			});
			const { data } = await desk.request(id, mia, token);
			expect([data.status, await desk.ownersOf(id)]).toEqual(['PENDING', [owner.memberId]]);
			const own = await desk.respond('confirm', { id, transferId: data.transferId }, token);
			expect([own.status, own.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
			expect(
				(await desk.respond('confirm', { id, transferId: data.transferId }, owner.token)).data.status,
			).toBe('COMPLETED');
			expect(await desk.ownersOf(id)).toEqual([mia.memberId]);
		}
	});

	test('an official without a member declines the own request', async () => {
		const [owner, mia, clubId] = [horses.person(), horses.person(), horses.peers.club()];
		const claims = {
			userId: randomUUID(),
			roles: ['MEMBER', 'CLUB_OFFICIAL'] as const,
			roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } },
		};
		const owners = [{ memberId: owner.memberId }];
		const { id } = await horses.register({ registeredOn: '2020-01-01', owners, clubId });
		const { data } = await desk.request(id, mia, horses.sign(claims));
		const another = horses.sign({ ...claims, userId: randomUUID() });
		const refused = await desk.respond('decline', { id, transferId: data.transferId }, another);
		expect([refused.status, refused.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
		const declined = await desk.respond('decline', { id, transferId: data.transferId }, horses.sign(claims));
		expect([declined.status, declined.data.status]).toEqual([200, 'DECLINED']);
	});

	test('for an owner who is not a member only the office transfers', async () => {
		const [eva, mia] = [horses.person(), horses.person()];
		const owners = [{ memberId: eva.memberId }, { externalParty: { name: 'Fern', countryCode: 'DE' } }];
		const { id } = await horses.register({ registeredOn: '2020-01-01', owners });
		const refused = await desk.request(id, eva, eva.token);
		expect([refused.status, refused.data.code]).toEqual([422, 'TRANSFER_BY_OFFICE_ONLY']);
		expect((await desk.request(id, mia, horses.officer)).data.status).toBe('COMPLETED');
	});
});

describe('visibility of a transfer', () => {
	test('the parties and the office; 404 for others', async () => {
		const { id, transferId, felix, eva, mia } = await desk.pending();
		const list = (path: string, token: string) =>
			horses.call<Page<OwnershipTransfer>>('GET', path, { token });
		const ofHorse = `/api/horses/${id}/ownership/transfers`;
		const everywhere = '/api/horses/transfers?status=PENDING&size=200';
		for (const token of [felix.token, eva.token, mia.token, horses.officer]) {
			expect((await horses.call('GET', desk.pathOf(id, transferId), { token })).status).toBe(200);
			for (const path of [ofHorse, everywhere])
				expect((await list(path, token)).data.items.map((one) => one.id)).toContain(transferId);
		}
		const read = (one: string | null, token: string) => horses.call('GET', desk.pathOf(id, one), { token });
		for (const token of [horses.person().token, horses.stranger, horses.sign({})]) {
			const [known, unknown] = [await read(transferId, token), await read(randomUUID(), token)];
			expect([known.status, known.data.code, known.message]).toEqual([
				404,
				unknown.data.code,
				unknown.message,
			]);
			// Without an active membership the route refuses all alike.
			for (const step of ['confirm', 'decline'] as const)
				expect([403, 404]).toContain((await desk.respond(step, { id, transferId }, token)).status);
			for (const path of [ofHorse, everywhere]) expect((await list(path, token)).data.items).toEqual([]);
		}
		const byBuyer = await desk.respond('confirm', { id, transferId }, mia.token);
		expect([byBuyer.status, byBuyer.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	});

	test('found by the present name and number of the horse', async () => {
		const { id, transferId, eva } = await desk.pending();
		const name = `Wechselwind ${transferId?.slice(0, 8)}`;
		const read = await horses.call<Horse>('GET', `/api/horses/${id}`, { token: horses.officer });
		const found = async (q: string | null, token: string) => {
			const path = `/api/horses/transfers?size=200&q=${encodeURIComponent(q ?? '')}`;
			const { data } = await horses.call<Page<OwnershipTransfer>>('GET', path, { token });
			return data.items.filter((one) => one.id === transferId);
		};
		for (const token of [horses.officer, eva.token]) expect(await found(name, token)).toEqual([]);
		await horses.call('PATCH', `/api/horses/${id}`, { token: horses.officer, body: { name } });
		for (const token of [horses.officer, eva.token]) {
			const stored = await horses.call('GET', desk.pathOf(id, transferId), { token });
			expect(await found(name, token)).toEqual([stored.data]);
			if (token === horses.officer) expect(await found(read.data.microchip, token)).toEqual([stored.data]);
		}
		const { changes } = await horses.db
			.selectFrom('changes')
			.select((eb) => eb.fn.countAll<number>().as('changes'))
			.where('recordType', '=', 'OWNERSHIP_TRANSFER')
			.where('recordId', '=', id)
			.where('operation', '=', 'CHANGED')
			.executeTakeFirstOrThrow();
		expect(Number(changes)).toBe(0);
	});

	test('the transfer of another horse is not found under this one', async () => {
		const [one, other] = [await desk.pending(), await desk.pending()];
		expect(
			(await desk.respond('confirm', { id: one.id, transferId: other.transferId }, horses.officer)).status,
		).toBe(404);
	});
});
