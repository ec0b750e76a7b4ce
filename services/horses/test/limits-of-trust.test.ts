import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Callers, callersOf } from './callers.ts';
import { horseBody, type RunningHorses, runHorses } from './running-horses.ts';

let horses: RunningHorses;
let call: RunningHorses['call'];
let callers: Callers;

beforeAll(async () => {
	horses = await runHorses();
	({ call } = horses);
	callers = callersOf(horses);
});
afterAll(() => horses.close());

test('an official brings no horse to another club, and lets none go there', async () => {
	const token = callers.tokenOf('official');
	const abroad = await horses.tryToRegister({ clubId: callers.otherClubId }, token);
	expect([abroad.status, abroad.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	const horse = await horses.register({ clubId: callers.clubId });
	const { owners: _owners, ...body } = horseBody({ microchip: horse.microchip, clubId: callers.otherClubId });
	const moved = await call('PUT', `/api/horses/${horse.id}`, { token, body });
	expect([moved.status, moved.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	expect(await horses.stored(horse.id)).toMatchObject({ club_id: callers.clubId, version: 1 });
});

test('only the office records that a fee is paid', async () => {
	const refused = await horses.tryToRegister(callers.tied({ feePaidForYear: 2026 }), callers.owner.token);
	expect([refused.status, refused.data.code, refused.data['fields']]).toEqual([
		403,
		'FORBIDDEN',
		['feePaidForYear'],
	]);
	const horse = await horses.register(callers.tied({ feePaidForYear: 2025 }));
	const put = (feePaidForYear: number) => {
		const { owners: _owners, ...body } = horseBody({
			...callers.tied(),
			microchip: horse.microchip,
			feePaidForYear,
		});
		return call('PUT', `/api/horses/${horse.id}`, { token: callers.owner.token, body });
	};
	expect((await put(2026)).status).toBe(403);
	expect((await put(2025)).status).toBe(200);
});

test('nobody else lists what somebody owns or answers for', async () => {
	const ask = (query: string, token: string) => call('GET', `/api/horses?${query}`, { token });
	for (const name of ['ownerId', 'responsibleId']) {
		const query = `${name}=${callers.owner.memberId}`;
		expect((await ask(query, callers.owner.token)).status).toBe(200);
		expect((await ask(query, horses.officer)).status).toBe(200);
		for (const who of ['stranger', 'accountOnly', 'official', 'organiser'] as const)
			expect((await ask(query, callers.tokenOf(who))).data.code).toBe('OUT_OF_SCOPE');
	}
	expect((await ask('status=INACTIVE', callers.owner.token)).data.code).toBe('OUT_OF_SCOPE');
	expect((await ask('status=INACTIVE', horses.officer)).status).toBe(200);
});
