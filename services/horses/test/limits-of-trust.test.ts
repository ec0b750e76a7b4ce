import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import { allCallers, type Callers, callersOf } from './callers.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();
const { call } = horses;
let callers: Callers;

beforeAll(() => {
	callers = callersOf(horses);
});

test('an official moves no horse to or from another club', async () => {
	const token = callers.tokenOf('official');
	const abroad = await horses.tryToRegister({ clubId: callers.otherClubId }, token);
	expect([abroad.status, abroad.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	const horse = await horses.register({ clubId: callers.clubId });
	const { owners: _owners, ...body } = horseBody({ microchip: horse.microchip, clubId: callers.otherClubId });
	const moved = await call('PUT', `/api/horses/${horse.id}`, { token, body });
	expect([moved.status, moved.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	expect(await horses.stored(horse.id)).toMatchObject({ clubId: callers.clubId, version: 1 });
});

test('a member’s horses are listed by that member and the office, by officials of other clubs not', async () => {
	const send = (query: string, token: string) => call('GET', `/api/horses?${query}`, { token });
	for (const name of ['ownerId', 'responsibleId']) {
		const query = `${name}=${callers.owner.memberId}`;
		expect((await send(query, callers.owner.token)).status).toBe(200);
		expect((await send(query, horses.officer)).status).toBe(200);
		for (const who of ['stranger', 'accountOnly', 'official', 'unscopedOfficial', 'organiser'] as const)
			expect((await send(query, callers.tokenOf(who))).data.code).toBe('OUT_OF_SCOPE');
	}
	expect((await send('status=INACTIVE', callers.owner.token)).data.code).toBe('OUT_OF_SCOPE');
	expect((await send('status=INACTIVE', horses.officer)).status).toBe(200);
});

test('an official lists the horses of the own clubs’ members, wherever these horses start', async () => {
	const memberId = horses.peers.member('ACTIVE', callers.clubId);
	const deleted = horses.peers.member('INACTIVE', callers.clubId);
	const owned = await horses.register({ owners: [{ memberId }], clubId: callers.otherClubId });
	const kept = await horses.register({ responsibleMemberId: memberId, clubId: callers.clubId });
	const list = (query: string, who: 'official' | 'otherOfficial') =>
		call<{ items: Horse[] } & TestFailure>('GET', `/api/horses${query}`, { token: callers.tokenOf(who) });
	for (const path of ['', '/active']) {
		const byOwner = await list(`${path}?ownerId=${memberId}`, 'official');
		expect([byOwner.status, byOwner.data.items.map(({ id }) => id)]).toEqual([200, [owned.id]]);
		expect(byOwner.data.items[0]).not.toHaveProperty('owners');
		const byKeeper = await list(`${path}?responsibleId=${memberId}`, 'official');
		expect(byKeeper.data.items.map(({ id }) => id)).toEqual([kept.id]);
		expect(byKeeper.data.items[0]).toHaveProperty('owners');
	}
	const refused = [
		await list(`?ownerId=${memberId}`, 'otherOfficial'),
		await list(`?ownerId=${deleted}`, 'official'),
		await list(`?ownerId=${randomUUID()}`, 'official'),
		await list(`?ownerId=${memberId}&responsibleId=${callers.owner.memberId}`, 'official'),
	];
	const responses = refused.map(({ status, data, message }) => [status, data.code, message]);
	expect(new Set(responses.map(String)).size).toBe(1);
	expect(responses[0]?.slice(0, 2)).toEqual([403, 'OUT_OF_SCOPE']);
});

function get(path: string, token: string, known?: string) {
	const headers = known === undefined ? {} : { 'If-None-Match': known };
	return horses.call<Horse>('GET', path, { token, headers });
}

const secrets = ['Geheim', 'owners', 'notes', 'breederName', 'feePaidForYear', 'statusReason'];

// Two people may use one browser; a stored response of one must not be confirmed for the other.
test('two views of one record have two entity tags', async () => {
	const { id, ueln } = await horses.register(callers.tied({ ueln: '040DEM000000701' }));
	for (const path of [`/api/horses/${id}`, `/api/horses/by-number/${ueln}`]) {
		const full = (await get(path, callers.owner.token)).headers.get('etag') ?? '';
		expect((await get(path, callers.owner.token, full)).status).toBe(304);
		const sport = await get(path, horses.stranger, full);
		expect(sport.status).toBe(200);
		expect(sport.headers.get('etag')).not.toBe(full);
		expect((await get(path, callers.owner.token, sport.headers.get('etag') ?? '')).status).toBe(200);
	}
});

test('a child shows the new name of its parent, under another entity tag, and is changed by that one', async () => {
	const sire = await horses.register({ sex: 'STALLION', birthYear: 2000, name: 'Alter Name' });
	const child = await horses.register({ sireId: sire.id });
	const path = `/api/horses/${child.id}`;
	const before = (await get(path, horses.officer)).headers.get('etag') ?? '';
	const put = (horse: Horse, name: string, ifMatch: string) => {
		const { microchip, sex, birthYear, sireId } = horse;
		const { owners: _owners, ...body } = horseBody({ name, microchip, sex, birthYear, sireId });
		const headers = { 'If-Match': ifMatch };
		return horses.call<Horse>('PUT', `/api/horses/${horse.id}`, { token: horses.officer, body, headers });
	};
	expect((await put(sire, 'Neuer Name', '"1"')).status).toBe(200);
	const after = await get(path, horses.officer, before);
	expect([after.status, after.data.sireName, after.data.version]).toEqual([200, 'Neuer Name', 1]);
	// A changed name of a linked record is not a change of this one.
	const changed = await put(child, 'Kind', before);
	expect([changed.status, changed.data.sireName]).toEqual([200, 'Neuer Name']);
	expect((await get(path, horses.officer, changed.headers.get('etag') ?? '')).status).toBe(304);
	expect((await put(child, 'Kind', before)).status).toBe(412);
});

describe('nothing of its people is shown to others', () => {
	const others = allCallers.filter(
		(who) => !['owner', 'responsible', 'official', 'officer', 'admin'].includes(who),
	);

	test.each(others)('wherever it is met: %s', async (who) => {
		const sire = await horses.register(callers.tied({ sex: 'STALLION', birthYear: 2000 }));
		const name = `Heimlich ${who}`;
		const headNumber = `L${String(others.indexOf(who)).padStart(3, '0')}`;
		const horse = await horses.register(callers.tied({ sireId: sire.id, name, headNumber }));
		for (const path of [
			`/api/horses/${horse.id}`,
			`/api/horses/by-number/${headNumber}`,
			`/api/horses/search?name=${encodeURIComponent(name)}`,
			`/api/horses/search?q=${headNumber}`,
			`/api/horses/${sire.id}/offspring`,
			`/api/horses/${horse.id}/pedigree`,
			`/api/horses?clubId=${callers.clubId}&size=200`,
			`/api/horses/active?clubId=${callers.clubId}&size=200`,
		]) {
			const { status, text } = await get(path, callers.tokenOf(who));
			expect([path, status, text.includes(horse.id)]).toEqual([path, 200, true]);
			for (const secret of [...secrets, callers.owner.memberId, callers.responsible.memberId])
				expect([path, secret, text.includes(secret)]).toEqual([path, secret, false]);
		}
	});
});
