import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { TestFailure } from '@paddock/testing';
import type { DeletedHorses } from '../src/horses/body-schemas.ts';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

function deleteAll<Data = DeletedHorses>(horseIds: readonly string[], token = horses.officer) {
	return horses.call<Data>('POST', '/api/horses/batch-delete', { token, body: { horseIds } });
}

async function registered(): Promise<string> {
	return (await horses.register()).id;
}

test('deletes each horse that a DELETE would delete, and names the code of every other one', async () => {
	const [one, entered, two, unknown] = [
		await registered(),
		await registered(),
		await registered(),
		randomUUID(),
	];
	horses.peers.entered.add(entered);
	const { status, data } = await deleteAll([one, entered, unknown, two]);
	expect([status, data.deleted]).toEqual([200, [one, two]]);
	expect(data.refused).toEqual([
		{ id: entered, code: 'HORSE_HAS_OPEN_ENTRIES', message: expect.any(String) },
		{ id: unknown, code: 'NOT_FOUND', message: expect.any(String) },
	]);
	const stored = await Promise.all([one, entered, two].map((id) => horses.stored(id)));
	expect(stored.map((horse) => horse?.status)).toEqual(['INACTIVE', 'ACTIVE', 'INACTIVE']);
	horses.peers.entered.delete(entered);
	expect((await deleteAll([one, entered])).data).toEqual({
		deleted: [one, entered],
		removed: [one, entered],
		refused: [],
	});
});

test('fails as a whole while the events context does not respond, and continues when repeated', async () => {
	const [one, two] = [await registered(), await registered()];
	await horses.peers.fail('events-service', 'die');
	const failed = await deleteAll<TestFailure>([one, two]);
	await horses.peers.recover('events-service');
	expect([failed.status, failed.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	expect((await deleteAll([one, two])).data.deleted).toEqual([one, two]);
});

test('is for the office, for 1 to 50 different horses', async () => {
	const id = await registered();
	expect((await deleteAll<TestFailure>([id], horses.stranger)).data.code).toBe('FORBIDDEN');
	expect((await deleteAll<TestFailure>([id], horses.expired)).status).toBe(401);
	for (const ids of [[], [id, id], Array.from({ length: 51 }, randomUUID), ['first']]) {
		const { status, data } = await deleteAll<TestFailure>(ids);
		expect([status, data.code]).toEqual([400, 'VALIDATION_ERROR']);
	}
	expect(await horses.stored(id)).toMatchObject({ status: 'ACTIVE' });
});

test('the former address of an owner’s horses leads to the filter of the list', async () => {
	const { memberId, token } = horses.person();
	const { status, headers } = await horses.call('GET', `/api/horses/owner/${memberId}?size=5`, { token });
	expect([status, headers.get('Location')]).toEqual([308, `/api/horses?ownerId=${memberId}&size=5`]);
	expect([headers.get('Deprecation'), headers.get('Sunset')]).toEqual([
		'@1795305600',
		'Wed, 01 Dec 2027 00:00:00 GMT',
	]);
});
