import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { HorseView } from '../src/horses/schemas.ts';
import type { OwnershipTransfer } from '../src/ownership/transfer-schemas.ts';
import { horseBody, useHorses } from './running-horses.ts';
import { type TransferDesk, transferDesk } from './transfer-desk.ts';

const horses = useHorses();
let desk: TransferDesk;

beforeAll(() => {
	desk = transferDesk(horses);
});

/** An account that belongs to no member and is guardian of these. */
const guardianOf = (...children: readonly { readonly memberId: string }[]) =>
	horses.sign({ guardianOf: children.map(({ memberId }) => memberId) });

describe('a guardian of an owner', () => {
	test('reads the whole record, lists and changes the horse, as the child does', async () => {
		const [child, other] = [horses.person(), horses.person()];
		const token = guardianOf(child);
		const { id } = await horses.register({ owners: [{ memberId: child.memberId }], notes: 'Geheimnis' });
		const path = `/api/horses/${id}`;
		const byChild = await horses.call<HorseView>('GET', path, { token: child.token });
		expect((await horses.call<HorseView>('GET', path, { token })).data).toEqual(byChild.data);
		const listed = await horses.call<Page<HorseView>>('GET', `/api/horses?ownerId=${child.memberId}`, {
			token,
		});
		expect(listed.data.items.map((horse) => horse.id)).toEqual([id]);
		const foreign = await horses.call('GET', `/api/horses?ownerId=${other.memberId}`, { token });
		expect(foreign.status).toBe(403);
		const changed = await horses.call<HorseView>('PATCH', path, { token, body: { name: 'Neuer Name' } });
		expect([changed.status, changed.data.name]).toEqual([200, 'Neuer Name']);
	});

	test('registers a horse of the child', async () => {
		const child = horses.person();
		const body = horseBody({ owners: [{ memberId: child.memberId }] });
		const registered = await horses.call('POST', '/api/horses', { token: guardianOf(child), body });
		expect(registered.status).toBe(201);
	});

	test('transfers a horse of which the child is sole owner at once', async () => {
		const [child, buyer] = [horses.person(), horses.person()];
		const { id } = await horses.register({
			registeredOn: '2020-01-01',
			owners: [{ memberId: child.memberId }],
		});
		const { status, data } = await desk.request(id, buyer, guardianOf(child));
		expect([status, data.status]).toEqual([201, 'COMPLETED']);
		expect(await desk.ownersOf(id)).toEqual([buyer.memberId]);
	});

	test('confirms for the child and never for the other owner, and the transfer names the child', async () => {
		const { id, felix, eva, mia } = await desk.shared();
		const requested = await desk.request(id, mia, guardianOf(felix));
		expect(requested.data.status).toBe('PENDING');
		const transfer = { id, transferId: requested.data.transferId };
		const shown = await horses.call<OwnershipTransfer>('GET', desk.pathOf(id, transfer.transferId), {
			token: guardianOf(eva),
		});
		expect(shown.data.requestedByMemberId).toBe(felix.memberId);
		expect(shown.data.confirmations.filter(({ confirmedAt }) => confirmedAt !== null)).toMatchObject([
			{ memberId: felix.memberId },
		]);
		expect((await desk.respond('confirm', transfer, guardianOf(horses.person()))).status).toBe(404);
		const pendings = await horses.call<Page<OwnershipTransfer>>('GET', '/api/horses/transfers', {
			token: guardianOf(eva, horses.person()),
		});
		expect(pendings.data.items.map((one) => one.id)).toEqual([transfer.transferId]);
		const completed = await desk.respond('confirm', transfer, guardianOf(eva));
		expect([completed.status, completed.data.status, completed.data.endedByMemberId]).toEqual([
			200,
			'COMPLETED',
			eva.memberId,
		]);
		expect(await desk.ownersOf(id)).toEqual([mia.memberId]);
	});

	test('of all owners transfers at once', async () => {
		const { id, felix, eva, mia } = await desk.shared();
		const { data } = await desk.request(id, mia, guardianOf(felix, eva));
		expect(data.status).toBe('COMPLETED');
	});

	test('has no more rights than a child who is suspended', async () => {
		const { id, felix, mia } = await desk.shared();
		horses.peers.members.set(felix.memberId, 'SUSPENDED');
		const { status, data } = await desk.request(id, mia, guardianOf(felix));
		expect([status, data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	});

	test('has no right once the link is ended', async () => {
		const { id, felix, mia } = await desk.shared();
		const { status } = await desk.request(id, mia, guardianOf());
		expect(status).toBe(403);
		expect(
			(await horses.call<HorseView>('GET', `/api/horses/${id}`, { token: guardianOf(felix) })).data,
		).toHaveProperty('owners');
		expect(
			(await horses.call<HorseView>('GET', `/api/horses/${id}`, { token: guardianOf() })).data,
		).not.toHaveProperty('owners');
	});
});

test('a club’s contact has no right over the horses of the member', async () => {
	const { id, felix, mia } = await desk.shared();
	const clubId = horses.peers.club();
	const token = horses.sign({ contactFor: [{ clubId, memberIds: [felix.memberId] }] });
	expect((await desk.request(id, mia, token)).status).toBe(403);
});
