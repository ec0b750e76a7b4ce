import { beforeEach, expect, test } from '@jest/globals';
import type { Horse } from '../src/horses/schemas.ts';
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

const identity = [
	['microchip', '999000000000077'],
	['ueln', '040DEM000000077'],
	['passportNumber', 'P 77'],
	['passportIssuer', 'Verband'],
	['name', 'Anders'],
	['sex', 'GELDING'],
	['birthYear', 2015],
	['breed', 'Noriker'],
	['studbook', 'ZAP'],
	['countryOfBirth', 'DE'],
	['breederName', 'Gestüt Anders'],
	['sireName', 'Vater'],
	['damName', 'Mutter'],
	['damSireName', 'Muttervater'],
] as const;

function changeIdentity(token: string, of: Horse, change: object) {
	const { owners: _owners, ...body } = horseBody({
		microchip: of.microchip,
		clubId: of.clubId,
		responsibleMemberId: of.responsibleMemberId,
	});
	return horses.call('PUT', `/api/horses/${of.id}`, { token, body: { ...body, ...change } });
}

// One of several owners gave the horse another microchip number and other parents for all of them.
test('what identifies the horse is not changed by one of several owners, the responsible person or an official', async () => {
	const sire = await horses.register({ sex: 'STALLION', birthYear: 2000 });
	const dam = await horses.register({ birthYear: 2000 });
	const changes = [...identity, ['sireId', sire.id], ['damId', dam.id], ['microchip', null]] as const;
	for (const token of [coOwner.token, responsible.token, official()])
		for (const [field, value] of changes) {
			const passport = field === 'microchip' && value === null ? { passportNumber: 'X 1' } : {};
			const refused = await changeIdentity(token, horse, { [field]: value, ...passport });
			expect([field, refused.status, refused.data.code]).toEqual([field, 403, 'IDENTITY_BY_OWNERS_ONLY']);
			expect(refused.data.errors?.map((error) => error.field)).toContain(field);
		}
	expect((await horses.stored(horse.id))?.version).toBe(1);
	expect((await changeIdentity(coOwner.token, horse, { colour: 'Fuchs', notes: 'Neu' })).status).toBe(200);
});

test('the office and a sole owner change it; a co-owner sends the record back as it was read', async () => {
	const sole = horses.person();
	const own = await horses.register({ owners: [{ memberId: sole.memberId }] });
	const dam = await horses.register({ birthYear: 2000, sireName: 'Vater der Mutter' });
	expect((await changeIdentity(sole.token, own, { ueln: '040DEM000000078' })).status).toBe(200);
	const changed = await changeIdentity(horses.officer, horse, { damId: dam.id });
	expect(changed.status).toBe(200);
	const read = await horses.call<Horse>('GET', `/api/horses/${horse.id}`, { token: coOwner.token });
	expect(read.data.damSireName).toBe('Vater der Mutter');
	const back = await horses.call('PUT', `/api/horses/${horse.id}`, { token: coOwner.token, body: read.data });
	expect(back.status).toBe(200);
});
