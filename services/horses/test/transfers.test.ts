import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Horse } from '../src/horses/schemas.ts';
import { transferLifetimeMs } from '../src/ownership/rules.ts';
import type { Ownership } from '../src/ownership/schemas.ts';
import type { OwnershipTransfer } from '../src/ownership/transfer-schemas.ts';
import { endExpiredTransfers } from '../src/ownership/transfer-store.ts';
import { useHorses } from './running-horses.ts';
import { type TransferDesk, transferDesk } from './transfer-desk.ts';

const horses = useHorses();

let desk: TransferDesk;

beforeAll(() => {
	desk = transferDesk(horses);
});

describe('a transfer that one of several owners requests', () => {
	// A co-owner with 40 % made a transfer of 100 % to herself.
	test('has no effect until every other owner has confirmed', async () => {
		const { id, felix, eva } = await desk.shared();
		const owners = [{ memberId: eva.memberId, sharePercent: 100 }];
		const { status, data, headers } = await desk.request(id, eva, eva.token, { owners });
		expect([status, data.status]).toEqual([201, 'PENDING']);
		expect(headers.get('location')).toBe(desk.pathOf(id, data.transferId));
		expect(await desk.ownersOf(id)).toEqual([felix.memberId, eva.memberId]);
		expect((await horses.stored(id))?.version).toBe(1);
		const again = await desk.respond('confirm', { id, transferId: data.transferId }, eva.token);
		expect([again.status, again.data.status]).toEqual([200, 'PENDING']);
		expect(await desk.ownersOf(id)).toEqual([felix.memberId, eva.memberId]);
	});

	test('takes effect with the last confirmation: period, rights and version', async () => {
		const clubId = horses.peers.club();
		const { id, felix, eva, mia } = await desk.shared({ clubId });
		const kept = await horses.call<Horse>('GET', `/api/horses/${id}`, { token: felix.token });
		await horses.db
			.updateTable('horses')
			.set({ responsibleMemberId: felix.memberId })
			.where('id', '=', kept.data.id)
			.execute();
		const { data } = await desk.request(id, mia, felix.token);
		const confirmed = await desk.respond('confirm', { id, transferId: data.transferId }, eva.token);
		expect([confirmed.status, confirmed.data]).toEqual([
			200,
			expect.objectContaining({
				status: 'COMPLETED',
				endedByMemberId: eva.memberId,
				endedAt: horses.clock.now().toISOString(),
			}),
		]);
		expect(confirmed.data.confirmations.every(({ confirmedAt }) => confirmedAt !== null)).toBe(true);
		const { data: ownership } = await horses.call<Ownership>('GET', `/api/horses/${id}/ownership`, {
			token: mia.token,
		});
		expect(ownership.periods.map(({ from, to }) => [from, to])).toEqual([
			['2026-04-01', null],
			['2020-01-01', '2026-03-31'],
		]);
		expect(await horses.stored(id)).toMatchObject({
			version: 2,
			responsibleMemberId: mia.memberId,
			clubId: null,
		});
	});

	test('takes effect at once when the office confirms it', async () => {
		const { id, transferId, mia } = await desk.pending();
		const { status, data } = await desk.respond('confirm', { id, transferId }, horses.officer);
		expect([status, data.status, await desk.ownersOf(id)]).toEqual([200, 'COMPLETED', [mia.memberId]]);
		const again = await desk.respond('confirm', { id, transferId }, horses.officer);
		expect([again.status, again.data]).toEqual([200, data]);
	});

	test('ends when an owner declines it, or the requester', async () => {
		for (const who of ['eva', 'felix'] as const) {
			const made = await desk.pending();
			const { id, transferId, eva, felix } = made;
			const declined = await desk.respond('decline', { id, transferId }, made[who].token);
			expect([declined.status, declined.data.status, declined.data.endedByMemberId]).toEqual([
				200,
				'DECLINED',
				made[who].memberId,
			]);
			expect((await desk.respond('decline', { id, transferId }, felix.token)).data.status).toBe('DECLINED');
			const late = await desk.respond('confirm', { id, transferId }, eva.token);
			expect([late.status, late.data.code, late.data['transferStatus']]).toEqual([
				409,
				'TRANSFER_NOT_PENDING',
				'DECLINED',
			]);
			expect(await desk.ownersOf(id)).toEqual([felix.memberId, eva.memberId]);
		}
	});

	test('expires after 14 days, and makes way for another one', async () => {
		const { id, transferId, eva, felix, mia } = await desk.pending();
		const second = await desk.request(id, mia, felix.token);
		expect([second.status, second.data.code, second.data.transferId]).toEqual([
			409,
			'TRANSFER_PENDING',
			transferId,
		]);
		horses.clock.advance(transferLifetimeMs - 1);
		const read = (by: string) =>
			horses.call<OwnershipTransfer>('GET', desk.pathOf(id, transferId), { token: by });
		const token = horses.sign({ memberId: eva.memberId });
		expect((await read(token)).data.status).toBe('PENDING');
		horses.clock.advance(1);
		expect((await read(token)).data).toMatchObject({ status: 'EXPIRED' });
		const late = await desk.respond('confirm', { id, transferId }, token);
		expect([late.status, late.data['transferStatus']]).toEqual([409, 'EXPIRED']);
		const next = await desk.request(id, mia, horses.sign({ memberId: felix.memberId }));
		expect([next.status, next.data.status]).toEqual([201, 'PENDING']);
		const listed = await horses.call<Page<OwnershipTransfer>>(
			'GET',
			`/api/horses/${id}/ownership/transfers`,
			{
				token,
			},
		);
		expect(listed.data.items.map(({ status }) => status)).toEqual(['PENDING', 'EXPIRED']);
	});

	test('is a change when it expires, of the same version before and after it is written', async () => {
		const { id, transferId, eva } = await desk.pending();
		const { clock, db } = horses;
		clock.advance(transferLifetimeMs);
		const since = new Date(clock.now().getTime() - 1).toISOString();
		const changed = async () => {
			const path = `/api/horses/transfers?size=200&updatedSince=${since}`;
			const { data } = await horses.call<Page<OwnershipTransfer>>('GET', path, { token: horses.officer });
			return data.items.filter((transfer) => transfer.id === transferId);
		};
		const unwritten = await changed();
		expect(unwritten).toMatchObject([
			{ status: 'EXPIRED', version: 2, updatedAt: clock.now().toISOString() },
		]);
		await endExpiredTransfers(db, clock.now());
		const statusOf = () =>
			db
				.selectFrom('ownershipTransfers')
				.select(['status', 'version'])
				.where('id', '=', transferId)
				.executeTakeFirst();
		expect(await statusOf()).toMatchObject({ status: 'PENDING' });
		clock.advance(61_000);
		await endExpiredTransfers(db, clock.now());
		expect(await statusOf()).toEqual({ status: 'EXPIRED', version: 2 });
		expect(await changed()).toEqual(unwritten);
		const { data } = await horses.call<OwnershipTransfer>('GET', desk.pathOf(id, transferId), {
			token: horses.sign({ memberId: eva.memberId }),
		});
		expect(data).toEqual(unwritten[0]);
		// Nothing else is written twice.
		await endExpiredTransfers(db, clock.now());
		expect(await changed()).toEqual(unwritten);
	});

	test('lapses when the office changes the owners', async () => {
		const { id, transferId, eva, mia } = await desk.pending();
		const other = horses.person();
		expect((await desk.request(id, other, horses.officer)).data.status).toBe('COMPLETED');
		const { data } = await horses.call<OwnershipTransfer>('GET', desk.pathOf(id, transferId), {
			token: mia.token,
		});
		expect(data.status).toBe('LAPSED');
		const late = await desk.respond('confirm', { id, transferId }, eva.token);
		expect([late.data.code, await desk.ownersOf(id)]).toEqual(['TRANSFER_NOT_PENDING', [other.memberId]]);
	});

	test('is checked again at the last confirmation: death, removal, and whether the new owner is still a member', async () => {
		const left = await desk.pending();
		horses.peers.members.set(left.mia.memberId, 'INACTIVE');
		const unknown = await desk.respond('confirm', left, left.eva.token);
		expect([unknown.status, unknown.data.code, unknown.data.errors?.[0]?.field]).toEqual([
			409,
			'NEW_OWNER_UNKNOWN',
			'owners[0].memberId',
		]);
		const dead = await desk.pending();
		await horses.call('POST', `/api/horses/${dead.id}/decease`, {
			token: horses.officer,
			body: { date: '2026-03-31' },
		});
		const late = await desk.respond('confirm', dead, dead.eva.token);
		expect([late.status, late.data.code]).toEqual([409, 'OWNERSHIP_AFTER_DEATH']);
		const removed = await desk.pending();
		await horses.call('DELETE', `/api/horses/${removed.id}`, { token: horses.officer });
		expect((await desk.respond('confirm', removed, removed.eva.token)).status).toBe(404);
		const byOffice = await desk.respond('confirm', removed, horses.officer);
		expect(byOffice.data.code).toBe('HORSE_INACTIVE');
		for (const { id, transferId, felix, eva } of [left, dead]) {
			expect(await desk.ownersOf(id)).toEqual([felix.memberId, eva.memberId]);
			const read = await horses.call<OwnershipTransfer>('GET', desk.pathOf(id, transferId), {
				token: eva.token,
			});
			expect([read.data.status, read.data.confirmations.filter((one) => one.confirmedAt === null)]).toEqual([
				'PENDING',
				[{ memberId: eva.memberId, confirmedAt: null }],
			]);
		}
	});

	test('is confirmed by active members only, under the version that they read', async () => {
		const { id, transferId, eva } = await desk.pending();
		const etag = (await horses.call('GET', desk.pathOf(id, transferId), { token: eva.token })).headers.get(
			'etag',
		);
		horses.peers.members.set(eva.memberId, 'SUSPENDED');
		for (const step of ['confirm', 'decline'] as const)
			expect((await desk.respond(step, { id, transferId }, eva.token)).data.code).toBe('MEMBER_NOT_ACTIVE');
		horses.peers.members.set(eva.memberId, 'ACTIVE');
		for (const step of ['confirm', 'decline'] as const)
			expect((await desk.respond(step, { id, transferId }, eva.token, { 'If-Match': '"7"' })).status).toBe(
				412,
			);
		const confirmed = await desk.respond('confirm', { id, transferId }, eva.token, {
			'If-Match': String(etag),
		});
		expect([confirmed.status, confirmed.data.status]).toEqual([200, 'COMPLETED']);
		const repeated = await desk.respond('confirm', { id, transferId }, eva.token, {
			'If-Match': String(etag),
		});
		expect([repeated.status, repeated.data]).toEqual([200, confirmed.data]);
	});
});
