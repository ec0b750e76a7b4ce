import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answerNever, answerStatus } from '@paddock/testing';
import { dayInVienna } from '../src/rules/calendar.ts';
import type { Member } from '../src/schemas/member.ts';
import { type RunningMembers, runMembers } from './running-members.ts';
import { answerData, type PeerAnswer } from './stub-peers.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

let members: RunningMembers;
let call: RunningMembers['call'];
const records = recordsOf(() => members);
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
	members = await runMembers();
	({ call } = members);
});
afterAll(() => members.close());

function act<Data = Member>(member: Member, step: string, body?: object, headers = {}) {
	const sent = { token: members.officer, headers, ...(body === undefined ? {} : { body }) };
	return call<Data>('POST', `${path}/${member.id}/${step}`, sent);
}

function remove<Data = Member>(member: Member, headers = {}) {
	return call<Data>('DELETE', `${path}/${member.id}`, { token: members.officer, headers });
}

async function read(id: string): Promise<Member> {
	return (await call<Member>('GET', `${path}/${id}`, { token: members.officer })).data;
}

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
			deleted_at: null,
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

	test.each(illegal)('of one who is %s refuse to %s', async (from, step, to) => {
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

describe('a suspension', () => {
	test('needs a reason, and no end in the past', async () => {
		const member = await records.activeMember();
		const refusal = async (body: object) => {
			const { status, data } = await act<{ errors?: { field: string; code: string }[] }>(
				member,
				'suspend',
				body,
			);
			return [status, ...(data.errors ?? []).map(({ field, code }) => `${field} ${code}`)];
		};
		expect(await refusal({})).toEqual([400, 'reason REQUIRED']);
		expect(await refusal({ reason: 'x', until: '2026-04-30' })).toEqual([400, 'until INVALID_RANGE']);
		expect(await refusal({ reason: 'x', until: '2026-02-30' })).toEqual([400, 'until INVALID_FORMAT']);
		expect((await act(member, 'suspend', { reason: 'x', until: '2026-05-01' })).status).toBe(200);
	});

	test('ends by itself after its last day in Vienna, in every view', async () => {
		const member = await records.activeMember({ lastName: 'Sperrfrist' });
		const suspended = await records.step(member, 'suspend', { reason: 'Doping', until: '2026-05-02' });
		expect(suspended).toMatchObject({ status: 'SUSPENDED', suspendedUntil: '2026-05-02', version: 3 });
		const views = async () => {
			const token = members.officer;
			const list = await call<{ items: Member[] }>('GET', `${path}?size=200`, { token });
			const found = await call<{ items: Member[] }>('GET', `${path}/search?q=sperrfrist&status=ACTIVE`, {
				token,
			});
			const since = new Date(members.clock.now().getTime() - 1).toISOString();
			const changed = await call<{ items: Member[] }>('GET', `${path}?updatedSince=${since}`, { token });
			const stats = await call<{ byStatus: Record<string, number> }>('GET', `${path}/stats`, { token });
			const service = members.signService(['members:lookup']);
			const lookup = await call<{ items: Member[] }>('GET', `/internal/members/lookup?ids=${member.id}`, {
				token: service,
			});
			return {
				get: (await read(member.id)).status,
				list: list.data.items.some(({ id }) => id === member.id),
				search: found.data.items.length,
				changed: changed.data.items.some(({ id }) => id === member.id),
				suspended: stats.data.byStatus['SUSPENDED'],
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

	test('that has ended is gone for good with the next change', async () => {
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
			status_reason: null,
			suspended_until: null,
			version: 5,
		});
	});
});

describe('DELETE /members/{id}', () => {
	test('is soft, hides the member, and may come twice', async () => {
		const member = await records.activeMember({ lastName: 'Verschwunden' });
		const first = await remove(member, { 'If-Match': '"2"' });
		const second = await remove(member, { 'If-Match': '"2"' });
		expect([second.status, second.data]).toEqual([200, first.data]);
		expect(second.data.version).toBe(3);
		const seen = async (query: string, token = members.officer) =>
			(await call<{ items: Member[] }>('GET', `${path}${query}`, { token })).data.items.map(({ id }) => id);
		expect(await seen('/search?q=verschwunden')).toEqual([]);
		expect(await seen('/search?q=verschwunden&includeInactive=true')).toEqual([member.id]);
		expect(await seen('/search?q=verschwunden&status=INACTIVE')).toEqual([member.id]);
		expect(await seen('?size=200')).not.toContain(member.id);
		expect(await seen('?size=200&includeInactive=true')).toContain(member.id);
		expect((await read(member.id)).status).toBe('INACTIVE');
		const own = await call('GET', `${path}/${member.id}`, { token: members.memberIs(member.id) });
		expect(own.status).toBe(404);
	});

	test('honours If-Match of who has not been deleted', async () => {
		const member = await records.activeMember();
		expect((await remove(member, { 'If-Match': '"1"' })).status).toBe(412);
		expect((await read(member.id)).status).toBe('ACTIVE');
	});

	test('and restoring give nobody an approval or the end of a suspension', async () => {
		const pending = await records.createMember();
		await remove(pending);
		expect((await records.step(pending, 'restore')).status).toBe('PENDING');
		const suspended = await records.step(await records.activeMember(), 'suspend', { reason: 'x' });
		await remove(suspended);
		expect(await records.step(suspended, 'restore')).toMatchObject({
			status: 'SUSPENDED',
			statusReason: 'x',
		});
	});

	test('asks for open entries with the caller’s own token', async () => {
		const member = await records.activeMember();
		const { events } = members;
		events.entered.add(member.id);
		const token = members.officer;
		const { status, data } = await call('DELETE', `${path}/${member.id}`, { token });
		expect([status, data.code]).toEqual([409, 'MEMBER_HAS_OPEN_ENTRIES']);
		const asked = events.requests.at(-1);
		expect(asked?.url).toBe(`/api/events/entries?memberId=${member.id}&open=true&size=1`);
		expect(asked?.headers.authorization).toBe(`Bearer ${token}`);
		expect((await records.storedRow(member.id))?.deleted_at).toBeNull();
		events.entered.delete(member.id);
		expect((await remove(member)).status).toBe(200);
	});

	const failing: [string, PeerAnswer, number, string][] = [
		['never answers', answerNever, 504, 'UPSTREAM_TIMEOUT'],
		['fails', answerStatus(500), 503, 'SERVICE_UNAVAILABLE'],
		['does not know the question', answerStatus(404), 503, 'SERVICE_UNAVAILABLE'],
		['says something else', (_req, res) => answerData(res, { items: 3 }), 503, 'SERVICE_UNAVAILABLE'],
	];

	test.each(failing)('changes nothing while the events context %s', async (_how, answer, status, code) => {
		const member = await records.activeMember();
		members.events.misbehave(answer);
		const refused = await remove<{ code: string }>(member);
		members.events.misbehave();
		expect([refused.status, refused.data.code]).toEqual([status, code]);
		if (status === 503) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
		expect((await records.storedRow(member.id))?.deleted_at).toBeNull();
	});

	test('changes nothing while there is no events context, and works again when it is back', async () => {
		const member = await records.activeMember();
		members.registry.set('events-service', []);
		const refused = await remove<{ code: string }>(member);
		expect([refused.status, refused.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
		expect((await records.storedRow(member.id))?.deleted_at).toBeNull();
		members.registry.set('events-service', [members.events.url]);
		expect((await remove(member)).status).toBe(200);
	});
});

test('where events and master data are not deployed, nobody asks for them', async () => {
	const alone = await runMembers({ CONTEXTS: ['auth', 'members'] });
	alone.registry.set('events-service', []);
	alone.registry.set('masterdata-service', []);
	const token = alone.officer;
	const body = person({ nationality: 'ZZ', address: { city: 'X', countryCode: 'ZZ', stateCode: 'ZZ-1' } });
	const created = await alone.call<Member>('POST', path, { token, body });
	expect(created.status).toBe(201);
	const deleted = await alone.call<Member>('DELETE', `${path}/${created.data.id}`, { token });
	expect([deleted.status, deleted.data.status]).toEqual([200, 'INACTIVE']);
	await alone.close();
});
