import { describe, expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { Horse } from '../src/horses/schemas.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

function send(method: string, path: string, body?: object) {
	return horses.call<Horse & TestFailure>(method, `/api/horses/${path}`, {
		token: horses.officer,
		...(body === undefined ? {} : { body }),
	});
}

const ways = {
	restore: {
		leave: (id: string) => send('DELETE', id),
		comeBack: (id: string) => send('POST', `${id}/restore`),
	},
	'undo-death': {
		leave: (id: string) => send('POST', `${id}/decease`, { date: '2026-04-30' }),
		comeBack: (id: string) => send('POST', `${id}/undo-death`, { reason: 'Verwechslung' }),
	},
};

// A member is not deleted while owning a horse, yet the horse came back to a member who had been deleted since.
describe.each(['restore', 'undo-death'] as const)('%s', (name) => {
	const { leave, comeBack } = ways[name];

	test('is refused while an owner is no longer a member; a corrected ownership allows it', async () => {
		const [stays, leaves] = [horses.peers.member(), horses.peers.member()];
		for (const owners of [[leaves], [stays, leaves]]) {
			horses.peers.members.set(leaves, 'ACTIVE');
			const { id } = await horses.register({
				registeredOn: '2020-01-01',
				owners: owners.map((memberId) => ({ memberId })),
			});
			await leave(id);
			const before = await horses.stored(id);
			for (const status of ['INACTIVE', undefined]) {
				if (status === undefined) horses.peers.members.delete(leaves);
				else horses.peers.members.set(leaves, status);
				const refused = await comeBack(id);
				expect([refused.status, refused.data]).toMatchObject([
					409,
					{ code: 'OWNER_NOT_MEMBER', memberIds: [leaves] },
				]);
			}
			expect(await horses.stored(id)).toEqual(before);
			const corrected = await send('POST', `${id}/ownership/correct`, {
				reason: 'Austritt',
				owners: [{ memberId: stays }],
			});
			expect(corrected.status).toBe(201);
			expect((await comeBack(id)).data).toMatchObject({ status: 'ACTIVE', owners: [{ memberId: stays }] });
		}
	});

	test('keeps a suspended owner and one who is not a member, and clears a responsible person who has left', async () => {
		const [suspended, leaves] = [horses.peers.member(), horses.peers.member()];
		const { id } = await horses.register({
			registeredOn: '2020-01-01',
			owners: [{ memberId: suspended }, { externalParty: { name: 'Stall Fern', countryCode: 'DE' } }],
			responsibleMemberId: leaves,
		});
		await leave(id);
		horses.peers.members.set(suspended, 'SUSPENDED').set(leaves, 'INACTIVE');
		const back = await comeBack(id);
		expect([back.status, back.data.status, back.data.responsibleMemberId]).toEqual([200, 'ACTIVE', null]);
	});

	test('changes nothing while members cannot be reached', async () => {
		const owners = [{ memberId: horses.peers.member() }];
		const { id } = await horses.register({ registeredOn: '2020-01-01', owners });
		await leave(id);
		await horses.peers.fail('members-service', 'die');
		const refused = await comeBack(id);
		await horses.peers.recover('members-service');
		expect([refused.status, refused.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	});
});
