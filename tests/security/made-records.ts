import { randomUUID } from 'node:crypto';
import { demoClubs, demoMembers, demoVenues } from '@paddock/demo';
import { type Call, type Caller, get, post, put, type SendAs } from './callers.ts';

interface Known {
	readonly id: string;
}

/** Creates the records of a call as the administrator, so that calls don't share records. */
export interface MadeRecords {
	/** The path of a new member of Auwiesen. */
	freshMember(): Promise<string>;
	/** The path of a new horse of Eva and of Auwiesen. */
	freshHorse(): Promise<string>;
	draftOf(club: Known): Promise<{ id: string; competitionId: string }>;
	openEventOf(club: Known): Promise<{ id: string; competitionId: string }>;
	/** The entry of a rider and a horse for a new event of the club. */
	enter(club: Known, rider: Known, horse: Known): Promise<Call>;
	/** The path of such an entry, made already. */
	entered(club: Known, rider: Known, horse: Known): Promise<string>;
	/** The record as read, with a change, like a client's form. */
	changed(caller: Caller, path: string, change: Record<string, unknown>): Promise<Call>;
}

export const memberPath = (member: Known) => `/api/members/${member.id}`;
export const horsePath = (horse: Known) => `/api/horses/${horse.id}`;

export function recordsMadeBy(send: SendAs): MadeRecords {
	const make = async (call: Call): Promise<Known> => {
		const { status, data, text } = await send('admin', call);
		if (status !== 201) throw new Error(`${call.method} ${call.path}: ${status} ${text}`);
		return data as unknown as Known;
	};
	const draftOf: MadeRecords['draftOf'] = async (club) => {
		const event = eventOf(club);
		const { id } = await make(post('/api/events', event));
		const competition = {
			number: 1,
			name: 'Probe',
			discipline: 'JUMPING',
			level: 'A',
			date: event.startDate,
		};
		const { id: competitionId } = await make(post(`/api/events/${id}/competitions`, competition));
		return { id, competitionId };
	};
	const openEventOf: MadeRecords['openEventOf'] = async (club) => {
		const event = await draftOf(club);
		const { status, text } = await send('admin', post(`/api/events/${event.id}/publish`));
		if (status !== 200) throw new Error(`not published: ${status} ${text}`);
		return event;
	};
	const enter: MadeRecords['enter'] = async (club, rider, horse) => {
		const { id, competitionId } = await openEventOf(club);
		const entry = { riderMemberId: rider.id, horseId: horse.id, starts: [{ competitionId }] };
		return post(`/api/events/${id}/entries`, entry);
	};
	const { auwiesen } = demoClubs;
	return {
		freshMember: async () =>
			memberPath(await make(post('/api/members?confirmDuplicate=true', memberIn(auwiesen)))),
		freshHorse: async () => horsePath(await make(post('/api/horses', horseOf(demoMembers.eva, auwiesen)))),
		draftOf,
		openEventOf,
		enter,
		entered: async (club, rider, horse) => {
			const call = await enter(club, rider, horse);
			return `${call.path}/${(await make(call)).id}`;
		},
		changed: async (caller, path, change) => {
			const seen = await send(caller, get(path));
			const stored = seen.status === 200 ? seen : await send('admin', get(path));
			return put(path, { ...stored.data, ...change });
		},
	};
}

export const unique = () => randomUUID().slice(0, 8);

let clubsMade = 0;

export function clubBody() {
	clubsMade += 1;
	return { clubNumber: String(2000 + clubsMade), name: unique() };
}

export const venueBody = () => ({
	name: `Probe ${unique()}`,
	countryCode: 'AT',
	timeZone: 'Europe/Vienna',
});

export const memberIn = (club: Known) => ({
	firstName: 'Nina',
	lastName: `Probe ${unique()}`,
	dateOfBirth: '1990-05-05',
	gender: 'FEMALE',
	nationality: 'AT',
	homeClubId: club.id,
	membershipType: 'FULL',
});

export const horseOf = (owner: Known, club?: Known) => ({
	name: `Probe ${unique()}`,
	sex: 'MARE',
	birthYear: 2015,
	microchip: `999${Math.floor(Math.random() * 1e12)}`.padEnd(15, '0'),
	registeredOn: '2024-01-01',
	owners: [{ memberId: owner.id }],
	...(club === undefined ? {} : { clubId: club.id }),
});

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

let eventsMade = 0;

/** On days of its own: a horse starts at one event a day. */
export const eventOf = (club: Known) => {
	eventsMade += 1;
	return {
		name: `Probe ${unique()}`,
		startDate: inDays(40 + 2 * eventsMade)
			.toISOString()
			.slice(0, 10),
		endDate: inDays(41 + 2 * eventsMade)
			.toISOString()
			.slice(0, 10),
		venueId: demoVenues.hochlaerchen.id,
		organiserClubId: club.id,
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
		entryDeadline: inDays(30).toISOString(),
	};
};
