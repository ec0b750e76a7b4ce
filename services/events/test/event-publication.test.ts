import { describe, expect, test } from '@jest/globals';
import { atOnce } from './at-once.ts';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

const path = '/api/events';

describe('publish', () => {
	test('makes a draft public', async () => {
		const { id } = await office.draft();
		await office.competition(id);
		const { status, data, headers } = await office.step(id, 'publish');
		expect([status, data.status, data.entryWindow, headers.get('etag')?.slice(0, 3)]).toEqual([
			200,
			'REGISTRATION_OPEN',
			'REGULAR',
			'"2.',
		]);
		expect((await events.call('GET', `${path}/${id}`)).status).toBe(200);
	});

	test('names all that entrants would miss', async () => {
		const { id } = await office.draft({ entryDeadline: null, lateEntryUntil: null });
		const bare = await office.step(id, 'publish');
		expect([bare.status, bare.data.code]).toEqual([422, 'EVENT_NOT_READY']);
		const codes = (data: Record<string, unknown>) =>
			(data['missing'] as { code: string }[]).map(({ code }) => code);
		expect(codes(bare.data)).toEqual(['NO_COMPETITION', 'NO_ENTRY_DEADLINE']);
		const late = await office.draft({ entryDeadline: '2026-09-14T21:59:00Z' });
		const { id: competitionId } = await office.competition(late.id);
		expect(codes((await office.step(late.id, 'publish')).data)).toEqual(['ENTRY_DEADLINE_PASSED']);
		await events.call('POST', `${path}/${late.id}/competitions/${competitionId}/cancel`, {
			token: office.organiser,
		});
		expect(codes((await office.step(late.id, 'publish')).data)).toEqual([
			'NO_COMPETITION',
			'ENTRY_DEADLINE_PASSED',
		]);
	});

	// A venue, a club, an arena or an age class could be deleted while a draft referred to it.
	test('names the references that are no longer in use, and publishes nothing', async () => {
		const { clubs, venues, arenas, ageClasses } = events.peers;
		const venueId = office.venue();
		const clubId = office.club();
		const arenaId = `${venueId.slice(0, -1)}0`;
		const arena = { id: arenaId, name: 'Halle', isActive: true };
		arenas.set(`${venueId}/${arenaId}`, arena);
		const ended = { ...ageClasses[0], code: 'ENDED', validFrom: null, validTo: '2026-10-23' };
		ageClasses.push(ended as (typeof ageClasses)[number]);
		// The definitions that the service remembers are five minutes old by now.
		events.clock.advance(6 * 60_000);
		const { id } = await office.draft({ venueId, organiserClubId: clubId });
		await office.competition(id, {
			number: 901,
			arenaId,
			ageClasses: ['ENDED', 'JUNIOR'],
			date: '2026-10-23',
		});
		const publish = () => office.step(id, 'publish', events.officer);
		const missing = async () => {
			const { status, data } = await publish();
			expect([status, data.code]).toEqual([422, 'EVENT_NOT_READY']);
			return (data['missing'] as { code: string; message: string }[]).map(
				({ code, message }) => `${code} ${message}`,
			);
		};
		venues.delete(venueId);
		clubs.delete(clubId);
		arenas.delete(`${venueId}/${arenaId}`);
		ageClasses.pop();
		expect((await missing()).map((line) => line.split(' ')[0])).toEqual([
			'VENUE_NOT_IN_USE',
			'ORGANISER_NOT_IN_USE',
			'ARENA_NOT_IN_USE',
			'AGE_CLASS_NOT_IN_USE',
		]);
		const venue = office.venue();
		venues.set(venueId, {
			...(venues.get(venue) as NonNullable<ReturnType<typeof venues.get>>),
			id: venueId,
		});
		clubs.set(clubId, { id: clubId, name: 'X', status: 'INACTIVE' });
		arenas.set(`${venueId}/${arenaId}`, { ...arena, isActive: false });
		ageClasses.push({ ...(ended as (typeof ageClasses)[number]), validTo: '2026-10-22' });
		expect(await missing()).toEqual([
			'ORGANISER_NOT_IN_USE The organising club has been deleted or is not active.',
			'ARENA_NOT_IN_USE The arena of competition 901 has been deleted or taken out of use.',
			'AGE_CLASS_NOT_IN_USE The age class ENDED of competition 901 does not exist on the first day of the event.',
		]);
		expect((await events.call('GET', `${path}/${id}`)).status).toBe(404);
		clubs.set(clubId, { id: clubId, name: 'X', status: 'ACTIVE' });
		arenas.set(`${venueId}/${arenaId}`, arena);
		ageClasses.pop();
		ageClasses.push(ended as (typeof ageClasses)[number]);
		const published = await publish();
		expect([published.status, published.data.status]).toEqual([200, 'REGISTRATION_OPEN']);
		ageClasses.pop();
	});

	test('happens once, and only to the version that was read', async () => {
		const { id } = await office.draft();
		await office.competition(id);
		expect((await office.step(id, 'publish', events.officer, { 'If-Match': '"9"' })).status).toBe(412);
		const responses = await atOnce(
			events,
			id,
			[1, 2, 3].map(() => () => office.step(id, 'publish')),
		);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
		const { data } = await office.step(id, 'publish');
		expect(data).toMatchObject({
			code: 'ILLEGAL_STATE_TRANSITION',
			from: 'REGISTRATION_OPEN',
			to: 'PUBLISHED',
			allowed: ['CANCELLED'],
		});
	});
});
