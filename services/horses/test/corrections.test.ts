import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import type { Ownership, OwnershipCorrection } from '../src/ownership/schemas.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

const reason = 'Vertrag ohne Unterschrift';

/** A horse that Felix and Eva owned, and that was transferred to Eva alone by mistake. */
async function mistaken() {
	const [felix, eva] = [horses.person(), horses.person()];
	const before = [
		{ memberId: felix.memberId, sharePercent: 60 },
		{ memberId: eva.memberId, sharePercent: 40 },
	];
	const { id } = await horses.register({
		registeredOn: '2020-01-01',
		owners: before,
		responsibleMemberId: felix.memberId,
	});
	const wrong = { from: '2026-04-01', owners: [{ memberId: eva.memberId, sharePercent: 100 }] };
	const token = horses.officer;
	expect((await horses.call('POST', `/api/horses/${id}/ownership`, { token, body: wrong })).status).toBe(201);
	return { id, felix, eva, before, wrong };
}

function correct<Data = OwnershipCorrection & TestFailure>(
	id: string,
	body: object,
	headers: Record<string, string> = {},
	token = horses.officer,
) {
	return horses.call<Data>('POST', `/api/horses/${id}/ownership/correct`, { token, body, headers });
}

async function periodsOf(id: string): Promise<Ownership['periods']> {
	const path = `/api/horses/${id}/ownership`;
	return (await horses.call<Ownership>('GET', path, { token: horses.officer })).data.periods;
}

const complete = (owners: readonly { memberId: string; sharePercent: number }[]) =>
	owners.map((owner) => ({ externalParty: null, ...owner }));

describe('the office corrects the last ownership period', () => {
	// A transfer that should not have been made could not be undone: ownership was append-only.
	test('and the former values stay readable with the reason', async () => {
		const { id, felix, eva, before, wrong } = await mistaken();
		const { status, data, headers } = await correct(id, { reason, owners: before });
		expect([status, headers.get('location')]).toEqual([201, `/api/horses/${id}/ownership/corrections`]);
		expect(data).toMatchObject({
			horseId: id,
			reason,
			before: { from: '2026-04-01', owners: complete(wrong.owners) },
			after: { from: '2026-04-01', owners: complete(before) },
			correctedAt: horses.clock.now().toISOString(),
		});
		expect((await periodsOf(id)).map(({ from, owners }) => [from, owners])).toEqual([
			['2026-04-01', complete(before)],
			['2020-01-01', complete(before)],
		]);
		const read = await horses.call<Horse>('GET', `/api/horses/${id}`, { token: felix.token });
		// The responsible person stays: Eva is still an owner, so no owner has left.
		expect(read.data).toMatchObject({ version: 3, responsibleMemberId: eva.memberId });
		const history = await horses.call<{ corrections: OwnershipCorrection[] }>(
			'GET',
			`/api/horses/${id}/ownership/corrections`,
			{ token: horses.officer },
		);
		expect(history.data.corrections).toEqual([data]);
	});

	test('ends the rights of owners that the correction removes', async () => {
		const { id, felix, eva } = await mistaken();
		await correct(id, { reason, owners: [{ memberId: felix.memberId }] });
		expect((await horses.stored(id))?.responsibleMemberId).toBe(felix.memberId);
		const retired = await horses.call('POST', `/api/horses/${id}/retire`, { token: eva.token });
		expect(retired.status).toBe(403);
	});

	// Only added owners were looked up, so that the club of an owner who stays was removed.
	test('and the horse keeps the club of an owner who stays, also of one who is no longer a member', async () => {
		const clubId = horses.peers.club();
		const staying = horses.peers.member('ACTIVE', clubId);
		const { id } = await horses.register({
			registeredOn: '2020-01-01',
			clubId,
			owners: [staying, horses.peers.member()].map((memberId) => ({ memberId, sharePercent: 50 })),
		});
		expect((await correct(id, { reason, owners: [{ memberId: staying }] })).status).toBe(201);
		expect((await horses.stored(id))?.clubId).toBe(clubId);
		horses.peers.members.set(staying, 'INACTIVE');
		const owners = [staying, horses.peers.member()].map((memberId) => ({ memberId, sharePercent: 50 }));
		expect((await correct(id, { reason, owners })).status).toBe(201);
		const unknown = [
			{ memberId: staying, sharePercent: 50 },
			{ memberId: randomUUID(), sharePercent: 50 },
		];
		expect((await correct(id, { reason, owners: unknown })).data.errors).toMatchObject([
			{ field: 'owners[1].memberId', code: 'INVALID_REFERENCE' },
		]);
	});

	test('and its first day, after the period before and not in the future', async () => {
		const { id, felix } = await mistaken();
		const owners = [{ memberId: felix.memberId }];
		expect((await correct(id, { reason, from: '2026-05-02', owners })).data.errors).toMatchObject([
			{ field: 'from', code: 'INVALID_RANGE' },
		]);
		const early = await correct(id, { reason, from: '2020-01-01', owners });
		expect([early.status, early.data.code]).toEqual([409, 'OWNERSHIP_NOT_AFTER_PREVIOUS']);
		expect((await correct(id, { reason, from: '2025-12-31', owners })).status).toBe(201);
		expect((await periodsOf(id)).map(({ from, to }) => [from, to])).toEqual([
			['2025-12-31', null],
			['2020-01-01', '2025-12-30'],
		]);
		const only = await horses.register({ registeredOn: '2020-01-01' });
		const moved = await correct(only.id, { reason, from: '2020-01-02', owners });
		expect([moved.status, moved.data.errors?.[0]?.field]).toEqual([400, 'from']);
		expect((await correct(only.id, { reason, owners })).status).toBe(201);
	});

	test('with a reason, known owners, the version that it read, and once per key', async () => {
		const { id, felix } = await mistaken();
		const body = { reason, owners: [{ memberId: felix.memberId }] };
		expect((await correct(id, { ...body, reason: ' ' })).data.errors).toMatchObject([{ field: 'reason' }]);
		expect((await correct(id, { owners: body.owners })).data.errors).toMatchObject([
			{ field: 'reason', code: 'REQUIRED' },
		]);
		const unknown = await correct(id, { reason, owners: [{ memberId: randomUUID() }] });
		expect(unknown.data.errors).toMatchObject([{ field: 'owners[0].memberId', code: 'INVALID_REFERENCE' }]);
		expect((await correct(id, body, { 'If-Match': '"1"' })).status).toBe(412);
		expect((await periodsOf(id))[0]?.owners).toHaveLength(1);
		const headers = { 'If-Match': '"2"', 'Idempotency-Key': randomUUID() };
		const token = horses.officer;
		const first = await correct(id, body, headers, token);
		const again = await correct(id, body, headers, token);
		expect([first.status, again.status, again.data]).toEqual([201, 201, first.data]);
		expect((await horses.stored(id))?.version).toBe(3);
	});

	test('of a removed horse too, for its restoration', async () => {
		const { id, before } = await mistaken();
		await horses.call('DELETE', `/api/horses/${id}`, { token: horses.officer });
		expect((await correct(id, { reason, owners: before })).status).toBe(201);
		expect((await horses.stored(id))?.status).toBe('INACTIVE');
	});

	test('but no other role: owners neither correct nor read corrections', async () => {
		const { id, eva, felix, before } = await mistaken();
		for (const { token } of [eva, felix]) {
			expect((await correct(id, { reason, owners: before }, {}, token)).status).toBe(403);
			const read = await horses.call('GET', `/api/horses/${id}/ownership/corrections`, { token });
			expect(read.status).toBe(403);
		}
	});

	test('and a pending transfer lapses', async () => {
		const { id, felix, eva, before } = await mistaken();
		await correct(id, { reason, owners: before });
		const requested = await horses.call<{ transferId: string }>('POST', `/api/horses/${id}/ownership`, {
			token: eva.token,
			body: { from: '2026-04-30', owners: [{ memberId: eva.memberId }] },
		});
		await correct(id, { reason, owners: [{ memberId: felix.memberId }] });
		const path = `/api/horses/${id}/ownership/transfers/${requested.data.transferId}`;
		const { data } = await horses.call<{ status: string }>('GET', path, { token: eva.token });
		expect(data.status).toBe('LAPSED');
	});
});
