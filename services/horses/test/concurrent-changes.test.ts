import { describe, expect, test } from '@jest/globals';
import { sql, type Transaction } from 'kysely';
import type { HorsesSchema } from '../src/database-schema.ts';
import { useHorses } from './running-horses.ts';
import { waitingBehind } from './waiting-behind.ts';

const horses = useHorses();

// Each request reads the horse, and gets its lock only after another transaction has changed it.
describe('a concurrent change of a horse', () => {
	test('that removes it does not change its owners', async () => {
		const { id } = await horses.register({ registeredOn: '2020-01-01' });
		const removed = { status: 'INACTIVE', statusReason: 'DELETED', removedStatus: 'ACTIVE' } as const;
		const owners = [{ externalParty: { name: 'Zweite', countryCode: 'AT' } }];
		const body = { from: '2024-03-01', owners };
		const [transfer] = await waitingBehind(
			horses.db,
			(transaction) => transaction.updateTable('horses').set(removed).where('id', '=', id).execute(),
			[() => horses.call('POST', `/api/horses/${id}/ownership`, { token: horses.officer, body })],
		);
		expect([transfer?.status, transfer?.data.code]).toEqual([409, 'HORSE_INACTIVE']);
		const periods = horses.db.selectFrom('ownershipPeriods').select('validFrom');
		expect(await periods.where('horseId', '=', id).execute()).toEqual([{ validFrom: '2020-01-01' }]);
	});

	test('is not removed by a caller with the previous version', async () => {
		const { id } = await horses.register();
		const version = sql<number>`version + 1`;
		const headers = { 'If-Match': '"1"' };
		const [removal] = await waitingBehind(
			horses.db,
			(transaction) => transaction.updateTable('horses').set({ version }).where('id', '=', id).execute(),
			[() => horses.call('DELETE', `/api/horses/${id}`, { token: horses.officer, headers })],
		);
		expect([removal?.status, removal?.data.code]).toEqual([412, 'PRECONDITION_FAILED']);
		expect((await horses.stored(id))?.status).toBe('ACTIVE');
	});

	const handedTo = (id: string, memberId: string) => async (transaction: Transaction<HorsesSchema>) => {
		await transaction.selectFrom('horses').select('id').where('id', '=', id).forUpdate().execute();
		const periods = transaction.selectFrom('ownershipPeriods').select('id').where('horseId', '=', id);
		await transaction
			.updateTable('ownershipShares')
			.set({ memberId })
			.where('periodId', 'in', periods)
			.execute();
	};

	// An owner who stays may have left the federation; who that was, was decided before the lock.
	test('that ends the ownership of a former member does not let a correction give it back', async () => {
		const [leaves, next] = [horses.peers.member(), horses.peers.member()];
		const { id } = await horses.register({ registeredOn: '2020-01-01', owners: [{ memberId: leaves }] });
		horses.peers.members.set(leaves, 'INACTIVE');
		const body = { reason: 'Vertrag', owners: [{ memberId: leaves }] };
		const [correction] = await waitingBehind(horses.db, handedTo(id, next), [
			() => horses.call('POST', `/api/horses/${id}/ownership/correct`, { token: horses.officer, body }),
		]);
		expect([correction?.status, correction?.data.errors]).toMatchObject([
			400,
			[{ field: 'owners[0].memberId', code: 'INVALID_REFERENCE' }],
		]);
	});

	// Whom nobody had looked up was taken for a former member: the new responsible person was cleared.
	test.each(['owner', 'responsible person'])(
		'that gives it another %s is a conflict for its return',
		async (tie) => {
			const member = horses.peers.member();
			const { id } = await horses.register({
				registeredOn: '2020-01-01',
				owners: [{ memberId: horses.peers.member() }],
				responsibleMemberId: horses.peers.member(),
			});
			await horses.call('POST', `/api/horses/${id}/decease`, {
				token: horses.officer,
				body: { date: '2026-04-30' },
			});
			const responsible = (transaction: Transaction<HorsesSchema>) =>
				transaction.updateTable('horses').set({ responsibleMemberId: member }).where('id', '=', id).execute();
			const body = { reason: 'Verwechslung' };
			const [undone] = await waitingBehind(horses.db, tie === 'owner' ? handedTo(id, member) : responsible, [
				() => horses.call('POST', `/api/horses/${id}/undo-death`, { token: horses.officer, body }),
			]);
			expect([undone?.status, undone?.data.code]).toEqual([409, 'CONFLICT']);
			expect((await horses.stored(id))?.status).toBe('DECEASED');
		},
	);

	test('that removes its responsible person is none for its return', async () => {
		const { id } = await horses.register({
			registeredOn: '2020-01-01',
			owners: [{ memberId: horses.peers.member() }],
			responsibleMemberId: horses.peers.member(),
		});
		const token = horses.officer;
		await horses.call('POST', `/api/horses/${id}/decease`, { token, body: { date: '2026-04-30' } });
		const removed = (transaction: Transaction<HorsesSchema>) =>
			transaction.updateTable('horses').set({ responsibleMemberId: null }).where('id', '=', id).execute();
		const [undone] = await waitingBehind(horses.db, removed, [
			() => horses.call('POST', `/api/horses/${id}/undo-death`, { token, body: { reason: 'Verwechslung' } }),
		]);
		expect(undone?.status).toBe(200);
	});
});
