import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { isInternalRoute } from '@paddock/service';
import type { Horse } from '../src/horses/schemas.ts';
import { horsesRoutes } from '../src/routes.ts';
import { allCallers, type Callers, callersOf, type Who } from './callers.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();
const { call } = horses;
let callers: Callers;

beforeAll(() => {
	callers = callersOf(horses);
});

const open = horsesRoutes.filter((route) => !isInternalRoute(route));
const declared = open.map(({ method, path }) => [method.toUpperCase(), path] as const);

test('every route requires a token; nothing is public', () => {
	expect(open).toHaveLength(34);
	expect(open.filter(({ access }) => access === 'public')).toEqual([]);
});

test.each(declared)('%s %s needs a token, and one that is valid', async (method, template) => {
	const path = template.replace('{number}', '040DEM000000001').replaceAll(/\{\w+\}/g, () => randomUUID());
	const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
	const anonymous = await call(method, path, body);
	expect([anonymous.status, anonymous.data.code]).toEqual([401, 'UNAUTHENTICATED']);
	expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
	const expired = await call(method, path, { ...body, token: horses.expired });
	expect([expired.status, expired.data.code]).toEqual([401, 'TOKEN_EXPIRED']);
	const ofService = await call(method, path, { ...body, token: horses.signService(['horses:lookup']) });
	expect([ofService.status, ofService.data.code]).toEqual([401, 'INVALID_TOKEN']);
});

const entrusted: readonly Who[] = ['owner', 'responsible', 'official', 'officer', 'admin'];
const officers: readonly Who[] = ['officer', 'admin'];

/** The status for each caller; callers that aren't listed get 403. */
const table: Readonly<
	Record<
		string,
		{ allowed: readonly Who[]; status: number; act: (horse: Horse, token: string) => Promise<number> }
	>
> = {
	'read the sport view': {
		allowed: allCallers,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}`, { token })).status,
	},
	'read the pedigree': {
		allowed: allCallers,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}/pedigree`, { token })).status,
	},
	'list its changes': {
		allowed: entrusted,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}/history`, { token })).status,
	},
	'list its ownership periods': {
		allowed: entrusted,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}/ownership`, { token })).status,
	},
	register: {
		allowed: entrusted,
		status: 201,
		act: async (_horse, token) => (await horses.tryToRegister(callers.tied(), token)).status,
	},
	change: {
		allowed: entrusted,
		status: 200,
		act: async ({ id, microchip }, token) => {
			const { owners: _owners, ...body } = horseBody({ ...callers.tied(), microchip, colour: 'Fuchs' });
			return (await call('PUT', `/api/horses/${id}`, { token, body })).status;
		},
	},
	rename: {
		allowed: ['owner', 'officer', 'admin'],
		status: 200,
		act: async ({ id, microchip }, token) => {
			const { owners: _owners, ...body } = horseBody({ ...callers.tied(), microchip, name: 'Neu' });
			return (await call('PUT', `/api/horses/${id}`, { token, body })).status;
		},
	},
	transfer: {
		allowed: entrusted,
		status: 201,
		act: async ({ id }, token) => {
			const body = { from: '2026-04-01', owners: [{ memberId: horses.peers.member() }] };
			return (await call('POST', `/api/horses/${id}/ownership`, { token, body })).status;
		},
	},
	retire: {
		allowed: ['owner', 'responsible', 'officer', 'admin'],
		status: 200,
		act: async ({ id }, token) => (await call('POST', `/api/horses/${id}/retire`, { token })).status,
	},
	'report or record the death': {
		allowed: entrusted,
		status: 200,
		act: async ({ id }, token) =>
			(await call('POST', `/api/horses/${id}/decease`, { token, body: { date: '2026-05-01' } })).status,
	},
	suspend: {
		allowed: officers,
		status: 200,
		act: async ({ id }, token) =>
			(await call('POST', `/api/horses/${id}/suspend`, { token, body: { reason: 'Seuche' } })).status,
	},
	remove: {
		allowed: officers,
		status: 200,
		act: async ({ id }, token) => (await call('DELETE', `/api/horses/${id}`, { token })).status,
	},
};

const cases = Object.keys(table).flatMap((what) => allCallers.map((who) => [what, who] as const));

describe('permission to', () => {
	test.each(cases)('%s: %s', async (what, who) => {
		const { allowed, status, act } = table[what] ?? { allowed: [], status: 0, act: async () => 0 };
		const horse = await horses.register(callers.tied({ registeredOn: '2020-01-01' }));
		const before = await horses.stored(horse.id);
		const expected = allowed.includes(who) ? status : 403;
		expect(await act(horse, callers.tokenOf(who))).toBe(expected);
		if (expected === 403) expect(await horses.stored(horse.id)).toEqual(before);
	});

	test.each(allCallers)('see all of a horse: %s', async (who) => {
		const { id } = await horses.register(callers.tied());
		const path = `/api/horses/${id}`;
		const single = await call<Horse>('GET', path, { token: callers.tokenOf(who) });
		const listed = await call<{ items: Horse[] }>(
			'GET',
			`/api/horses?sort=-createdAt&clubId=${callers.clubId}&size=200`,
			{
				token: callers.tokenOf(who),
			},
		);
		const inList = listed.data.items.find((horse) => horse.id === id);
		expect(inList).toEqual(single.data);
		const secrets = [
			'owners',
			'responsibleMemberId',
			'breederName',
			'feePaidForYear',
			'statusReason',
			'notes',
		];
		const shown = secrets.filter((field) => field in single.data);
		expect(shown).toEqual(entrusted.includes(who) ? secrets : []);
		if (shown.length === 0)
			for (const secret of ['Geheim', callers.owner.memberId, callers.responsible.memberId])
				expect(single.text).not.toContain(secret);
	});
});
