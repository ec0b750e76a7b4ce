import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import { sql } from 'kysely';
import type { DeathDecision } from '../src/death/schemas.ts';
import type { Horse } from '../src/horses/schemas.ts';
import { type Callers, callersOf } from './callers.ts';
import { useHorses } from './running-horses.ts';
import { waitingBehind } from './waiting-behind.ts';

const horses = useHorses();
let callers: Callers;

beforeAll(() => {
	callers = callersOf(horses);
});

const death = { date: '2026-04-30', reason: 'Kolik' };
const reason = 'Verwechslung';

function step(id: string, name: string, body: object | undefined, token = horses.officer, headers = {}) {
	return horses.call<Horse & TestFailure>('POST', `/api/horses/${id}/${name}`, {
		token,
		headers,
		...(body === undefined ? {} : { body }),
	});
}

const register = () => horses.register(callers.tied({ registeredOn: '2020-01-01' }));

async function reported(): Promise<Horse> {
	const { id } = await register();
	const { status, data } = await step(id, 'decease', death, callers.owner.token);
	expect(status).toBe(200);
	return data;
}

async function decisionsOf(id: string): Promise<readonly DeathDecision[]> {
	const path = `/api/horses/${id}/death-decisions`;
	const { data } = await horses.call<{ decisions: DeathDecision[] }>('GET', path, { token: horses.officer });
	return data.decisions;
}

// Any owner, also one of several, could permanently end the career of a living horse.
describe.each(['owner', 'responsible', 'official'] as const)('a death that the %s reports', (who) => {
	test('only adds the report to the record, for callers who are entrusted with the horse', async () => {
		const { id } = await register();
		const { status, data } = await step(id, 'decease', death, callers.tokenOf(who));
		expect([status, data.status, data.dateOfDeath, data.version]).toEqual([200, 'ACTIVE', null, 2]);
		expect(data.deathReport).toMatchObject({ ...death, reportedAt: horses.clock.now().toISOString() });
		for (const other of ['owner', 'responsible', 'official', 'officer'] as const) {
			const read = await horses.call<Horse>('GET', `/api/horses/${id}`, { token: callers.tokenOf(other) });
			expect(read.data.deathReport).toEqual(data.deathReport);
		}
		const seen = await horses.call<Horse>('GET', `/api/horses/${id}`, { token: horses.stranger });
		expect(seen.data).not.toHaveProperty('deathReport');
		const put = await horses.call('PUT', `/api/horses/${id}`, { token: callers.owner.token, body: data });
		expect(put.status).toBe(200);
	});

	test('can neither be confirmed, rejected nor undone by that person', async () => {
		const { id } = await register();
		await step(id, 'decease', death, callers.tokenOf(who));
		const before = await horses.stored(id);
		const token = callers.tokenOf(who);
		expect((await step(id, 'confirm-death', undefined, token)).status).toBe(403);
		for (const name of ['reject-death', 'undo-death'])
			expect((await step(id, name, { reason }, token)).status).toBe(403);
		const again = await step(id, 'decease', death, token);
		expect([again.status, again.data.code]).toEqual([409, 'DEATH_ALREADY_REPORTED']);
		expect(await horses.stored(id)).toEqual(before);
	});
});

describe('the office', () => {
	test('confirms a report, which is final then', async () => {
		const { id, version } = await reported();
		expect((await step(id, 'confirm-death', undefined, horses.officer, { 'If-Match': '"1"' })).status).toBe(
			412,
		);
		const match = { 'If-Match': `"${version}"` };
		const { status, data } = await step(id, 'confirm-death', undefined, horses.officer, match);
		expect([status, data]).toEqual([
			200,
			expect.objectContaining({
				status: 'DECEASED',
				dateOfDeath: death.date,
				statusReason: death.reason,
				deathReport: null,
			}),
		]);
		const late = await step(id, 'decease', death, callers.owner.token);
		expect([late.status, late.data.code]).toEqual([409, 'ILLEGAL_STATE_TRANSITION']);
		const decisions = await decisionsOf(id);
		expect(decisions).toMatchObject([
			{
				decision: 'CONFIRMED',
				dateOfDeath: death.date,
				report: { reportedByMemberId: callers.owner.memberId },
			},
		]);
	});

	test('rejects a report with a reason, and the horse is as it was', async () => {
		const { id } = await reported();
		expect((await step(id, 'reject-death', {})).data.errors).toMatchObject([{ field: 'reason' }]);
		const { status, data } = await step(id, 'reject-death', { reason });
		expect([status, data.status, data.deathReport, data.statusReason]).toEqual([200, 'ACTIVE', null, null]);
		expect(await decisionsOf(id)).toMatchObject([{ decision: 'REJECTED', reason, report: death }]);
		for (const name of ['confirm-death', 'reject-death']) {
			const late = await step(id, name, name === 'reject-death' ? { reason } : undefined);
			expect([late.status, late.data.code]).toEqual([409, 'NO_DEATH_REPORTED']);
		}
		expect((await step(id, 'decease', death, callers.owner.token)).status).toBe(200);
	});

	test('records a death without a report, or with another day than the reported one', async () => {
		const { id } = await reported();
		const { data } = await step(id, 'decease', { ...death, date: '2026-04-29' });
		expect([data.status, data.dateOfDeath, data.deathReport]).toEqual(['DECEASED', '2026-04-29', null]);
		const other = await register();
		expect((await step(other.id, 'decease', death)).data.status).toBe('DECEASED');
		expect(await decisionsOf(other.id)).toMatchObject([{ decision: 'CONFIRMED', report: null }]);
	});

	test.each([
		['ACTIVE', []],
		['RETIRED', ['retire']],
		['SUSPENDED', ['suspend']],
		['INACTIVE', ['suspend', 'delete']],
	] as const)('undoes a death with a reason: the horse is %s again', async (status, steps) => {
		const { id } = await register();
		for (const name of steps) {
			if (name === 'delete') await horses.call('DELETE', `/api/horses/${id}`, { token: horses.officer });
			else await step(id, name, name === 'suspend' ? { reason: 'Seuche' } : undefined);
		}
		const before = await horses.stored(id);
		expect((await step(id, 'undo-death', { reason })).data.code).toBe('ILLEGAL_STATE_TRANSITION');
		await step(id, 'decease', death);
		expect((await step(id, 'undo-death', {})).data.errors).toMatchObject([
			{ field: 'reason', code: 'REQUIRED' },
		]);
		const undone = await step(id, 'undo-death', { reason });
		expect([undone.status, undone.data.status, undone.data.dateOfDeath]).toEqual([200, status, null]);
		const after = await horses.stored(id);
		expect(after).toEqual({ ...before, version: after?.version, updatedAt: after?.updatedAt });
		expect((await decisionsOf(id)).map(({ decision }) => decision).sort()).toEqual(['CONFIRMED', 'UNDONE']);
		expect((await decisionsOf(id)).find(({ decision }) => decision === 'UNDONE')?.reason).toBe(reason);
	});

	test('undoes a death of which the status before is not stored', async () => {
		const { id } = await register();
		const dead = { status: 'DECEASED', dateOfDeath: '2025-01-01' } as const;
		await horses.db.updateTable('horses').set(dead).where('id', '=', id).execute();
		expect((await step(id, 'undo-death', { reason })).data.status).toBe('ACTIVE');
	});

	test('alone lists the horses whose death is reported', async () => {
		const { id } = await reported();
		const { id: living } = await register();
		const list = (query: string, token: string) =>
			horses.call<{ items: Horse[] } & TestFailure>('GET', `/api/horses?${query}`, { token });
		const found = await list('deathReported=true&size=200', horses.officer);
		const ids = found.data.items.map((horse) => horse.id);
		expect([ids.includes(id), ids.includes(living)]).toEqual([true, false]);
		const refused = await list('deathReported=true', callers.owner.token);
		expect([refused.status, refused.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	});
});

test('a report is checked like a record: its day lies between birth, last transfer and today', async () => {
	const { id } = await register();
	for (const date of ['2026-05-02', '2015-12-31']) {
		const refused = await step(id, 'decease', { date }, callers.owner.token);
		expect([refused.status, refused.data.errors?.[0]?.field]).toEqual([400, 'date']);
	}
	const early = await step(id, 'decease', { date: '2019-12-31' }, callers.owner.token);
	expect([early.status, early.data.code]).toEqual([409, 'OWNERSHIP_AFTER_DEATH']);
	expect((await horses.stored(id))?.version).toBe(1);
});

test('two concurrent reports make one', async () => {
	const [felix, eva] = [horses.person(), horses.person()];
	const { id } = await horses.register({
		registeredOn: '2020-01-01',
		owners: [{ memberId: felix.memberId }, { memberId: eva.memberId }],
	});
	const responses = await waitingBehind(
		horses.db,
		(transaction) => sql`select 1 from horses where id = ${id} for update`.execute(transaction),
		[felix, eva].map(
			({ token }) =>
				() =>
					step(id, 'decease', death, token),
		),
	);
	expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
});
