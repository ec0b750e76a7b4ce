import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestResponse } from '@paddock/testing';
import { sql, type Transaction } from 'kysely';
import type { HorsesSchema } from '../src/database-schema.ts';
import { useHorses } from './running-horses.ts';
import { type TransferDesk, transferDesk } from './transfer-desk.ts';
import { waitingBehind } from './waiting-behind.ts';

const horses = useHorses();
let desk: TransferDesk;

beforeAll(() => {
	desk = transferDesk(horses);
});

describe('at the same moment', () => {
	const held = (id: string) => (transaction: Transaction<HorsesSchema>) =>
		sql`select 1 from horses where id = ${id} for update`.execute(transaction);

	test('three owners confirm: the transfer is completed once', async () => {
		const owners = [horses.person(), horses.person(), horses.person(), horses.person()];
		const mia = horses.person();
		const { id } = await horses.register({
			registeredOn: '2020-01-01',
			owners: owners.map(({ memberId }) => ({ memberId })),
		});
		const { data } = await desk.request(id, mia, owners[0]?.token ?? '');
		const responses = await waitingBehind(
			horses.db,
			held(id),
			owners.slice(1).map(
				({ token }) =>
					() =>
						desk.respond('confirm', { id, transferId: data.transferId }, token),
			),
		);
		expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(responses.map((one) => one.data.status).sort()).toEqual(['COMPLETED', 'PENDING', 'PENDING']);
		expect(await desk.ownersOf(id)).toEqual([mia.memberId]);
		const periods = horses.db.selectFrom('ownershipPeriods').select('validFrom');
		expect(await periods.where('horseId', '=', id).execute()).toHaveLength(2);
		expect((await horses.stored(id))?.version).toBe(2);
	});

	test('one owner confirms and the other declines: one of them wins', async () => {
		const { id, transferId, eva, felix, mia } = await desk.pending();
		const responses = await waitingBehind(horses.db, held(id), [
			() => desk.respond('confirm', { id, transferId }, eva.token),
			() => desk.respond('decline', { id, transferId }, felix.token),
		]);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
		const isConfirmed = responses[0]?.status === 200;
		expect(await desk.ownersOf(id)).toEqual(isConfirmed ? [mia.memberId] : [felix.memberId, eva.memberId]);
	});

	test('both owners request a transfer: one is pending, the other is refused', async () => {
		const { id, felix, eva, mia } = await desk.shared();
		const responses = await waitingBehind(horses.db, held(id), [
			() => desk.request(id, mia, felix.token),
			() => desk.request(id, eva, eva.token),
		]);
		expect(responses.map(({ status, data }) => [status, data.code]).sort()).toEqual([
			[201, undefined],
			[409, 'TRANSFER_PENDING'],
		]);
	});

	test('the office sells while the last owner confirms: the horse is sold once', async () => {
		const { id, transferId, eva, mia } = await desk.pending();
		const other = horses.person();
		const responses = await waitingBehind<TestResponse<unknown>>(horses.db, held(id), [
			() => desk.respond('confirm', { id, transferId }, eva.token),
			() => desk.request(id, other, horses.officer),
		]);
		// Both begin on the same day, so the second one is too late.
		expect(responses.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
		const isConfirmed = responses[0]?.status === 200;
		expect(await desk.ownersOf(id)).toEqual([isConfirmed ? mia.memberId : other.memberId]);
	});
});
