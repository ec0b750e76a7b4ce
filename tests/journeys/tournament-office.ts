import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { dayAfter, dayInVienna } from '@paddock/calendar';
import { demoPassword } from '@paddock/demo';
import { type ApiClient, createApiClient } from '@paddock/testing';
import { type System, startSystem } from '../system.ts';

export interface Recorded {
	readonly id: string;
	readonly version: number;
	readonly status: string;
}

interface Stats {
	readonly totalActive: number;
	readonly entries: Record<string, number>;
}

/** The people of a tournament, created through the gateway by callers with the right to do so. */
export interface TournamentOffice {
	/** The new record that a POST responds with. */
	created(token: string, path: string, body: unknown): Promise<Recorded>;
	/** An approved member of the club. A minor has a guardian. */
	rider(firstName: string, ageInYear: number, clubId: string): Promise<Recorded>;
	horse(name: string, age: number, owner: Recorded, clubId: string): Promise<Recorded>;
	/** The token of an account whose holder runs the club's events and acts for its members. */
	organiserOf(clubId: string): Promise<string>;
	/** Of the events of the year. */
	stats(year: string): Promise<Stats>;
}

interface SignedIn {
	readonly system: System;
	readonly api: ApiClient;
	/** A FEDERATION_OFFICER's token. */
	readonly officer: string;
}

const today = dayInVienna(new Date());
/** Of the events, which are in a month: ages are those in their year. */
const year = Number(dayAfter(today, 30).slice(0, 4));

/** Starts a system with the demo for the tests of a file; the office is filled in before the first. `more`: settings of services. */
export function useTournamentOffice(
	more: () => Readonly<Record<string, string>> = () => ({}),
): TournamentOffice & SignedIn {
	const office = {} as TournamentOffice & SignedIn;
	beforeAll(async () => {
		const system = await startSystem({
			contexts: ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'],
			services: { DEMO: 'on', REFUND_FILLED_PLACES: 'on', ...more() },
		});
		// First: a failure below must not leave the system running.
		Object.assign(office, { system });
		const api = createApiClient(system.gateway.url);
		const officer = await system.signIn('officer@example.org', demoPassword);
		Object.assign(office, { api, officer }, openTournamentOffice({ system, api, officer }));
	}, 90_000);
	afterAll(async () => {
		await office.system?.stop();
	});
	return office;
}

function openTournamentOffice({ system, api, officer }: SignedIn): TournamentOffice {
	let chips = 0;
	const created: TournamentOffice['created'] = async (token, path, body) => {
		const response = await api<Recorded>('POST', path, { token, body });
		if (response.status !== 201)
			throw new Error(`POST ${path} responded ${response.status}: ${response.text}`);
		expect(response.headers.get('Location')).toMatch(/^\/api\//);
		return response.data;
	};
	return {
		created,
		rider: async (firstName, ageInYear, clubId) => {
			const { id } = await created(officer, '/api/members', memberBody(firstName, ageInYear, clubId));
			const approved = await api<Recorded>('POST', `/api/members/${id}/approve`, { token: officer });
			expect([approved.status, approved.data.status]).toEqual([200, 'ACTIVE']);
			return approved.data;
		},
		horse: (name, age, owner, clubId) => {
			chips += 1;
			return created(officer, '/api/horses', {
				name,
				sex: 'GELDING',
				birthYear: year - age,
				microchip: `99900000${String(chips).padStart(7, '0')}`,
				feePaidForYear: year,
				owners: [{ memberId: owner.id }],
				clubId,
			});
		},
		organiserOf: async (clubId) => {
			const email = `organiser.${randomUUID().slice(0, 8)}@example.org`;
			const password = 'a gate that never sticks';
			await api('POST', '/auth/register', {
				body: { email, password, firstName: 'Otto', lastName: 'Reise' },
			});
			const { data: account } = await api<{ id: string }>('GET', '/auth/profile', {
				token: await system.signIn(email, password),
			});
			const granted = await api('PUT', `/auth/users/${account.id}/roles`, {
				token: await system.signIn(),
				body: {
					roles: ['MEMBER', 'ORGANISER', 'CLUB_OFFICIAL'],
					roleScopes: { ORGANISER: { clubIds: [clubId] }, CLUB_OFFICIAL: { clubIds: [clubId] } },
				},
			});
			expect(granted.status).toBe(200);
			return await system.signIn(email, password);
		},
		stats: async (ofYear) => {
			const response = await api<Stats>('GET', `/api/events/stats?year=${ofYear}`, { token: officer });
			expect(response.status).toBe(200);
			return response.data;
		},
	};
}

function memberBody(firstName: string, ageInYear: number, clubId: string) {
	const dateOfBirth = `${year - ageInYear}-05-05`;
	const isMinor = dateOfBirth > `${Number(today.slice(0, 4)) - 18}${today.slice(4)}`;
	const guardian = { name: 'Gerda Reise', relationship: 'mother', phone: '+43 660 1112233', email: null };
	return {
		firstName,
		lastName: `Reise ${randomUUID().slice(0, 8)}`,
		dateOfBirth,
		gender: 'FEMALE',
		nationality: 'AT',
		homeClubId: clubId,
		membershipType: isMinor ? 'YOUTH' : 'FULL',
		feePaidForYear: year,
		...(isMinor ? { guardian } : {}),
	};
}
