import type { IncomingMessage, ServerResponse } from 'node:http';
import {
	createSettableRegistry,
	recordingUpstream,
	respondWithEnvelope,
	type SettableRegistry,
	type TestUpstream,
} from '@paddock/testing';
import type {
	AgeClassReference,
	ArenaReference,
	ClubReference,
	HorseReference,
	MemberReference,
	VenueReference,
} from '../src/directory/references.ts';

type PeerName = 'auth-service' | 'members-service' | 'horses-service' | 'masterdata-service';

/** The other services, as real servers with the data of a test. */
export interface StubPeers {
	readonly registry: SettableRegistry;
	readonly members: Map<string, MemberReference>;
	readonly clubs: Map<string, ClubReference>;
	readonly horses: Map<string, HorseReference>;
	readonly venues: Map<string, VenueReference>;
	/** By venue and arena: `<venue id>/<arena id>`. */
	readonly arenas: Map<string, ArenaReference>;
	readonly ageClasses: AgeClassReference[];
	/** The requests of a service so far, in order: method and URL. */
	requestsOf(service: PeerName): readonly string[];
	/** From now on it accepts requests without responding, until `wake`. */
	hang(service: PeerName): void;
	wake(service: PeerName): void;
	/** Its server is stopped, until `revive`. */
	kill(service: PeerName): Promise<void>;
	revive(service: PeerName): Promise<void>;
	/** Called with each request before the response. */
	delay(service: PeerName, until: () => Promise<void>): void;
	close(): Promise<void>;
}

/** Starts them on free ports. */
export async function startStubPeers(): Promise<StubPeers> {
	const records = {
		members: new Map<string, MemberReference>(),
		clubs: new Map<string, ClubReference>(),
		horses: new Map<string, HorseReference>(),
		venues: new Map<string, VenueReference>(),
		arenas: new Map<string, ArenaReference>(),
		ageClasses: [] as AgeClassReference[],
	};
	const responses: Record<PeerName, (url: URL) => unknown> = {
		'auth-service': () => ({ accessToken: 'of the events service', expiresIn: 900, scopes: [] }),
		'members-service': (url) =>
			lookup(url, url.pathname.startsWith('/internal/clubs') ? records.clubs : records.members),
		'horses-service': (url) =>
			url.pathname === '/internal/horses/kept'
				? keptHorses(url, records.horses)
				: lookup(url, records.horses),
		'masterdata-service': (url) => masterdataResponse(url, records),
	};
	const hung = new Set<string>();
	const delays = new Map<string, () => Promise<void>>();
	const start = (service: PeerName, port?: number) =>
		recordingUpstream(
			(req, res) => {
				if (hung.has(service)) return;
				const ready = delays.get(service)?.() ?? Promise.resolve();
				void ready.then(() => send(req, res, responses[service]));
			},
			port === undefined ? {} : { port },
		);
	const names = Object.keys(responses) as PeerName[];
	const servers = new Map<PeerName, TestUpstream>();
	for (const name of names) servers.set(name, await start(name));
	const serverOf = (name: PeerName): TestUpstream => {
		const server = servers.get(name);
		if (server === undefined) throw new TypeError(`${name} was not started.`);
		return server;
	};
	return {
		...records,
		registry: createSettableRegistry(Object.fromEntries(names.map((name) => [name, [serverOf(name).url]]))),
		requestsOf: (name) => serverOf(name).requests.map(({ method, url }) => `${method} ${url}`),
		hang: (name) => hung.add(name),
		wake: (name) => hung.delete(name),
		delay: (name, until) => delays.set(name, until),
		kill: (name) => serverOf(name).close(),
		revive: async (name) => {
			servers.set(name, await start(name, serverOf(name).port));
		},
		close: async () => {
			await Promise.all([...servers.values()].map((server) => server.close()));
		},
	};
}

function lookup(url: URL, known: ReadonlyMap<string, unknown>): unknown {
	const ids = (url.searchParams.get('ids') ?? '').split(',');
	return { items: ids.flatMap((id) => known.get(id) ?? []) };
}

function keptHorses(url: URL, horses: ReadonlyMap<string, HorseReference>): unknown {
	const memberId = url.searchParams.get('memberId') ?? '';
	const isKept = ({ ownerMemberIds, responsibleMemberId }: HorseReference) =>
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

/** Undefined = the record does not exist. */
function send(req: IncomingMessage, res: ServerResponse, response: (url: URL) => unknown): void {
	const data = response(new URL(req.url ?? '/', 'http://stub'));
	if (data === undefined)
		respondWithEnvelope(res, 404, { code: 'NOT_FOUND', status: 404, requestId: 'stub' });
	else respondWithEnvelope(res, 200, data);
}
