import { describe, expect, test } from '@jest/globals';
import { sql } from 'kysely';
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
});
