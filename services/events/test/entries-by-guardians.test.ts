import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { AccessTokenClaims } from '@paddock/identity';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { MemberRecord } from '../src/peers/records.ts';
import { asMember, officialOf, useConfirmationDesk } from './confirmation-desk.ts';

const desk = useConfirmationDesk();

/** An account that belongs to no member; its children have paid their fees and each has a horse. */
let parent: Partial<AccessTokenClaims>;
let children: readonly MemberRecord[];
const childAt = (index: number): MemberRecord => children[index] ?? desk.rider;

beforeEach(() => {
	children = ['Mia', 'Noah'].map((firstName) =>
		desk.stage.member({ firstName, dateOfBirth: '2012-04-03', homeClubId: desk.seeblick }),
	);
	parent = { userId: randomUUID(), guardianOf: children.map(({ id }) => id) };
});

const pairOf = ({ id }: MemberRecord) => ({
	riderMemberId: id,
	horseId: desk.stage.horse({ clubId: null, ownerMemberIds: [id] }).id,
});
const errorsOf = ({ data }: { readonly data: object }) => Reflect.get(data, 'errors') as unknown[];
const read = (id: string, claims: Partial<AccessTokenClaims>) =>
	desk.call<Entry>('GET', `${desk.path}/${id}`, claims);
const list = (query: string, claims: Partial<AccessTokenClaims>) =>
	desk.call<Page<Entry>>('GET', `/api/events/entries?${query}`, claims);

describe('a guardian by a link of the account', () => {
	test('enters each child, and the entry counts without another confirmation', async () => {
		const [mia, noah] = [
			await desk.enter(parent, pairOf(childAt(0))),
			await desk.enter(parent, pairOf(childAt(1))),
		];
		expect([mia.status, mia.data.status, noah.data.status]).toEqual([201, 'ACCEPTED', 'WAITLISTED']);
		expect(mia.data.acts).toMatchObject([
			{ act: 'ENTERED', actingAs: 'GUARDIAN', forMemberId: childAt(0).id },
		]);
		const [stored] = await desk.events.db
			.selectFrom('entryActs')
			.selectAll()
			.where('entryId', '=', mia.data.id)
			.execute();
		expect(stored).toMatchObject({
			actedBy: parent.userId,
			actingAs: 'GUARDIAN',
			forMemberId: childAt(0).id,
		});
	});

	test('reads the entry and lists it exactly as the child does', async () => {
		const { data } = await desk.enter(asMember(childAt(0)), pairOf(childAt(0)));
		const asChild = await read(data.id, asMember(childAt(0)));
		const asParent = await read(data.id, parent);
		expect([asParent.status, asParent.data]).toEqual([200, asChild.data]);
		const ofEvent = await desk.call<Page<Entry>>('GET', desk.path, parent);
		expect(ofEvent.data.items).toEqual([asChild.data]);
		const all = await list(`memberId=${childAt(0).id}`, parent);
		expect([all.status, all.data.items]).toEqual([200, [asChild.data]]);
	});

	test('confirms, changes, swaps and withdraws for the child', async () => {
		const { data: pending } = await desk.enter(asMember(desk.eva), { riderMemberId: childAt(0).id });
		expect(pending.missingConfirmations).toEqual(['RIDER']);
		const confirmed = await desk.step(pending, 'confirm', parent);
		expect([confirmed.status, confirmed.data.status]).toEqual([200, 'ACCEPTED']);
		const further = await desk.stage.competition(desk.eventId);
		const changed = await desk.call<Entry>('PATCH', `${desk.path}/${pending.id}`, parent, {
			starts: [{ competitionId: desk.competitionId }, { competitionId: further }],
		});
		expect([changed.status, changed.data.starts?.length]).toEqual([200, 2]);
		const { horseId } = pairOf(childAt(0));
		const swapped = await desk.call<Entry>('POST', `${desk.path}/${pending.id}/swap`, parent, { horseId });
		expect([swapped.status, swapped.data.horseId]).toEqual([200, horseId]);
		const withdrawn = await desk.step(pending, 'withdraw', parent);
		expect([withdrawn.status, withdrawn.data.status]).toEqual([200, 'WITHDRAWN']);
		expect(withdrawn.data.acts.map(({ act, actingAs }) => `${act} ${actingAs}`)).toEqual([
			'ENTERED HORSE',
			'CONFIRMED GUARDIAN',
			'CHANGED GUARDIAN',
			'SWAPPED GUARDIAN',
			'WITHDRAWN GUARDIAN',
		]);
		expect(withdrawn.data.acts.some((act) => 'actedBy' in act)).toBe(false);
		const changes = await desk.events.db
			.selectFrom('changes')
			.select('author')
			.where('recordId', '=', pending.id)
			.execute();
		const byParent = changes
			.map(({ author }) => Object(author))
			.filter(({ userId }) => userId === parent.userId);
		expect(byParent.length).toBeGreaterThanOrEqual(4);
		expect(new Set(byParent.map(({ actingFor }) => actingFor))).toEqual(new Set([childAt(0).id]));
	});

	test('acts for the horses of the child: confirms another rider, and lists their entries', async () => {
		const { horseId } = pairOf(childAt(0));
		const { data } = await desk.enter(asMember(desk.eva), { riderMemberId: desk.eva.id, horseId });
		expect(data.missingConfirmations).toEqual(['HORSE']);
		const listed = await list(`horseId=${horseId}&status=PENDING_CONFIRMATION`, parent);
		expect(listed.data.items.map(({ id }) => id)).toEqual([data.id]);
		const confirmed = await desk.step(data, 'confirm', parent);
		expect([confirmed.status, confirmed.data.status]).toEqual([200, 'ACCEPTED']);
	});

	test('is bound by every rule and every mandatory field, as the child is', async () => {
		const pair = pairOf(childAt(0));
		for (const missing of ['riderMemberId', 'horseId', 'starts']) {
			const changes = { ...pair, [missing]: undefined };
			const [byChild, byParent] = [
				await desk.enter(asMember(childAt(0)), changes),
				await desk.enter(parent, changes),
			];
			expect([byParent.status, byParent.message]).toEqual([400, byChild.message]);
			expect(errorsOf(byParent)).toEqual(errorsOf(byChild));
			expect(errorsOf(byParent)).toHaveLength(1);
		}
		desk.stage.horse({ id: pair.horseId, ownerMemberIds: [pair.riderMemberId], birthYear: 2025 });
		const refused = await desk.enter(parent, pair);
		expect([refused.status, refused.data.checks?.map(({ code }) => code)]).toEqual([
			422,
			['HORSE_TOO_YOUNG'],
		]);
	});

	test('has no more rights than a child who is suspended; for the other child they stay', async () => {
		const { data } = await desk.enter(parent, pairOf(childAt(0)));
		desk.stage.member({ ...childAt(0), status: 'SUSPENDED' });
		// As for any caller who does not act for the rider.
		expect((await desk.step(data, 'withdraw', parent)).status).toBe(404);
		expect((await desk.enter(parent, pairOf(childAt(0)))).data.code).toBe('OUT_OF_SCOPE');
		expect((await read(data.id, parent)).status).toBe(200);
		expect((await desk.enter(parent, pairOf(childAt(1)))).status).toBe(201);
	});

	test('has no right over other riders, and none once the link is ended or the child is 18', async () => {
		expect((await desk.enter(parent, pairOf(desk.rider))).data.code).toBe('OUT_OF_SCOPE');
		const { data } = await desk.enter(parent, pairOf(childAt(0)));
		// The token after the end of the link.
		const former = { ...parent, guardianOf: [childAt(1).id] };
		expect((await read(data.id, former)).status).toBe(404);
		expect((await desk.step(data, 'withdraw', former)).status).toBe(404);
		expect((await list(`memberId=${childAt(0).id}`, former)).status).toBe(403);
		expect((await desk.call<Page<Entry>>('GET', desk.path, former)).data.items).toEqual([]);
		expect((await desk.enter(former, pairOf(childAt(0)))).data.code).toBe('OUT_OF_SCOPE');
	});
});

describe('a contact of a club', () => {
	const contact = () => ({ contactFor: [{ clubId: desk.seeblick, memberIds: [childAt(0).id] }] });

	test('enters the member and reads the entry, while the member belongs to the club', async () => {
		const { status, data } = await desk.enter(contact(), pairOf(childAt(0)));
		expect([status, data.status]).toEqual([201, 'ACCEPTED']);
		expect(data.acts).toMatchObject([
			{ act: 'ENTERED', actingAs: 'CLUB_CONTACT', forMemberId: childAt(0).id },
		]);
		expect((await list(`memberId=${childAt(0).id}`, contact())).data.items).toHaveLength(1);
		expect((await desk.call<Page<Entry>>('GET', desk.path, contact())).data.items).toHaveLength(1);
		desk.stage.member({ ...childAt(0), homeClubId: randomUUID() });
		expect((await desk.step(data, 'withdraw', contact())).status).toBe(403);
		expect((await list(`memberId=${childAt(0).id}`, contact())).status).toBe(403);
	});

	test('has no right over other members of the club', async () => {
		expect((await desk.enter(contact(), pairOf(childAt(1)))).data.code).toBe('OUT_OF_SCOPE');
	});
});

test('acts are shown with the account to the organiser, and not to the horse’s side', async () => {
	const { data } = await desk.enter(parent, { riderMemberId: childAt(0).id });
	const byOrganiser = await read(data.id, desk.organiser);
	expect(byOrganiser.data.acts).toMatchObject([
		{ act: 'ENTERED', actingAs: 'GUARDIAN', actedBy: parent.userId },
	]);
	const byOwner = await read(data.id, asMember(desk.eva));
	expect([byOwner.status, byOwner.data.acts]).toEqual([200, []]);
	const byClub = await read(data.id, officialOf(desk.seeblick));
	expect(byClub.data.acts).toHaveLength(1);
});
