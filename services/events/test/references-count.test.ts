import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { useOffice } from './use-events.ts';

const { events, office, stage } = useOffice();

async function count(type: string, id: string = randomUUID(), codes?: string, token = events.counting) {
	const query = codes === undefined ? '' : `&codes=${codes}`;
	const to = `/internal/references?type=${type}&id=${id}${query}`;
	const { status, data } = await events.call<{ count: number }>('GET', to, { token });
	return status === 200 ? data.count : status;
}

test('drafts are counted by venue, club, country and state, their competitions by arena and age class', async () => {
	const venueId = office.venue({ countryCode: 'CH', stateCode: 'CH-GR' });
	const clubId = office.club();
	const arenaId = randomUUID();
	events.peers.arenas.set(`${venueId}/${arenaId}`, { id: arenaId, name: 'Halle', isActive: true });
	const { id } = await office.draft({ venueId, organiserClubId: clubId });
	await office.competition(id, { arenaId, ageClasses: ['YOUTH', 'JUNIOR'] });
	await office.competition(id, { ageClasses: ['JUNIOR'] });
	expect([await count('VENUE', venueId), await count('CLUB', clubId), await count('ARENA', arenaId)]).toEqual(
		[1, 1, 1],
	);
	expect(await count('COUNTRY', undefined, 'CH,756')).toBe(1);
	expect([await count('STATE', undefined, 'CH-GR'), await count('STATE', undefined, 'CH-ZH')]).toEqual([
		1, 0,
	]);
	expect([
		await count('AGE_CLASS', undefined, 'OETO:JUNIOR'),
		await count('AGE_CLASS', undefined, 'OETO:YOUTH'),
		await count('AGE_CLASS', undefined, 'FEI:JUNIOR'),
	]).toEqual([2, 1, 0]);
	for (const type of ['VENUE', 'CLUB', 'ARENA']) expect(await count(type)).toBe(0);
});

test('entries are counted by the nation and the club of the rider', async () => {
	const clubId = randomUUID();
	const eventId = await stage.event({ eventNumber: '70001' });
	const competitionId = await stage.competition(eventId);
	const rider = stage.member({ nationality: 'IE', homeClubId: clubId });
	const { status, text } = await events.call('POST', `/api/events/${eventId}/entries`, {
		token: events.officer,
		body: { riderMemberId: rider.id, horseId: stage.horse().id, starts: [{ competitionId }] },
	});
	expect([status, status === 201 ? '' : text]).toEqual([201, '']);
	expect([await count('COUNTRY', undefined, 'IE,372'), await count('CLUB', clubId)]).toEqual([1, 1]);
});

test('the count needs its own scope', async () => {
	expect(await count('CLUB', undefined, undefined, events.service)).toBe(403);
});
