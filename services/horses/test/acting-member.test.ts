import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestService } from '@paddock/testing';
import { horsesRoutes } from '../src/routes.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();
let impatient: TestService;

beforeAll(async () => {
	impatient = await horses.another({ PEER_TIMEOUT_MS: 2_000 });
});

const owners = () => [{ memberId: horses.peers.member() }];

/** Each write that people other than the office may make on a horse of their own. */
const writes: Readonly<
	Record<string, (id: string) => readonly [method: string, path: string, body?: object]>
> = {
	replaceHorse: (id) => ['PUT', `/api/horses/${id}`, writable()],
	transferHorse: (id) => ['POST', `/api/horses/${id}/ownership`, { from: '2026-04-01', owners: owners() }],
	retireHorse: (id) => ['POST', `/api/horses/${id}/retire`],
	deceaseHorse: (id) => ['POST', `/api/horses/${id}/decease`, { date: '2026-04-30' }],
};

function writable(): object {
	const { owners: _owners, ...body } = horseBody({ name: 'Neu' });
	return body;
}

const since2020 = (memberId: string) => ({ registeredOn: '2020-01-01', owners: [{ memberId }] });

// A deleted member read the own record as 404, and still retired and sold horses.
describe.each(['SUSPENDED', 'PENDING', 'INACTIVE', 'unknown'])('an account whose member is %s', (status) => {
	const become = (memberId: string) =>
		status === 'unknown' ? horses.peers.members.delete(memberId) : horses.peers.members.set(memberId, status);

	test('registers no horse', async () => {
		const { memberId, token } = horses.person();
		become(memberId);
		const body = { responsibleMemberId: memberId };
		const refused = await horses.tryToRegister(body, token);
		expect([refused.status, refused.data.code]).toEqual([403, 'MEMBER_NOT_ACTIVE']);
	});

	test.each(Object.keys(writes))('is refused %s', async (name) => {
		const { memberId, token } = horses.person();
		const { id } = await horses.register(since2020(memberId));
		const before = await horses.stored(id);
		become(memberId);
		const [method, path, body] = writes[name]?.(id) ?? ['GET', ''];
		const refused = await horses.call(method, path, { token, ...(body === undefined ? {} : { body }) });
		expect([refused.status, refused.data.code]).toEqual([403, 'MEMBER_NOT_ACTIVE']);
		expect(await horses.stored(id)).toEqual(before);
		horses.peers.members.set(memberId, 'ACTIVE');
		const allowed = await horses.call(method, path, { token, ...(body === undefined ? {} : { body }) });
		expect(allowed.status).toBeLessThan(300);
	});

	test.each(['FEDERATION_OFFICER', 'ADMIN'] as const)('writes with the role %s', async (role) => {
		const { memberId, token } = horses.person({ roles: ['MEMBER', role] });
		become(memberId);
		const { id } = await horses.register();
		expect((await horses.call('POST', `/api/horses/${id}/retire`, { token })).status).toBe(200);
	});

	test('writes nothing as an official of a club either', async () => {
		const clubId = horses.peers.club();
		const roleScopes = { CLUB_OFFICIAL: { clubIds: [clubId] } };
		const { memberId, token } = horses.person({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes });
		become(memberId);
		const { id } = await horses.register({ clubId });
		const refused = await horses.call('POST', `/api/horses/${id}/retire`, { token });
		expect([refused.status, refused.data.code]).toEqual([403, 'MEMBER_NOT_ACTIVE']);
	});
});

test('every write that members may call documents MEMBER_NOT_ACTIVE', () => {
	const open = horsesRoutes.filter(
		({ method, access }) =>
			method !== 'get' && typeof access === 'object' && 'roles' in access && access.roles.includes('MEMBER'),
	);
	expect(open.length).toBeGreaterThan(4);
	const without = open.filter(({ errors = {} }) => !('MEMBER_NOT_ACTIVE' in errors));
	expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

test.each([
	['die', 503, 'SERVICE_UNAVAILABLE'],
	['hang', 504, 'UPSTREAM_TIMEOUT'],
] as const)(
	'while members cannot respond (%s) a member writes nothing, the office does',
	async (how, status, code) => {
		const { memberId, token } = horses.person();
		const { id } = await horses.register(since2020(memberId));
		const retire = (by: string) => impatient.call('POST', `/api/horses/${id}/retire`, { token: by });
		await horses.peers.fail('members-service', how);
		const refused = await retire(token);
		const byOffice = await retire(horses.officer);
		await horses.peers.recover('members-service');
		expect([refused.status, refused.data.code, byOffice.status]).toEqual([status, code, 200]);
	},
);
