import { mailRequestsPath } from '@paddock/mail';
import {
	foundRecords,
	registryOfStubs,
	type SettableRegistry,
	type StubService,
	stubService,
	stubToken,
} from '@paddock/testing';
import type {
	AgeClassRecord,
	ArenaRecord,
	ClubRecord,
	HorseRecord,
	MemberRecord,
	VenueRecord,
} from '../src/peers/records.ts';

type PeerName = 'auth-service' | 'members-service' | 'horses-service' | 'masterdata-service';

/** The other services, as real servers with the data of a test. */
export interface StubPeers {
	readonly registry: SettableRegistry;
	readonly members: Map<string, MemberRecord>;
	readonly clubs: Map<string, ClubRecord>;
	readonly horses: Map<string, HorseRecord>;
	readonly venues: Map<string, VenueRecord>;
	/** By venue and arena: `<venue id>/<arena id>`. */
	readonly arenas: Map<string, ArenaRecord>;
	readonly ageClasses: AgeClassRecord[];
	/** The requests of a service so far, in order: method and URL. */
	requestsOf(service: PeerName): readonly string[];
	/** From now on it accepts requests without responding, until `recover`. */
	hang(service: PeerName): void;
	/** Its server is stopped, until `recover`. */
	kill(service: PeerName): Promise<void>;
	/** Called with each request before the response, until `recover`. */
	delay(service: PeerName, until: () => Promise<void>): void;
	recover(service: PeerName): Promise<void>;
	close(): Promise<void>;
}

/** Starts them on free ports. */
export async function startStubPeers(): Promise<StubPeers> {
	const records = {
		members: new Map<string, MemberRecord>(),
		clubs: new Map<string, ClubRecord>(),
		horses: new Map<string, HorseRecord>(),
		venues: new Map<string, VenueRecord>(),
		arenas: new Map<string, ArenaRecord>(),
		ageClasses: [] as AgeClassRecord[],
	};
	const stubs: Readonly<Record<PeerName, StubService>> = {
		'auth-service': await stubService(({ url }) =>
			url.pathname === mailRequestsPath ? { accounts: 1 } : stubToken,
		),
		'members-service': await stubService(({ url }) =>
			foundRecords(url, url.pathname.startsWith('/internal/clubs') ? records.clubs : records.members),
		),
		'horses-service': await stubService(({ url }) =>
			url.pathname === '/internal/horses/kept'
				? keptHorses(url, records.horses)
				: foundRecords(url, records.horses),
		),
		'masterdata-service': await stubService(({ url }) => masterdataResponse(url, records)),
	};
	return {
		...records,
		registry: registryOfStubs(stubs),
		requestsOf: (name) => stubs[name].requests.map(({ method, url }) => `${method} ${url}`),
		hang: (name) => stubs[name].hang(),
		kill: (name) => stubs[name].kill(),
		delay: (name, until) => stubs[name].misbehave((_req, _res, _body, respond) => void until().then(respond)),
		recover: (name) => stubs[name].recover(),
		close: async () => {
			await Promise.all(Object.values(stubs).map((stub) => stub.close()));
		},
	};
}

function keptHorses(url: URL, horses: ReadonlyMap<string, HorseRecord>): unknown {
	const memberId = url.searchParams.get('memberId') ?? '';
	const isKept = ({ ownerMemberIds, responsibleMemberId }: HorseRecord) =>
		[...ownerMemberIds, responsibleMemberId].includes(memberId);
	return { horseIds: [...horses.values()].filter(isKept).map(({ id }) => id) };
}

function masterdataResponse(
	url: URL,
	{ venues, arenas, ageClasses }: Pick<StubPeers, 'venues' | 'arenas' | 'ageClasses'>,
): unknown {
	if (url.pathname === '/api/masterdata/age-classes')
		return { items: ageClasses, pagination: { hasNext: false } };
	const [venueId = '', arenaId] = url.pathname.replace('/api/masterdata/venues/', '').split('/arenas/');
	return arenaId === undefined ? venues.get(venueId) : arenas.get(`${venueId}/${arenaId}`);
}
