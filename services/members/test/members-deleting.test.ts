import { describe, expect, test } from '@jest/globals';
import { neverRespond, type Respond, respondWithEnvelope, respondWithStatus } from '@paddock/testing';
import type { Member } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import { runMembers, useMembers } from './running-members.ts';
import { membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
const records = recordsOf(() => members);
const { read, remove } = officeOf(() => members);

describe('DELETE /members/{id}', () => {
	test('is soft, hides the member, and may be repeated', async () => {
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

	test('honours If-Match for a member who is not deleted', async () => {
		const member = await records.activeMember();
		expect((await remove(member, { 'If-Match': '"1"' })).status).toBe(412);
		expect((await read(member.id)).status).toBe('ACTIVE');
	});

	test('and restoring neither approve a member nor end a suspension', async () => {
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

	test('looks open entries up with the caller’s own token', async () => {
		const member = await records.activeMember();
		const { events } = members;
		events.entered.add(member.id);
		const token = members.officer;
		const { status, data } = await call('DELETE', `${path}/${member.id}`, { token });
		expect([status, data.code]).toEqual([409, 'MEMBER_HAS_OPEN_ENTRIES']);
		const requested = events.requests.at(-1);
		expect(requested?.url).toBe(`/api/events/entries?memberId=${member.id}&open=true&size=1`);
		expect(requested?.headers.authorization).toBe(`Bearer ${token}`);
		expect((await records.storedRow(member.id))?.deletedAt).toBeNull();
		events.entered.delete(member.id);
		expect((await remove(member)).status).toBe(200);
	});

	test('counts the horses owned with the service’s own token', async () => {
		const member = await records.activeMember();
		const { horses } = members;
		horses.owned.set(member.id, 2);
		const refused = await remove<{ code: string; horses: number }>(member);
		expect([refused.status, refused.data.code, refused.data.horses]).toEqual([409, 'MEMBER_OWNS_HORSES', 2]);
		expect(horses.requests.at(-1)?.url).toBe(`/internal/horses/owned?memberId=${member.id}`);
		expect((await records.storedRow(member.id))?.deletedAt).toBeNull();
		horses.owned.delete(member.id);
		expect((await remove(member)).status).toBe(200);
	});

	const failing: [string, Respond, number, string][] = [
		['never responds', neverRespond, 504, 'UPSTREAM_TIMEOUT'],
		['fails', respondWithStatus(500), 503, 'SERVICE_UNAVAILABLE'],
		['lacks the route', respondWithStatus(404), 503, 'SERVICE_UNAVAILABLE'],
		[
			'says something else',
			(_req, res) => respondWithEnvelope(res, 200, { items: 3 }),
			503,
			'SERVICE_UNAVAILABLE',
		],
	];

	const calls = (['events', 'horses'] as const).flatMap((context) =>
		failing.map((failure) => [context, ...failure] as const),
	);

	test.each(calls)(
		'changes nothing while the %s context %s',
		async (context, _how, response, status, code) => {
			const member = await records.activeMember();
			members[context].misbehave(response);
			const refused = await remove<{ code: string }>(member);
			await members[context].recover();
			expect([refused.status, refused.data.code]).toEqual([status, code]);
			if (status === 503) expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
			expect((await records.storedRow(member.id))?.deletedAt).toBeNull();
		},
	);

	test.each(['events', 'horses'] as const)(
		'changes nothing without an instance of %s, and works again with one',
		async (context) => {
			const member = await records.activeMember();
			members.registry.set(`${context}-service`, []);
			const refused = await remove<{ code: string }>(member);
			expect([refused.status, refused.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
			expect((await records.storedRow(member.id))?.deletedAt).toBeNull();
			members.registry.set(`${context}-service`, [members[context].url]);
			expect((await remove(member)).status).toBe(200);
		},
	);
});

test('contexts that are not deployed are not called', async () => {
	const alone = await runMembers({ CONTEXTS: ['auth', 'members'] });
	alone.registry.set('events-service', []);
	alone.registry.set('horses-service', []);
	alone.registry.set('masterdata-service', []);
	const token = alone.officer;
	const body = person({ nationality: 'ZZ', address: { city: 'X', countryCode: 'ZZ', stateCode: 'ZZ-1' } });
	const created = await alone.call<Member>('POST', path, { token, body });
	expect(created.status).toBe(201);
	const deleted = await alone.call<Member>('DELETE', `${path}/${created.data.id}`, { token });
	expect([deleted.status, deleted.data.status]).toEqual([200, 'INACTIVE']);
	await alone.close();
});
