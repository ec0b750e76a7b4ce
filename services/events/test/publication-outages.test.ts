import { expect, test } from '@jest/globals';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

const path = '/api/events';

test('publishes nothing while the references cannot be checked', async () => {
	const { id } = await office.draft();
	await office.competition(id);
	for (const service of ['masterdata-service', 'members-service'] as const) {
		await events.peers.kill(service);
		const { status, data } = await events.call('POST', `${path}/${id}/publish`, { token: events.officer });
		expect([status, data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
		await events.peers.recover(service);
	}
	const stored = events.db.selectFrom('events').select('status').where('id', '=', id);
	expect(await stored.executeTakeFirst()).toEqual({ status: 'DRAFT' });
	const published = await events.call('POST', `${path}/${id}/publish`, { token: events.officer });
	expect(published.status).toBe(200);
});
