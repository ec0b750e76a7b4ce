import { describe, expect, test } from '@jest/globals';
import { dayInVienna } from '@paddock/calendar';
import type { TestFailure } from '@paddock/testing';
import { endSuspensions } from '../src/members/change-state.ts';
import type { Member } from '../src/members/schemas.ts';
import type { MemberStats } from '../src/members/stats.ts';
import { blamedFields, officeOf } from './federation-office.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
const records = recordsOf(() => members);
const { act, read } = officeOf(() => members);
const dayMs = 24 * 3_600_000;

describe('a suspension', () => {
	test('needs a reason, and no end in the past', async () => {
		const member = await records.activeMember();
		const refusal = async (body: object) => {
			const { status, data } = await act<TestFailure>(member, 'suspend', body);
			return [status, ...blamedFields(data)];
		};
		expect(await refusal({})).toEqual([400, 'statusReason REQUIRED']);
		expect(await refusal({ reason: 'x', until: '2026-04-30' })).toEqual([
			400,
			'suspendedUntil INVALID_RANGE',
		]);
		expect(await refusal({ reason: 'x', until: '2026-02-30' })).toEqual([
			400,
			'suspendedUntil INVALID_FORMAT',
		]);
		expect((await act(member, 'suspend', { reason: 'x', until: '2026-05-01' })).status).toBe(200);
	});

	test('ends by itself after its last day in Vienna, in every view', async () => {
		const member = await records.activeMember({ lastName: 'Sperrfrist' });
		const suspended = await records.step(member, 'suspend', {
			statusReason: 'Doping',
			suspendedUntil: '2026-05-02',
		});
		expect(suspended).toMatchObject({ status: 'SUSPENDED', suspendedUntil: '2026-05-02', version: 3 });
		const views = async () => {
			const token = members.officer;
			const list = await call<{ items: Member[] }>('GET', `${path}?size=200`, { token });
			const found = await call<{ items: Member[] }>('GET', `${path}/search?q=sperrfrist&status=ACTIVE`, {
				token,
			});
			const since = new Date(members.clock.now().getTime() - 1).toISOString();
			const changed = await call<{ items: Member[] }>('GET', `${path}?updatedSince=${since}`, { token });
			const stats = await call<MemberStats>('GET', `${path}/stats`, { token });
			const service = members.signService(['members:lookup']);
			const lookup = await call<{ items: Member[] }>('GET', `/internal/members/lookup?ids=${member.id}`, {
				token: service,
			});
			return {
				get: (await read(member.id)).status,
				list: list.data.items.some(({ id }) => id === member.id),
				search: found.data.items.length,
				changed: changed.data.items.some(({ id }) => id === member.id),
				suspended: stats.data.byStatus.find(({ status }) => status === 'SUSPENDED')?.count,
				lookup: lookup.data.items[0]?.status,
			};
		};
		// Midnight of 3 May in Vienna is 22:00 UTC of 2 May.
		members.clock.advance(dayMs + 12 * 3_600_000 - 1);
		const before = await views();
		const shown = await call('GET', `${path}/${member.id}`, { token: members.officer });
		expect(before).toMatchObject({
			get: 'SUSPENDED',
			list: false,
			search: 0,
			changed: false,
			lookup: 'SUSPENDED',
		});
		members.clock.advance(1);
		expect(await views()).toEqual({
			get: 'ACTIVE',
			list: true,
			search: 1,
			changed: true,
			suspended: (before.suspended ?? 0) - 1,
			lookup: 'ACTIVE',
		});
		expect(await read(member.id)).toMatchObject({
			statusReason: null,
			suspendedUntil: null,
			updatedAt: '2026-05-02T22:00:00.000Z',
			version: 4,
		});
		const kept = await call('GET', `${path}/${member.id}`, {
			token: members.officer,
			headers: { 'If-None-Match': shown.headers.get('etag') ?? '' },
		});
		expect(kept.status).toBe(200);
		const again = await records.step(await read(member.id), 'suspend', { reason: 'Again' });
		expect(again).toMatchObject({ status: 'SUSPENDED', suspendedUntil: null, version: 5 });
	});

	test('that has ended is written, and no reader sees a difference', async () => {
		const today = dayInVienna(members.clock.now());
		const ended = await records.activeMember({ lastName: 'Abgelaufen' });
		const later = await records.activeMember();
		const deleted = await records.activeMember();
		await records.step(ended, 'suspend', { reason: 'x', until: today });
		await records.step(later, 'suspend', { reason: 'x', until: '2027-01-01' });
		await records.step(deleted, 'suspend', { reason: 'x', until: today });
		await members.db
			.updateTable('members')
			.set({ deletedAt: members.clock.now() })
			.where('id', '=', deleted.id)
			.execute();
		members.clock.advance(2 * dayMs);
		const views = async () => ({
			record: await read(ended.id),
			changed: (
				await call<{ items: Member[] }>(
					'GET',
					`${path}?size=200&sort=-updatedAt&updatedSince=${today}T00:00:00Z`,
					{
						token: members.officer,
					},
				)
			).data.items,
			search: (
				await call<{ items: Member[] }>('GET', `${path}/search?q=abgelaufen&status=ACTIVE`, {
					token: members.officer,
				})
			).data.items,
		});
		const before = await views();
		expect([before.changed.map(({ id }) => id), before.search.length]).toEqual([
			expect.arrayContaining([ended.id]),
			1,
		]);
		await endSuspensions(members.db, members.clock.now());
		expect((await views()).record).toEqual(before.record);
		expect((await views()).search).toEqual(before.search);
		expect((await views()).changed.map(({ id }) => id)).toEqual(expect.arrayContaining([ended.id]));
		expect(await records.storedRow(ended.id)).toMatchObject({
			status: 'ACTIVE',
			suspensionEndsAt: null,
			version: 4,
		});
		expect(await records.storedRow(later.id)).toMatchObject({ status: 'SUSPENDED', version: 3 });
		expect(await records.storedRow(deleted.id)).toMatchObject({ status: 'SUSPENDED', version: 3 });
	});

	test('that has ended is removed from the record by the next change', async () => {
		const member = await records.activeMember();
		const today = dayInVienna(members.clock.now());
		await records.step(member, 'suspend', { reason: 'x', until: today });
		members.clock.advance(2 * dayMs);
		const { data } = await call<Member>('PUT', `${path}/${member.id}`, {
			token: members.officer,
			headers: { 'If-Match': '"4"' },
			body: person(),
		});
		expect(data).toMatchObject({ status: 'ACTIVE', version: 5 });
		expect(await records.storedRow(member.id)).toMatchObject({
			status: 'ACTIVE',
			statusReason: null,
			suspendedUntil: null,
			version: 5,
		});
	});
});
