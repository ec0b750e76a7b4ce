import { expect, test } from '@jest/globals';
import { dayAfter, dayInVienna } from '@paddock/calendar';
import { type Recorded, useTournamentOffice } from './tournament-office.ts';

// Each context looked into its own database only, and deleted records that other contexts referred to.

const office = useTournamentOffice();

const masterdata = '/api/masterdata';
const clubs = '/api/members/clubs';
const day = dayAfter(dayInVienna(new Date()), 30);

/** The status and the code of a DELETE, after which the record is still there. */
async function refusal(path: string): Promise<unknown[]> {
	const { status, data } = await office.api<{ code: string }>('DELETE', path, { token: office.officer });
	expect((await office.api('GET', path, { token: office.officer })).status).toBe(200);
	return [status, data.code];
}

const newVenue = (name: string) =>
	office.created(office.officer, `${masterdata}/venues`, { name, countryCode: 'AT' });
const newClub = (clubNumber: string) =>
	office.created(office.officer, clubs, { clubNumber, name: `Verein ${clubNumber}` });

function newDraft(venue: Recorded, club: Recorded): Promise<Recorded> {
	return office.created(office.officer, '/api/events', {
		name: 'Entwurf',
		startDate: day,
		endDate: day,
		venueId: venue.id,
		organiserClubId: club.id,
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
	});
}

test('a country that is a member’s nationality stays', async () => {
	const { data } = await office.api<Recorded>('GET', `${masterdata}/countries/by-code/DE`);
	expect(await refusal(`${masterdata}/countries/${data.id}`)).toEqual([409, 'COUNTRY_IN_USE']);
});

test('a club stays that runs an event, has a horse or an organiser’s account', async () => {
	const [running, withHorse, withAccount, unused, home] = [
		await newClub('3201'),
		await newClub('3202'),
		await newClub('3203'),
		await newClub('3204'),
		await newClub('3206'),
	];
	await newDraft(await newVenue('Platz des Vereins'), running);
	const owner = await office.rider('Olga', 40, home.id);
	await office.created(office.officer, '/api/horses', {
		name: 'Vereinspferd',
		sex: 'GELDING',
		birthYear: 2015,
		microchip: '999000000004711',
		clubId: withHorse.id,
		owners: [{ memberId: owner.id }],
	});
	await office.organiserOf(withAccount.id);
	for (const { id } of [running, withHorse, withAccount])
		expect(await refusal(`${clubs}/${id}`)).toEqual([409, 'CLUB_IN_USE']);
	expect((await office.api('DELETE', `${clubs}/${unused.id}`, { token: office.officer })).status).toBe(200);
	expect(await refusal(`/api/members/${owner.id}`)).toEqual([409, 'MEMBER_OWNS_HORSES']);
});

test('the venue of a draft stays, and the arena and the age class of its competition', async () => {
	const venue = await newVenue('Platz des Entwurfs');
	const ground = { name: 'Halle', type: 'COMPETITION', surface: 'SAND' };
	const arenas = `${masterdata}/venues/${venue.id}/arenas`;
	const arena = await office.created(office.officer, arenas, ground);
	const unused = await office.created(office.officer, arenas, { ...ground, name: 'Wiese' });
	const ageClass = await office.created(office.officer, `${masterdata}/age-classes`, {
		code: 'PROBE',
		ruleset: 'OETO',
		nameEn: 'Probe',
		nameDe: 'Probe',
		category: 'RIDER',
		legalReference: 'Probe §1',
	});
	const draft = await newDraft(venue, await newClub('3205'));
	await office.created(office.officer, `/api/events/${draft.id}/competitions`, {
		number: 1,
		name: 'Springen',
		discipline: 'JUMPING',
		level: 'L',
		date: day,
		arenaId: arena.id,
		ageClasses: ['PROBE'],
	});
	expect(await refusal(`${masterdata}/venues/${venue.id}`)).toEqual([409, 'VENUE_IN_USE']);
	expect(await refusal(`${arenas}/${arena.id}`)).toEqual([409, 'ARENA_IN_USE']);
	expect(await refusal(`${masterdata}/age-classes/${ageClass.id}`)).toEqual([409, 'AGE_CLASS_IN_USE']);
	expect((await office.api('DELETE', `${arenas}/${unused.id}`, { token: office.officer })).status).toBe(200);
	// Without the draft nothing refers to them.
	expect((await office.api('DELETE', `/api/events/${draft.id}`, { token: office.officer })).status).toBe(200);
	for (const path of [`${masterdata}/age-classes/${ageClass.id}`, `${masterdata}/venues/${venue.id}`])
		expect((await office.api('DELETE', path, { token: office.officer })).status).toBe(200);
});
