import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

function person(step: 'export' | 'erase', memberId: string) {
	const token = horses.signService([`persons:${step}`]);
	const path = `/internal/persons/${randomUUID()}/${step}?member=${memberId}`;
	return horses.call<{ tables: { table: string; rows: never[]; outcome: string; kept: string | null }[] }>(
		step === 'export' ? 'GET' : 'POST',
		path,
		{ token },
	);
}

test('an export has the horses of the owner; an erasure keeps the ownership and says why', async () => {
	const [owner, other] = [horses.person(), horses.person()];
	const owners = [
		{ memberId: owner.memberId, sharePercent: 60 },
		{ memberId: other.memberId, sharePercent: 40 },
	];
	const { id } = await horses.register({ owners, responsibleMemberId: owner.memberId });
	const { status, data } = await person('export', owner.memberId);
	const rowsOf = (name: string) => data.tables.find(({ table }) => table === name)?.rows;
	expect(status).toBe(200);
	expect(rowsOf('horses')).toMatchObject([{ id, responsibleMemberId: owner.memberId }]);
	expect(rowsOf('ownershipShares')).toMatchObject([{ memberId: owner.memberId, shareHundredths: 6000 }]);
	expect(JSON.stringify(data)).not.toContain(other.memberId);
	const erased = await person('erase', owner.memberId);
	expect(erased.data.tables.find(({ table }) => table === 'ownershipShares')).toMatchObject({
		outcome: 'KEPT',
		rows: 1,
		kept: expect.stringContaining('anonymous person'),
	});
	expect(await horses.stored(id)).toMatchObject({ responsibleMemberId: owner.memberId });
});
