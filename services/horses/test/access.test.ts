import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import { isInternalRoute } from '@paddock/service';
import { horsesRoutes } from '../src/routes.ts';
import type { Horse } from '../src/schemas/horse.ts';
import { horseBody, type RunningHorses, runHorses } from './running-horses.ts';

let horses: RunningHorses;
let call: RunningHorses['call'];
let clubId: string;
let otherClubId: string;
let owner: ReturnType<RunningHorses['person']>;

beforeAll(async () => {
	horses = await runHorses();
	({ call } = horses);
	clubId = horses.peers.club();
	otherClubId = horses.peers.club();
	owner = horses.person();
});
afterAll(() => horses.close());

const open = horsesRoutes.filter((route) => !isInternalRoute(route));
const addresses = open.map(
	({ method, path }) =>
		[
			method.toUpperCase(),
			path.replace('{number}', '040DEM000000001').replaceAll(/\{\w+\}/g, () => randomUUID()),
		] as const,
);

test('every route asks for a token; nothing is public', () => {
	expect(open).toHaveLength(19);
	expect(open.filter(({ access }) => access === 'public')).toEqual([]);
});

test.each(addresses)('%s %s needs a token, and one that is valid', async (method, path) => {
	const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};
	const anonymous = await call(method, path, body);
	expect([anonymous.status, anonymous.data.code]).toEqual([401, 'UNAUTHENTICATED']);
	expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
	const expired = await call(method, path, { ...body, token: horses.expired });
	expect([expired.status, expired.data.code]).toEqual([401, 'TOKEN_EXPIRED']);
	const ofService = await call(method, path, { ...body, token: horses.signService(['horses:lookup']) });
	expect([ofService.status, ofService.data.code]).toEqual([401, 'INVALID_TOKEN']);
});

type Who =
	| 'owner'
	| 'responsible'
	| 'stranger'
	| 'accountOnly'
	| 'official'
	| 'otherOfficial'
	| 'unscopedOfficial'
	| 'organiser'
	| 'officer'
	| 'admin';

const everybody: readonly Who[] = [
	'owner',
	'responsible',
	'stranger',
	'accountOnly',
	'official',
	'otherOfficial',
	'unscopedOfficial',
	'organiser',
	'officer',
	'admin',
];

let responsible: ReturnType<RunningHorses['person']>;

function tokenOf(who: Who): string {
	const official = (clubIds: readonly string[] | undefined) =>
		horses.sign({
			roles: ['MEMBER', 'CLUB_OFFICIAL'],
			...(clubIds === undefined ? {} : { roleScopes: { CLUB_OFFICIAL: { clubIds } } }),
		});
	const role = (name: Role) => horses.sign({ roles: [name] });
	switch (who) {
		case 'owner':
			return owner.token;
		case 'responsible':
			return responsible.token;
		case 'stranger':
			return horses.stranger;
		case 'accountOnly':
			return horses.sign({});
		case 'official':
			return official([clubId]);
		case 'otherOfficial':
			return official([otherClubId]);
		case 'unscopedOfficial':
			return official(undefined);
		case 'organiser':
			return horses.sign({ roles: ['ORGANISER'], roleScopes: { ORGANISER: { clubIds: [clubId] } } });
		case 'officer':
			return role('FEDERATION_OFFICER');
		case 'admin':
			return role('ADMIN');
	}
}

/** A horse with every tie: an owner, a responsible person, a club. */
function tied(changes: object = {}) {
	return {
		owners: [{ memberId: owner.memberId }],
		responsibleMemberId: responsible.memberId,
		clubId,
		notes: 'Geheimnis',
		breederName: 'Geheimer Züchter',
		...changes,
	};
}

const entrusted: readonly Who[] = ['owner', 'responsible', 'official', 'officer', 'admin'];
const officers: readonly Who[] = ['officer', 'admin'];

/** What each of them gets; whoever isn't listed gets 403. */
const table: Readonly<
	Record<
		string,
		{ allowed: readonly Who[]; status: number; act: (horse: Horse, token: string) => Promise<number> }
	>
> = {
	'read the sport view': {
		allowed: everybody,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}`, { token })).status,
	},
	'read the pedigree': {
		allowed: everybody,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}/pedigree`, { token })).status,
	},
	'see who owned it': {
		allowed: entrusted,
		status: 200,
		act: async ({ id }, token) => (await call('GET', `/api/horses/${id}/ownership`, { token })).status,
	},
	register: {
		allowed: entrusted,
		status: 201,
		act: async (_horse, token) => (await horses.tryToRegister(tied(), token)).status,
	},
	change: {
		allowed: entrusted,
		status: 200,
		act: async ({ id, microchip }, token) => {
			const { owners: _owners, ...body } = horseBody({ ...tied(), microchip, name: 'Neu' });
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
		allowed: entrusted,
		status: 200,
		act: async ({ id }, token) => (await call('POST', `/api/horses/${id}/retire`, { token })).status,
	},
	'record the death': {
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

const cases = Object.keys(table).flatMap((what) => everybody.map((who) => [what, who] as const));

describe('who may', () => {
	beforeAll(() => {
		responsible = horses.person();
	});

	test.each(cases)('%s: %s', async (what, who) => {
		const { allowed, status, act } = table[what] ?? { allowed: [], status: 0, act: async () => 0 };
		const horse = await horses.register(tied({ registeredOn: '2020-01-01' }));
		const before = await horses.stored(horse.id);
		const expected = allowed.includes(who) ? status : 403;
		expect(await act(horse, tokenOf(who))).toBe(expected);
		if (expected === 403) expect(await horses.stored(horse.id)).toEqual(before);
	});

	test.each(everybody)('see all of a horse: %s', async (who) => {
		const { id } = await horses.register(tied());
		const path = `/api/horses/${id}`;
		const single = await call<Horse>('GET', path, { token: tokenOf(who) });
		const listed = await call<{ items: Horse[] }>(
			'GET',
			`/api/horses?sort=-createdAt&clubId=${clubId}&size=200`,
			{
				token: tokenOf(who),
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
			for (const secret of ['Geheim', owner.memberId, responsible.memberId])
				expect(single.text).not.toContain(secret);
	});
});

test('an official brings no horse to another club, and lets none go there', async () => {
	const token = tokenOf('official');
	const abroad = await horses.tryToRegister({ clubId: otherClubId }, token);
	expect([abroad.status, abroad.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	const horse = await horses.register({ clubId });
	const { owners: _owners, ...body } = horseBody({ microchip: horse.microchip, clubId: otherClubId });
	const moved = await call('PUT', `/api/horses/${horse.id}`, { token, body });
	expect([moved.status, moved.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	expect(await horses.stored(horse.id)).toMatchObject({ club_id: clubId, version: 1 });
});

test('only the office records that a fee is paid', async () => {
	const refused = await horses.tryToRegister(tied({ feePaidForYear: 2026 }), owner.token);
	expect([refused.status, refused.data.code, refused.data['fields']]).toEqual([
		403,
		'FORBIDDEN',
		['feePaidForYear'],
	]);
	const horse = await horses.register(tied({ feePaidForYear: 2025 }));
	const put = (feePaidForYear: number) => {
		const { owners: _owners, ...body } = horseBody({ ...tied(), microchip: horse.microchip, feePaidForYear });
		return call('PUT', `/api/horses/${horse.id}`, { token: owner.token, body });
	};
	expect((await put(2026)).status).toBe(403);
	expect((await put(2025)).status).toBe(200);
});

test('nobody else lists what somebody owns or answers for', async () => {
	const ask = (query: string, token: string) => call('GET', `/api/horses?${query}`, { token });
	for (const name of ['ownerId', 'responsibleId']) {
		const query = `${name}=${owner.memberId}`;
		expect((await ask(query, owner.token)).status).toBe(200);
		expect((await ask(query, horses.officer)).status).toBe(200);
		for (const who of ['stranger', 'accountOnly', 'official', 'organiser'] as const)
			expect((await ask(query, tokenOf(who))).data.code).toBe('OUT_OF_SCOPE');
	}
	expect((await ask('status=INACTIVE', owner.token)).data.code).toBe('OUT_OF_SCOPE');
	expect((await ask('status=INACTIVE', horses.officer)).status).toBe(200);
});
