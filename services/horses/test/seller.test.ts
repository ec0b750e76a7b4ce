import { describe, expect, test } from '@jest/globals';
import type { Horse } from '../src/horses/schemas.ts';
import { horseBody, useHorses } from './running-horses.ts';

const horses = useHorses();

/** A horse sold by its owner and responsible person, and an official of the seller's club. */
async function sold() {
	const [clubId, buyersClubId] = [horses.peers.club(), horses.peers.club()];
	const official = (id: string) =>
		horses.sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: { clubIds: [id] } } });
	const seller = horses.person();
	const buyerId = horses.peers.member('ACTIVE', buyersClubId);
	const buyer = { memberId: buyerId, token: horses.sign({ memberId: buyerId }) };
	const horse = await horses.register({
		registeredOn: '2020-01-01',
		owners: [{ memberId: seller.memberId }],
		responsibleMemberId: seller.memberId,
		clubId,
	});
	const body = { from: '2026-04-01', owners: [{ memberId: buyer.memberId }] };
	const path = `/api/horses/${horse.id}/ownership`;
	expect((await horses.call('POST', path, { token: seller.token, body })).status).toBe(201);
	return { horse, clubId, seller, buyer, clubOfficial: official(clubId) };
}

function attempts({ id, microchip }: Horse) {
	const { owners: _owners, ...renamed } = horseBody({ name: 'Umbenannt', microchip });
	const owners = [{ memberId: horses.peers.member() }];
	return [
		['PUT', `/api/horses/${id}`, renamed],
		['POST', `/api/horses/${id}/retire`, undefined],
		['POST', `/api/horses/${id}/ownership`, { from: '2026-04-30', owners }],
		['POST', `/api/horses/${id}/decease`, { date: '2026-04-30' }],
		['GET', `/api/horses/${id}/ownership`, undefined],
	] as const;
}

// The seller stayed the responsible person, and could retire, rename and sell the horse again.
describe('after a sale', () => {
	test.each(['seller', 'clubOfficial'] as const)('the %s has no right over the horse', async (who) => {
		const made = await sold();
		const token = who === 'seller' ? made.seller.token : made.clubOfficial;
		const before = await horses.stored(made.horse.id);
		for (const [method, path, body] of attempts(made.horse)) {
			const { status, data } = await horses.call(method, path, {
				token,
				...(body === undefined ? {} : { body }),
			});
			expect([method, path, status, data.code]).toEqual([method, path, 403, 'OUT_OF_SCOPE']);
		}
		expect(await horses.stored(made.horse.id)).toEqual(before);
		const seen = await horses.call<Horse>('GET', `/api/horses/${made.horse.id}`, { token });
		expect(seen.data).not.toHaveProperty('owners');
		const own = await horses.call<{ items: Horse[] }>(
			'GET',
			`/api/horses?responsibleId=${made.seller.memberId}`,
			{ token: made.seller.token },
		);
		expect(own.data.items).toEqual([]);
	});

	test('the buyer is responsible, and may do all of it', async () => {
		const { horse, buyer } = await sold();
		expect(await horses.stored(horse.id)).toMatchObject({
			responsibleMemberId: buyer.memberId,
			clubId: null,
			version: 2,
		});
		const [rename, retire, sell] = attempts(horse);
		for (const [method, path, body] of [rename, retire, sell]) {
			const sent = body === undefined ? {} : { body };
			const { status } = await horses.call(method, path, { token: buyer.token, ...sent });
			expect([path, status]).toEqual([path, path.endsWith('ownership') ? 201 : 200]);
		}
		expect((await horses.stored(horse.id))?.name).toBe('Umbenannt');
	});

	test('the club of the seller has no right over the horse if another member was responsible for it', async () => {
		const [clubId, seller] = [horses.peers.club(), horses.person()];
		const buyerId = horses.peers.member('ACTIVE', horses.peers.club());
		const horse = await horses.register({
			registeredOn: '2020-01-01',
			owners: [{ memberId: seller.memberId }],
			responsibleMemberId: horses.peers.member(),
			clubId,
		});
		const body = { from: '2026-04-01', owners: [{ memberId: buyerId }] };
		await horses.call('POST', `/api/horses/${horse.id}/ownership`, { token: seller.token, body });
		expect(await horses.stored(horse.id)).toMatchObject({ responsibleMemberId: buyerId, clubId: null });
	});

	test('a transfer by the office ends them too', async () => {
		const seller = horses.person();
		const { id } = await horses.register({
			registeredOn: '2020-01-01',
			owners: [{ memberId: seller.memberId }],
			responsibleMemberId: seller.memberId,
		});
		const body = { from: '2026-04-01', owners: [{ externalParty: { name: 'Fern', countryCode: 'DE' } }] };
		await horses.call('POST', `/api/horses/${id}/ownership`, { token: horses.officer, body });
		expect((await horses.stored(id))?.responsibleMemberId).toBe(null);
		expect((await horses.call('POST', `/api/horses/${id}/retire`, { token: seller.token })).status).toBe(403);
	});
});
