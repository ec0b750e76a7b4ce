import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useHorses } from './running-horses.ts';

const horses = useHorses();

async function count(type: string, id: string, codes?: string, scopes = ['references:count']) {
	const query = codes === undefined ? '' : `&codes=${codes}`;
	const { status, data } = await horses.call<{ count: number }>(
		'GET',
		`/internal/references?type=${type}&id=${id}${query}`,
		{ token: horses.signService(scopes) },
	);
	return status === 200 ? data.count : status;
}

test('horses, removed ones too, and their owners are counted by country and club', async () => {
	const country = randomUUID();
	expect(await count('COUNTRY', country, 'CH,756')).toBe(0);
	const clubId = horses.peers.club();
	const born = await horses.register({ countryOfBirth: 'CH', clubId });
	expect(await count('COUNTRY', country, 'CH,756')).toBe(1);
	await horses.register({ ueln: '756001234567890' });
	expect(await count('COUNTRY', country, '756')).toBe(1);
	await horses.register({ owners: [{ externalParty: { name: 'Stall', countryCode: 'CH' } }] });
	expect(await count('COUNTRY', country, 'CH,756')).toBe(3);
	const removed = await horses.call('DELETE', `/api/horses/${born.id}`, { token: horses.officer });
	expect(removed.status).toBe(200);
	expect([await count('COUNTRY', country, 'CH'), await count('CLUB', clubId)]).toEqual([2, 1]);
	expect(await count('CLUB', randomUUID())).toBe(0);
	for (const type of ['STATE', 'VENUE', 'ARENA', 'AGE_CLASS'])
		expect(await count(type, clubId, 'CH')).toBe(0);
});

test('a corrected owner outside of the federation is counted as long as the correction shows it', async () => {
	const party = (countryCode: string) => [{ externalParty: { name: 'Stall', countryCode } }];
	const { id } = await horses.register({ owners: party('DE') });
	const sent = { token: horses.officer, body: { reason: 'Tippfehler', owners: party('AT') } };
	expect((await horses.call('POST', `/api/horses/${id}/ownership/correct`, sent)).status).toBe(201);
	expect([
		await count('COUNTRY', randomUUID(), 'DE,276'),
		await count('COUNTRY', randomUUID(), 'LU'),
	]).toEqual([1, 0]);
});

test('an owner of a transfer is counted, whatever became of the transfer', async () => {
	const { id } = await horses.register();
	await horses.db
		.insertInto('ownershipTransfers')
		.values({
			horseId: id,
			validFrom: '2026-05-01',
			owners: JSON.stringify([
				{ memberId: null, externalParty: { name: 'Stall', countryCode: 'MT' }, sharePercent: null },
			]),
			status: 'DECLINED',
			requestedBy: randomUUID(),
			expiresAt: horses.clock.now(),
			endedAt: horses.clock.now(),
			createdAt: horses.clock.now(),
			updatedAt: horses.clock.now(),
		})
		.execute();
	expect(await count('COUNTRY', randomUUID(), 'MT,470')).toBe(1);
});

test('the count needs its own scope', async () => {
	expect(await count('CLUB', randomUUID(), undefined, ['horses:lookup'])).toBe(403);
});
