import { randomUUID } from 'node:crypto';
import type { Role } from '@paddock/identity';
import type { TestResponse } from '@paddock/testing';
import type { Competition } from '../src/competitions/schemas.ts';
import type { Event } from '../src/events/view-schemas.ts';
import type { VenueRecord } from '../src/peers/records.ts';
import type { RunningEvents } from './running-events.ts';

/** The prerequisites of an event: a venue, a club, its callers, and request bodies. */
export interface EventOffice {
	readonly venueId: string;
	readonly arenaId: string;
	readonly clubId: string;
	/** Tokens of the ORGANISER of the club, of its CLUB_OFFICIAL, and of the organiser of another one. */
	readonly organiser: string;
	readonly official: string;
	readonly stranger: string;
	/** From 23 to 25 October 2026, entries until 12 October, 23:59 in Vienna. */
	body(changes?: Record<string, unknown>): Record<string, unknown>;
	competitionBody(changes?: Record<string, unknown>): Record<string, unknown>;
	/** A draft, made by the organiser. */
	draft(changes?: Record<string, unknown>): Promise<Event>;
	/** A published one with one competition. */
	published(changes?: Record<string, unknown>): Promise<Event>;
	competition(eventId: string, changes?: Record<string, unknown>): Promise<Competition>;
	/** By the organiser by default, returns and publications by the office. */
	step(
		eventId: string,
		name: 'submit' | 'recall' | 'return' | 'publish' | 'cancel' | 'complete',
		token?: string,
		headers?: Record<string, string>,
	): Promise<TestResponse<Event & { code: string; [context: string]: unknown }>>;
	venue(changes?: Partial<VenueRecord>): string;
	club(changes?: { status?: string; name?: string }): string;
}

export function openOffice({ call, peers, sign, officer }: RunningEvents): EventOffice {
	const path = '/api/events';
	let number = 0;
	const venue: EventOffice['venue'] = (changes = {}) => {
		const record = { ...someVenue(), ...changes };
		peers.venues.set(record.id, record);
		return record.id;
	};
	const club: EventOffice['club'] = ({ status = 'ACTIVE', name = 'Reitverein Auwiesen' } = {}) => {
		const id = randomUUID();
		peers.clubs.set(id, { id, name, status });
		return id;
	};
	const venueId = venue();
	const clubId = club();
	const arenaId = randomUUID();
	peers.arenas.set(`${venueId}/${arenaId}`, { id: arenaId, name: 'Hauptplatz', isActive: true });
	peers.ageClasses.push(ageClass('YOUTH', 8, 15), ageClass('JUNIOR', 16, 18), childrenDressage);
	const as = (role: Role, clubIds: readonly string[]) =>
		sign({ roles: ['MEMBER', role], roleScopes: { [role]: { clubIds } } });
	const body: EventOffice['body'] = (changes = {}) => ({
		...someBody(),
		venueId,
		organiserClubId: clubId,
		...changes,
	});
	const competitionBody: EventOffice['competitionBody'] = (changes = {}) => {
		number += 1;
		return { ...someCompetition(), number, ...changes };
	};
	const made = async <Made>(route: string, sent: unknown): Promise<Made> => {
		const { status, data, text } = await call<Made>('POST', route, { token: officer, body: sent });
		if (status >= 300) throw new Error(text);
		return data;
	};
	const draft: EventOffice['draft'] = (changes = {}) => made(path, body(changes));
	const competition: EventOffice['competition'] = (eventId, changes = {}) =>
		made(`${path}/${eventId}/competitions`, competitionBody(changes));
	const organiser = as('ORGANISER', [clubId]);
	return {
		venueId,
		arenaId,
		clubId,
		organiser,
		official: as('CLUB_OFFICIAL', [clubId]),
		stranger: as('ORGANISER', [randomUUID()]),
		body,
		competitionBody,
		draft,
		published: async (changes = {}) => {
			const { id, startDate } = await draft(changes);
			await competition(id, { date: startDate });
			const { data, status, text } = await call<Event>('POST', `${path}/${id}/publish`, { token: officer });
			if (status !== 200) throw new Error(text);
			return data;
		},
		competition,
		step: (eventId, name, by, headers = {}) => {
			const token = by ?? (name === 'return' || name === 'publish' ? officer : organiser);
			const bodies: Partial<Record<typeof name, object>> = {
				cancel: { statusReason: 'Hochwasser' },
				return: { remarks: 'Der Tierarzt fehlt.' },
			};
			const sent = bodies[name];
			return call('POST', `${path}/${eventId}/${name}`, { token, headers, ...(sent && { body: sent }) });
		},
		venue,
		club,
	};
}

function someVenue(): VenueRecord {
	return {
		id: randomUUID(),
		name: 'Reitzentrum Auwiesen',
		address: { city: 'Auwiesen an der Furt' },
		stateCode: 'AT-3',
		countryCode: 'AT',
		timeZone: 'Europe/Vienna',
		isActive: true,
	};
}

function ageClass(code: string, minAge: number, maxAge: number) {
	const open = { discipline: null, validFrom: null, validTo: null };
	return { ...open, code, category: 'RIDER' as const, minAge, maxAge };
}

/** Of its own discipline alone, as OeTO §12(2) has CHILDREN_DRESSAGE. */
const childrenDressage = { ...ageClass('CHILDREN_DRESSAGE', 12, 14), discipline: 'DRESSAGE' };

function someBody() {
	return {
		name: 'Herbstturnier',
		description: 'Zwei Plätze,\ndrei Tage.',
		startDate: '2026-10-23',
		endDate: '2026-10-25',
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING', 'DRESSAGE'],
		isPublic: true,
		entriesOpenAt: '2026-09-01T08:00:00+02:00',
		entryDeadline: '2026-10-12T23:59:00+02:00',
		lateEntryUntil: '2026-10-19T23:59:00+02:00',
		maxEntries: 120,
		fees: { entryFee: 2_500, lateSurcharge: 1_500, stable: 9_000, currency: 'EUR' },
		officials: [{ role: 'JUDGE', name: 'Renate Richterin', memberId: null }],
	};
}

function someCompetition() {
	return {
		name: 'Standardspringprüfung',
		discipline: 'JUMPING',
		level: 'L',
		date: '2026-10-24',
		arenaId: null,
		ageClasses: [],
		horseMinAge: 5,
		ponyOnly: false,
		maxStarters: 40,
		startFee: 1_800,
	};
}
