import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);
const { act, read, remove } = officeOf(() => members);

describe('the states of a member', () => {
	test('lead from PENDING through all of them and back', async () => {
		const pending = await records.createMember();
		const active = await records.step(pending, 'approve');
		expect(active).toMatchObject({ status: 'ACTIVE', version: 2 });
		const suspended = await records.step(active, 'suspend', { reason: 'Fee unpaid' });
		expect(suspended).toMatchObject({
			status: 'SUSPENDED',
			statusReason: 'Fee unpaid',
			suspendedUntil: null,
			version: 3,
		});
		expect(await records.step(suspended, 'reinstate')).toMatchObject({
			status: 'ACTIVE',
			statusReason: null,
			version: 4,
		});
		const { status, data } = await remove(suspended, { 'If-Match': '"4"' });
		const deletedAt = members.clock.now().toISOString();
		expect([status, data]).toEqual([
			200,
			expect.objectContaining({ status: 'INACTIVE', statusReason: 'DELETED', deletedAt, version: 5 }),
		]);
		expect(await records.step(suspended, 'restore')).toMatchObject({
			status: 'ACTIVE',
			statusReason: null,
			deletedAt: null,
			version: 6,
		});
		expect(await records.storedRow(pending.id)).toMatchObject({
			status: 'ACTIVE',
			deletedAt: null,
			version: 6,
		});
	});

	const inState = {
		PENDING: () => records.createMember(),
		ACTIVE: () => records.activeMember(),
		SUSPENDED: async () => records.step(await records.activeMember(), 'suspend', { reason: 'x' }),
		INACTIVE: async () => (await remove(await records.activeMember())).data,
	};
	const illegal = (['PENDING', 'ACTIVE', 'SUSPENDED', 'INACTIVE'] as const).flatMap((from) =>
		(
			[
				['approve', 'PENDING', 'ACTIVE'],
				['suspend', 'ACTIVE', 'SUSPENDED'],
				['reinstate', 'SUSPENDED', 'ACTIVE'],
				['restore', 'INACTIVE', 'ACTIVE'],
			] as const
		)
			.filter(([, legalFrom]) => legalFrom !== from)
			.map(([step, , to]) => [from, step, to] as const),
	);
	const allowed = {
		PENDING: [
			['ACTIVE', 'INACTIVE'],
			['approve', 'delete'],
		],
		ACTIVE: [
			['SUSPENDED', 'INACTIVE'],
			['suspend', 'delete'],
		],
		SUSPENDED: [
			['ACTIVE', 'INACTIVE'],
			['reinstate', 'delete'],
		],
		INACTIVE: [['ACTIVE'], ['restore']],
	};

	test.each(illegal)('of a member who is %s refuse to %s', async (from, step, to) => {
		const member = await inState[from]();
		const body = step === 'suspend' ? { reason: 'x' } : undefined;
		const { status, data } = await act<Record<string, unknown>>(member, step, body);
		expect([status, data]).toEqual([
			409,
			expect.objectContaining({
				code: 'ILLEGAL_STATE_TRANSITION',
				from,
				to,
				allowed: allowed[from][0],
				allowedSteps: allowed[from][1],
			}),
		]);
		expect((await read(member.id)).version).toBe(member.version);
	});

	test('are changed under If-Match, and of records that are there', async () => {
		const member = await records.createMember();
		expect((await act(member, 'approve', undefined, { 'If-Match': '"9"' })).status).toBe(412);
		const unknown = { ...member, id: randomUUID() };
		for (const step of ['approve', 'reinstate', 'restore'])
			expect((await act(unknown, step)).status).toBe(404);
		expect((await act(unknown, 'suspend', { reason: 'x' })).status).toBe(404);
		expect((await remove(unknown)).status).toBe(404);
	});
});
