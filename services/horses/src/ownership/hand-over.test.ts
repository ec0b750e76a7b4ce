import { expect, test } from '@jest/globals';
import { tiesAfter } from './hand-over.ts';
import type { Owner } from './owner-schemas.ts';

const member = (memberId: string): Owner => ({ memberId, externalParty: null, sharePercent: null });
const party = (name: string): Owner => ({
	memberId: null,
	externalParty: { name, countryCode: 'AT' },
	sharePercent: null,
});
const members = new Map(
	[
		['buyer', 'club of buyer'],
		['neighbour', 'club of seller'],
		['clubless', null],
	].map(([id, homeClubId]) => [
		String(id),
		{ id: String(id), status: 'ACTIVE', homeClubId: homeClubId ?? null },
	]),
);
const seller = { owners: [member('seller')], responsibleMemberId: 'seller', clubId: 'club of seller' };

// A seller stayed responsible person, and the seller's club kept its rights over the horse.
test.each([
	['to a member of another club', seller, [member('buyer')], 'buyer', null],
	['to a member of the same club', seller, [member('neighbour')], 'neighbour', 'club of seller'],
	['to a member without a club', seller, [member('clubless')], 'clubless', null],
	['out of the federation', seller, [party('Fern')], null, null],
	['to two, the second a member', seller, [party('Fern'), member('buyer')], 'buyer', null],
	[
		'by one of two owners',
		{ ...seller, owners: [member('seller'), member('buyer')] },
		[member('buyer')],
		'buyer',
		null,
	],
	[
		'to the responsible person',
		{ ...seller, responsibleMemberId: 'buyer' },
		[member('clubless'), member('buyer')],
		'buyer',
		null,
	],
	['without a responsible person', { ...seller, responsibleMemberId: null }, [member('buyer')], null, null],
	[
		'by one of two external owners of one name',
		{ ...seller, owners: [party('Hans Huber'), party('Hans Huber')] },
		[party('Hans Huber')],
		null,
		null,
	],
	['of a horse of a non-member', { ...seller, owners: [party('Fern')] }, [party('Nah')], null, null],
])('a sale %s', (_what, horse, owners, responsible, club) => {
	expect(tiesAfter(horse, { owners, members })).toEqual({
		responsibleMemberId: responsible,
		clubId: club,
	});
});

test('as long as no owner leaves, responsible person and club stay', () => {
	expect(tiesAfter(seller, { owners: [member('buyer'), member('seller')], members })).toEqual({});
	const external = { ...seller, owners: [party('Fern')] };
	const namesakes = [party('Hans Huber'), party('Hans Huber')];
	expect(tiesAfter({ ...seller, owners: namesakes }, { owners: namesakes, members })).toEqual({});
	expect(tiesAfter(external, { owners: [party('Fern'), member('buyer')], members })).toEqual({});
});
