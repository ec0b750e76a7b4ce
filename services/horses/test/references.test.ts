import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { stubToken, type TestService } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import { horseBody, useHorses } from './running-horses.ts';

/** Of codes that were found, see `createFoundCodes`. */
const codeLifetimeMs = 5 * 60_000;

const horses = useHorses();
/** Waits for other services for a second only. */
let impatient: TestService;

beforeAll(async () => {
	impatient = await horses.another({ PEER_TIMEOUT_MS: 2_000 });
});

async function rows(): Promise<number> {
	const tables = ['horses', 'ownershipPeriods', 'ownershipShares', 'idempotencyKeys'] as const;
	let total = 0;
	for (const table of tables)
		total += (
			await horses.db
				.selectFrom(table)
				.select(({ lit }) => lit(1).as('one'))
				.execute()
		).length;
	return total;
}

describe('a horse refers to', () => {
	test('members, clubs and countries that there are; all that are unknown are named', async () => {
		const before = await rows();
		const { status, data } = await horses.tryToRegister({
			countryOfBirth: 'XX',
			ueln: '999DEM000000001',
			clubId: horses.peers.club('INACTIVE'),
			responsibleMemberId: horses.peers.member('INACTIVE'),
			owners: [
				{ memberId: horses.peers.member() },
				{ memberId: randomUUID() },
				{ externalParty: { name: 'Fern', countryCode: 'ZZ' } },
			],
		});
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
		expect(data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'clubId INVALID_REFERENCE',
			'countryOfBirth INVALID_REFERENCE',
			'owners[1].memberId INVALID_REFERENCE',
			'owners[2].externalParty.countryCode INVALID_REFERENCE',
			'responsibleMemberId INVALID_REFERENCE',
			'ueln INVALID_REFERENCE',
		]);
		expect(await rows()).toBe(before);
	});

	test('suspended and pending members: they own their horses', async () => {
		const owners = ['SUSPENDED', 'PENDING'].map((status) => ({ memberId: horses.peers.member(status) }));
		expect((await horses.tryToRegister({ owners })).status).toBe(201);
	});

	test('members in one context for all, with a token of the service’s own', async () => {
		const before = horses.peers.requestsOf('members-service').length;
		const ids = [horses.peers.member(), horses.peers.member()];
		const owners = ids.map((memberId) => ({ memberId }));
		await horses.register({ owners, responsibleMemberId: ids[0] });
		const requested = horses.peers.requestsOf('members-service').slice(before);
		expect(requested).toHaveLength(1);
		expect(new URL(requested[0] ?? '', 'http://x').searchParams.get('ids')?.split(',').sort()).toEqual(
			[...ids].sort(),
		);
		expect(horses.peers.credentials('members-service').at(-1)).toBe(`Bearer ${stubToken.accessToken}`);
	});
});

// The error named the unknown owner only, so that its absence confirmed the id of a member to any caller.
test('only the office learns which id is unknown', async () => {
	const { memberId, token } = horses.person();
	const owners = (other: string) => [memberId, other, randomUUID()].map((id) => ({ memberId: id }));
	const refusals = await Promise.all(
		[horses.peers.member(), randomUUID()].map(async (other) => {
			const created = await horses.tryToRegister(
				{ owners: owners(other), responsibleMemberId: memberId },
				token,
			);
			return [created.status, created.data.errors];
		}),
	);
	const error = { code: 'INVALID_REFERENCE', message: 'must refer to members only' };
	const errors = [
		{ ...error, field: 'responsibleMemberId' },
		{ ...error, field: 'owners' },
	];
	expect(refusals).toEqual([
		[400, errors],
		[400, errors],
	]);
});

test('new owners are checked as well', async () => {
	const { id } = await horses.register({ registeredOn: '2020-01-01' });
	const { status, data } = await horses.call('POST', `/api/horses/${id}/ownership`, {
		token: horses.officer,
		body: { from: '2024-01-01', owners: [{ memberId: randomUUID() }] },
	});
	expect([status, data.errors?.[0]?.field, data.errors?.[0]?.code]).toEqual([
		400,
		'owners[0].memberId',
		'INVALID_REFERENCE',
	]);
});

test('a change looks up changed references only: an owner who has left does not prevent it', async () => {
	const memberId = horses.peers.member();
	const horse = await horses.register({
		responsibleMemberId: memberId,
		countryOfBirth: 'AT',
		clubId: horses.peers.club(),
	});
	horses.peers.members.set(memberId, 'INACTIVE');
	await horses.peers.fail('members-service', 'die');
	const put = (changes: object) =>
		horses.call('PUT', `/api/horses/${horse.id}`, {
			token: horses.officer,
			body: { ...horse, version: undefined, ...changes },
		});
	expect((await put({ colour: 'Rappe' })).status).toBe(200);
	await horses.peers.recover('members-service');
	const { status, data } = await put({ responsibleMemberId: randomUUID() });
	expect([status, data.errors?.[0]?.field]).toEqual([400, 'responsibleMemberId']);
});

test.each([
	['members-service', 'die', 503, 'SERVICE_UNAVAILABLE'],
	['members-service', 'hang', 504, 'UPSTREAM_TIMEOUT'],
	['members-service', 'nonsense', 503, 'SERVICE_UNAVAILABLE'],
	['masterdata-service', 'die', 503, 'SERVICE_UNAVAILABLE'],
	['masterdata-service', 'hang', 504, 'UPSTREAM_TIMEOUT'],
	['masterdata-service', 'nonsense', 503, 'SERVICE_UNAVAILABLE'],
] as const)(
	'while %s is unavailable (%s) nothing is stored, and afterwards the same request succeeds',
	async (service, behaviour, status, code) => {
		horses.clock.advance(codeLifetimeMs + 1);
		const headers = { 'Idempotency-Key': randomUUID() };
		const body = horseBody({ countryOfBirth: 'CH', owners: [{ memberId: horses.peers.member() }] });
		const token = horses.officer;
		const post = () => impatient.call('POST', '/api/horses', { token, headers, body });
		// So that it has a token of its own, which is not what this is about.
		await impatient.call('POST', '/api/horses', {
			token,
			body: horseBody({ owners: [{ memberId: horses.peers.member() }] }),
		});
		const before = await rows();
		await horses.peers.fail(service, behaviour);
		const response = await post();
		await horses.peers.recover(service);
		expect([response.status, response.data.code]).toEqual([status, code]);
		if (status === 503) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
		expect(await rows()).toBe(before);
		expect((await post()).status).toBe(201);
	},
);

describe('a country', () => {
	const register = () => horses.tryToRegister({ countryOfBirth: 'DE' });
	const requested = () =>
		horses.peers.requestsOf('masterdata-service').filter((path) => path.endsWith('/DE')).length;

	test('is requested once in five minutes, and then again', async () => {
		horses.clock.advance(codeLifetimeMs);
		const before = requested();
		await register();
		await register();
		expect(requested()).toBe(before + 1);
		horses.clock.advance(codeLifetimeMs - 1);
		await horses.peers.fail('masterdata-service', 'die');
		expect(
			(await horses.tryToRegister({ countryOfBirth: 'DE', owners: [{ memberId: horses.peers.member() }] }))
				.status,
		).toBe(201);
		horses.clock.advance(1);
		expect((await register()).status).toBe(503);
		await horses.peers.recover('masterdata-service');
		expect((await register()).status).toBe(201);
		expect(requested()).toBe(before + 2);
	});

	test('that is not known is requested each time, and accepted once it exists', async () => {
		expect((await horses.tryToRegister({ countryOfBirth: 'XK' })).status).toBe(400);
		horses.peers.countries.set('XK', '983');
		expect((await horses.tryToRegister({ countryOfBirth: 'XK', ueln: '983 000000000001' })).status).toBe(201);
	});
});

test('only the registry’s own horses are read without the other services', async () => {
	const horse = await horses.register();
	for (const service of ['members-service', 'masterdata-service', 'events-service', 'auth-service'] as const)
		await horses.peers.fail(service, 'die');
	const { status } = await horses.call<Horse>('GET', `/api/horses/${horse.id}`, { token: horses.officer });
	for (const service of ['members-service', 'masterdata-service', 'events-service', 'auth-service'] as const)
		await horses.peers.recover(service);
	expect(status).toBe(200);
});
