import { expect, test } from '@jest/globals';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice({ PEER_TIMEOUT_MS: 2_000 });

const path = '/api/events';

async function countStored(): Promise<number> {
	return (await events.db.selectFrom('events').select('id').execute()).length;
}

test('services out of reach: 503 with a time to come back, and nothing is stored', async () => {
	const before = await countStored();
	for (const service of ['masterdata-service', 'members-service'] as const) {
		await events.peers.kill(service);
		const { status, data, headers } = await events.call('POST', path, {
			token: office.organiser,
			body: office.body(),
		});
		expect([status, data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
		expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
		await events.peers.recover(service);
	}
	expect(await countStored()).toBe(before);
	const again = await events.call('POST', path, { token: office.organiser, body: office.body() });
	expect(again.status).toBe(201);
});

test('a service that hangs: 504 when its time is over, nothing is stored, and the same key works afterwards', async () => {
	const before = await countStored();
	const sent = office.body();
	const post = () =>
		events.call('POST', path, {
			token: office.organiser,
			body: sent,
			headers: { 'Idempotency-Key': 'one-and-the-same' },
		});
	events.peers.hang('masterdata-service');
	const hung = await post();
	expect([hung.status, hung.data.code]).toEqual([504, 'UPSTREAM_TIMEOUT']);
	expect(await countStored()).toBe(before);
	await events.peers.recover('masterdata-service');
	expect([(await post()).status, (await post()).status]).toEqual([201, 201]);
	expect(await countStored()).toBe(before + 1);
});
