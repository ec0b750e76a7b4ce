import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoClubs, demoHorses, demoMembers, demoPassword, demoVenues } from '@paddock/demo';
import { type ApiClient, createApiClient, type System, startSystem } from '@paddock/testing';

/** In the order of the columns below. */
const callers = ['anonymous', 'member', 'official', 'organiser', 'officer', 'admin'] as const;

type Caller = (typeof callers)[number];

let system: System;
let api: ApiClient;
const tokens = new Map<Caller, string>();

beforeAll(async () => {
	system = await startSystem({
		contexts: ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'],
		services: { DEMO: 'on' },
	});
	api = createApiClient(system.gateway.url);
	for (const name of ['member', 'official', 'organiser', 'officer'] as const)
		tokens.set(name, await system.signIn(`${name}@example.org`, demoPassword));
	tokens.set('admin', await system.signIn());
}, 90_000);

afterAll(async () => {
	await system?.stop();
});

interface Call {
	readonly method: string;
	readonly path: string;
	readonly body?: unknown;
}

function as(caller: Caller, { method, path, body }: Call) {
	const token = tokens.get(caller);
	return api<Record<string, unknown>>(method, path, {
		...(token === undefined ? {} : { token }),
		...(body === undefined ? {} : { body }),
	});
}

async function made(call: Call): Promise<{ id: string }> {
	const answer = await as('admin', call);
	if (answer.status !== 201) throw new Error(`${call.method} ${call.path}: ${answer.status} ${answer.text}`);
	return answer.data as unknown as { id: string };
}

const { auwiesen, hochlaerchen } = demoClubs;
const { eva, greta, oskar } = demoMembers;
const { gelding, granddam, transferred } = demoHorses;
const unique = () => randomUUID().slice(0, 8);
let clubsMade = 0;
const clubNumber = () => {
	clubsMade += 1;
	return String(2000 + clubsMade);
};
const chip = () => `999${Math.floor(Math.random() * 1e12)}`.padEnd(15, '0');

const memberIn = (club: { id: string }) => ({
	firstName: 'Nina',
	lastName: `Probe ${unique()}`,
	dateOfBirth: '1990-05-05',
	gender: 'FEMALE',
	nationality: 'AT',
	homeClubId: club.id,
	membershipType: 'FULL',
});
const horseOf = (owner: { id: string }, club?: { id: string }) => ({
	name: `Probe ${unique()}`,
	sex: 'MARE',
	birthYear: 2015,
	microchip: chip(),
	registeredOn: '2024-01-01',
	owners: [{ memberId: owner.id }],
	...(club === undefined ? {} : { clubId: club.id }),
});
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const eventOf = (club: { id: string }) => ({
	name: `Probe ${unique()}`,
	startDate: inDays(40).toISOString().slice(0, 10),
	endDate: inDays(41).toISOString().slice(0, 10),
	venueId: demoVenues.hochlaerchen.id,
	organiserClubId: club.id,
	ruleset: 'OETO',
	category: 'CSN-B',
	disciplines: ['JUMPING'],
	entryDeadline: inDays(30).toISOString(),
});
const draftOf = async (club: { id: string }) => {
	const event = eventOf(club);
	const { id } = await made({ method: 'POST', path: '/api/events', body: event });
	const competition = { number: 1, name: 'Probe', discipline: 'JUMPING', class: 'A', date: event.startDate };
	const { id: competitionId } = await made({
		method: 'POST',
		path: `/api/events/${id}/competitions`,
		body: competition,
	});
	return { id, competitionId };
};
const openEventOf = async (club: { id: string }) => {
	const event = await draftOf(club);
	const published = await as('admin', { method: 'POST', path: `/api/events/${event.id}/publish` });
	expect(published.status).toBe(200);
	return event;
};
const post = (path: string, body?: unknown) => ({ method: 'POST', path, body });
const get = (path: string) => ({ method: 'GET', path });
const remove = (path: string) => ({ method: 'DELETE', path });

/** What a caller reads and sends back with a change, as a client's form does. */
async function changed(caller: Caller, path: string, change: Record<string, unknown>): Promise<Call> {
	const seen = await as(caller, get(path));
	const stored = seen.status === 200 ? seen : await as('admin', get(path));
	return { method: 'PUT', path, body: { ...stored.data, ...change } };
}

type Row = readonly [
	name: string,
	call: (caller: Caller) => Call | Promise<Call>,
	statuses: readonly [number, number, number, number, number, number],
];

const memberPath = (member: { id: string }) => `/api/members/${member.id}`;
const horsePath = (horse: { id: string }) => `/api/horses/${horse.id}`;
const freshMember = async () =>
	memberPath(await made(post('/api/members?confirmDuplicate=true', memberIn(auwiesen))));
const freshHorse = async () => horsePath(await made(post('/api/horses', horseOf(eva, auwiesen))));
const entryOf = (rider: { id: string }, horse: { id: string }, competitionId: string) => ({
	riderMemberId: rider.id,
	horseId: horse.id,
	starts: [{ competitionId }],
});
const enter = async (club: { id: string }, rider: { id: string }, horse: { id: string }) => {
	const event = await openEventOf(club);
	return post(`/api/events/${event.id}/entries`, entryOf(rider, horse, event.competitionId));
};
const entered = async (club: { id: string }, rider: { id: string }, horse: { id: string }) => {
	const { path, body } = await enter(club, rider, horse);
	return `${path}/${(await made(post(path, body))).id}`;
};
const venue = () => ({ name: `Probe ${unique()}`, countryCode: 'AT', timeZone: 'Europe/Vienna' });

// The member is Eva of Auwiesen, the official acts for Auwiesen, the organiser for Hochlärchen.
const rows: readonly Row[] = [
	['own profile', () => get('/auth/profile'), [401, 200, 200, 200, 200, 200]],
	['list accounts', () => get('/auth/users'), [401, 403, 403, 403, 403, 200]],
	[
		'set roles',
		() => ({ method: 'PUT', path: `/auth/users/${randomUUID()}/roles`, body: { roles: ['MEMBER'] } }),
		[401, 403, 403, 403, 403, 404],
	],
	['read master data', () => get('/api/masterdata/countries?size=1'), [200, 200, 200, 200, 200, 200]],
	['write master data', () => post('/api/masterdata/venues', venue()), [401, 403, 403, 403, 201, 201]],

	['read Eva', () => get(memberPath(eva)), [401, 200, 200, 404, 200, 200]],
	['read a member of another club', () => get(memberPath(greta)), [401, 404, 404, 404, 200, 200]],
	['read nobody', () => get(memberPath({ id: randomUUID() })), [401, 404, 404, 404, 404, 404]],
	[
		'add a member of Auwiesen',
		() => post('/api/members', memberIn(auwiesen)),
		[401, 403, 201, 403, 201, 201],
	],
	[
		'add a member of Hochlärchen',
		() => post('/api/members', memberIn(hochlaerchen)),
		[401, 403, 403, 403, 201, 201],
	],
	[
		'change the contact data of Eva',
		(caller) => changed(caller, memberPath(eva), { email: `eva.${unique()}@example.org` }),
		[401, 200, 200, 404, 200, 200],
	],
	[
		'change the name of Eva',
		(caller) => changed(caller, memberPath(eva), { firstName: `Eva ${unique()}` }),
		[401, 403, 200, 404, 200, 200],
	],
	[
		'change a member of another club',
		(caller) => changed(caller, memberPath(greta), { email: `greta.${unique()}@example.org` }),
		[401, 404, 404, 404, 200, 200],
	],
	['delete a member', async () => remove(await freshMember()), [401, 403, 403, 403, 200, 200]],
	['approve a member', async () => post(`${await freshMember()}/approve`), [401, 403, 403, 403, 200, 200]],
	['read clubs', () => get('/api/members/clubs'), [401, 200, 200, 200, 200, 200]],
	[
		'add a club',
		() =>
			post('/api/members/clubs', {
				clubNumber: clubNumber(),
				name: unique(),
			}),
		[401, 403, 403, 403, 201, 201],
	],

	['read a horse', () => get(horsePath(granddam)), [401, 200, 200, 200, 200, 200]],
	['list horses', () => get('/api/horses'), [401, 200, 200, 200, 200, 200]],
	["register Eva's horse", () => post('/api/horses', horseOf(eva)), [401, 201, 403, 403, 201, 201]],
	[
		"register a club's horse",
		() => post('/api/horses', horseOf(oskar, auwiesen)),
		[401, 403, 201, 403, 201, 201],
	],
	[
		"change Eva's horse",
		(caller) => changed(caller, horsePath(gelding), { colour: unique() }),
		[401, 200, 200, 403, 200, 200],
	],
	[
		"change a stranger's horse",
		(caller) => changed(caller, horsePath(granddam), { colour: unique() }),
		[401, 403, 403, 403, 200, 200],
	],
	[
		"transfer Eva's horse",
		async () =>
			post(`${await freshHorse()}/ownership`, { from: '2024-06-01', owners: [{ memberId: oskar.id }] }),
		[401, 201, 201, 403, 201, 201],
	],
	['remove a horse', async () => remove(await freshHorse()), [401, 403, 403, 403, 200, 200]],

	['list events', () => get('/api/events'), [200, 200, 200, 200, 200, 200]],
	['read the calendar', () => get('/api/events/calendar.ics'), [200, 200, 200, 200, 200, 200]],
	[
		'read a draft of Hochlärchen',
		async () => get(`/api/events/${(await draftOf(hochlaerchen)).id}`),
		[404, 404, 404, 200, 200, 200],
	],
	[
		'read an open event of Hochlärchen',
		async () => get(`/api/events/${(await openEventOf(hochlaerchen)).id}`),
		[200, 200, 200, 200, 200, 200],
	],
	[
		'announce an event of Hochlärchen',
		() => post('/api/events', eventOf(hochlaerchen)),
		[401, 403, 403, 201, 201, 201],
	],
	[
		'announce an event of Auwiesen',
		() => post('/api/events', eventOf(auwiesen)),
		[401, 403, 201, 403, 201, 201],
	],
	[
		'publish an event of Hochlärchen',
		async () => post(`/api/events/${(await draftOf(hochlaerchen)).id}/publish`),
		[401, 403, 404, 200, 200, 200],
	],
	[
		'cancel an event of Hochlärchen',
		async () =>
			post(`/api/events/${(await openEventOf(hochlaerchen)).id}/cancel`, {
				reason: 'The ground is flooded.',
			}),
		[401, 403, 403, 200, 200, 200],
	],
	[
		'enter Eva on her horse at Hochlärchen',
		() => enter(hochlaerchen, eva, gelding),
		[401, 201, 201, 201, 201, 201],
	],
	['enter Eva on her horse at Auwiesen', () => enter(auwiesen, eva, gelding), [401, 201, 201, 403, 201, 201]],
	[
		'enter a stranger on a strange horse at Hochlärchen',
		() => enter(hochlaerchen, greta, transferred),
		[401, 403, 403, 201, 201, 201],
	],
	[
		"read Eva's entry at Hochlärchen",
		async () => get(await entered(hochlaerchen, eva, gelding)),
		[401, 200, 200, 200, 200, 200],
	],
	[
		"read a stranger's entry at Auwiesen",
		async () => get(await entered(auwiesen, greta, transferred)),
		[401, 404, 200, 404, 200, 200],
	],
	[
		"withdraw Eva's entry at Hochlärchen",
		async () => post(`${await entered(hochlaerchen, eva, gelding)}/withdraw`),
		[401, 200, 200, 200, 200, 200],
	],
	[
		'download the entries at Hochlärchen',
		async () => get(`/api/events/${(await openEventOf(hochlaerchen)).id}/entries.csv`),
		[401, 403, 403, 200, 200, 200],
	],
];

describe('who may what, through the gateway', () => {
	test.each(rows)('%s', async (_name, call, statuses) => {
		const seen: Record<string, number> = {};
		for (const caller of callers) seen[caller] = (await as(caller, await call(caller))).status;
		expect(seen).toEqual(Object.fromEntries(callers.map((caller, index) => [caller, statuses[index]])));
	});
});
