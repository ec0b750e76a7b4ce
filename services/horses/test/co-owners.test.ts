import { beforeEach, expect, test } from '@jest/globals';
import type { Horse } from '../src/schemas/horse.ts';
import { horseBody, type RunningHorses, useHorses } from './running-horses.ts';

type Person = ReturnType<RunningHorses['person']>;

const horses = useHorses();
let clubId: string;
let coOwner: Person;
let responsible: Person;
let horse: Horse;

beforeEach(async () => {
	clubId = horses.peers.club();
	[coOwner, responsible] = [horses.person(), horses.person()];
	horse = await horses.register({
		owners: [{ memberId: coOwner.memberId }, { memberId: horses.peers.member() }],
		responsibleMemberId: responsible.memberId,
		clubId,
	});
});

const official = () =>
	horses.sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } } });
const retire = (token: string, id = horse.id) => horses.call('POST', `/api/horses/${id}/retire`, { token });

function changeResponsible(token: string, responsibleMemberId: string | null) {
	const { owners: _owners, ...body } = horseBody({ microchip: horse.microchip, clubId, responsibleMemberId });
	return horses.call('PUT', `/api/horses/${horse.id}`, { token, body });
}

// One of several owners ended the horse's career for all of them.
test('one of several owners does not retire the horse, nor does an official of its club', async () => {
	for (const token of [coOwner.token, official()]) {
		const refused = await retire(token);
		expect([refused.status, refused.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	}
	expect((await horses.stored(horse.id))?.status).toBe('ACTIVE');
	expect((await retire(responsible.token)).status).toBe(200);
});

test('the sole owner retires it', async () => {
	const { id } = await horses.register({ owners: [{ memberId: coOwner.memberId }] });
	expect((await retire(coOwner.token, id)).status).toBe(200);
});

test('neither becomes responsible by a PUT, which may repeat the responsible person', async () => {
	for (const token of [coOwner.token, official()]) {
		for (const memberId of [coOwner.memberId, null])
			expect((await changeResponsible(token, memberId)).data.code).toBe('OUT_OF_SCOPE');
		expect((await changeResponsible(token, responsible.memberId)).status).toBe(200);
	}
	expect((await changeResponsible(responsible.token, coOwner.memberId)).status).toBe(200);
	expect((await retire(coOwner.token)).status).toBe(200);
});
