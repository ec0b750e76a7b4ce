import { randomUUID } from 'node:crypto';
import { demoClubs, demoHorses, demoMembers } from '@paddock/demo';
import { type Call, type Caller, get, post, put, remove } from './callers.ts';
import {
	clubBody,
	eventOf,
	horseOf,
	horsePath,
	type MadeRecords,
	memberIn,
	memberPath,
	unique,
	venueBody,
} from './made-records.ts';

/** The action, and the expected status for each caller, in their order. */
export type RoleRow = readonly [
	name: string,
	call: (made: MadeRecords, caller: Caller) => Call | Promise<Call>,
	statuses: readonly [
		anonymous: number,
		member: number,
		official: number,
		organiser: number,
		officer: number,
		admin: number,
	],
];

const { auwiesen, hochlaerchen } = demoClubs;
const { eva, greta, oskar } = demoMembers;
const { gelding, granddam, transferred } = demoHorses;

// The member is Eva of Auwiesen, the official acts for Auwiesen, the organiser for Hochlärchen.
export const roleRows: readonly RoleRow[] = [
	['own profile', () => get('/auth/profile'), [401, 200, 200, 200, 200, 200]],
	['list accounts', () => get('/auth/users'), [401, 403, 403, 403, 200, 200]],
	['own links to members', () => get('/auth/member-links'), [401, 200, 200, 200, 200, 200]],
	['requests for links', () => get('/auth/member-links/requests'), [401, 403, 200, 403, 200, 200]],
	[
		'confirm a link',
		() => post(`/auth/member-links/${randomUUID()}/confirm`),
		[401, 403, 404, 403, 404, 404],
	],
	[
		'set roles',
		() => put(`/auth/users/${randomUUID()}/roles`, { roles: ['MEMBER'] }),
		[401, 403, 403, 403, 404, 404],
	],
	['release an account', () => post(`/auth/users/${randomUUID()}/release`), [401, 403, 403, 403, 403, 404]],
	['read master data', () => get('/api/masterdata/countries?size=1'), [200, 200, 200, 200, 200, 200]],
	['write master data', () => post('/api/masterdata/venues', venueBody()), [401, 403, 403, 403, 201, 201]],

	['read Eva', () => get(memberPath(eva)), [401, 200, 200, 404, 200, 200]],
	['read a member of another club', () => get(memberPath(greta)), [401, 404, 404, 404, 200, 200]],
	['read an unknown member', () => get(memberPath({ id: randomUUID() })), [401, 404, 404, 404, 404, 404]],
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
		({ changed }, caller) => changed(caller, memberPath(eva), { email: `eva.${unique()}@example.org` }),
		[401, 200, 200, 404, 200, 200],
	],
	[
		'change the name of Eva',
		({ changed }, caller) => changed(caller, memberPath(eva), { firstName: `Eva ${unique()}` }),
		[401, 403, 200, 404, 200, 200],
	],
	[
		'change a member of another club',
		({ changed }, caller) => changed(caller, memberPath(greta), { email: `greta.${unique()}@example.org` }),
		[401, 404, 404, 404, 200, 200],
	],
	['delete a member', async ({ freshMember }) => remove(await freshMember()), [401, 403, 403, 403, 200, 200]],
	[
		'approve a member',
		async ({ freshMember }) => post(`${await freshMember()}/approve`),
		[401, 403, 403, 403, 200, 200],
	],
	['read clubs', () => get('/api/members/clubs'), [401, 200, 200, 200, 200, 200]],
	['add a club', () => post('/api/members/clubs', clubBody()), [401, 403, 403, 403, 201, 201]],

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
		({ changed }, caller) => changed(caller, horsePath(gelding), { colour: unique() }),
		[401, 200, 200, 403, 200, 200],
	],
	[
		"change another member's horse",
		({ changed }, caller) => changed(caller, horsePath(granddam), { colour: unique() }),
		[401, 403, 403, 403, 200, 200],
	],
	[
		"transfer Eva's horse",
		async ({ freshHorse }) =>
			post(`${await freshHorse()}/ownership`, { from: '2024-06-01', owners: [{ memberId: oskar.id }] }),
		[401, 201, 201, 403, 201, 201],
	],
	['remove a horse', async ({ freshHorse }) => remove(await freshHorse()), [401, 403, 403, 403, 200, 200]],

	['list events', () => get('/api/events'), [200, 200, 200, 200, 200, 200]],
	['read the calendar', () => get('/api/events/calendar.ics'), [200, 200, 200, 200, 200, 200]],
	[
		'read a draft of Hochlärchen',
		async ({ draftOf }) => get(`/api/events/${(await draftOf(hochlaerchen)).id}`),
		[404, 404, 404, 200, 200, 200],
	],
	[
		'read an open event of Hochlärchen',
		async ({ openEventOf }) => get(`/api/events/${(await openEventOf(hochlaerchen)).id}`),
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
		async ({ draftOf }) => post(`/api/events/${(await draftOf(hochlaerchen)).id}/publish`),
		[401, 403, 404, 403, 200, 200],
	],
	[
		'submit an event of Hochlärchen',
		async ({ draftOf }) => post(`/api/events/${(await draftOf(hochlaerchen)).id}/submit`),
		[401, 403, 404, 200, 200, 200],
	],
	[
		'return a draft of Hochlärchen',
		async ({ draftOf }) =>
			post(`/api/events/${(await draftOf(hochlaerchen)).id}/return`, { remarks: 'Unvollständig' }),
		[401, 403, 403, 403, 409, 409],
	],
	[
		'move a draft of Hochlärchen',
		async ({ draftOf }) =>
			post(`/api/events/${(await draftOf(hochlaerchen)).id}/reschedule`, { startDate: '2031-05-02' }),
		[401, 403, 404, 200, 200, 200],
	],
	[
		'move a published event of Hochlärchen',
		async ({ openEventOf }) =>
			post(`/api/events/${(await openEventOf(hochlaerchen)).id}/reschedule`, { startDate: '2031-05-02' }),
		[401, 403, 403, 403, 200, 200],
	],
	[
		'cancel an event of Hochlärchen',
		async ({ openEventOf }) =>
			post(`/api/events/${(await openEventOf(hochlaerchen)).id}/cancel`, {
				reason: 'The ground is flooded.',
			}),
		[401, 403, 403, 200, 200, 200],
	],
	[
		'enter Eva on her horse at Hochlärchen',
		({ enter }) => enter(hochlaerchen, eva, gelding),
		[401, 201, 201, 201, 201, 201],
	],
	[
		'enter Eva on her horse at Auwiesen',
		({ enter }) => enter(auwiesen, eva, gelding),
		[401, 201, 201, 403, 201, 201],
	],
	[
		'enter another member on a foreign horse at Hochlärchen',
		({ enter }) => enter(hochlaerchen, greta, transferred),
		[401, 403, 403, 201, 201, 201],
	],
	[
		"read Eva's entry at Hochlärchen",
		async ({ entered }) => get(await entered(hochlaerchen, eva, gelding)),
		[401, 200, 200, 200, 200, 200],
	],
	[
		"read another member's entry at Auwiesen",
		async ({ entered }) => get(await entered(auwiesen, greta, transferred)),
		[401, 404, 200, 404, 200, 200],
	],
	[
		"withdraw Eva's entry at Hochlärchen",
		async ({ entered }) => post(`${await entered(hochlaerchen, eva, gelding)}/withdraw`),
		[401, 200, 200, 200, 200, 200],
	],
	[
		'download the entries at Hochlärchen',
		async ({ openEventOf }) => get(`/api/events/${(await openEventOf(hochlaerchen)).id}/entries.csv`),
		[401, 403, 403, 200, 200, 200],
	],
];
