import { randomUUID } from 'node:crypto';
import { mailRequestsPath } from '@paddock/mail';
import {
	foundRecords,
	registryOfStubs,
	respondWithEnvelope,
	type SettableRegistry,
	type StubService,
	stubService,
	stubToken,
} from '@paddock/testing';

type Service = 'auth-service' | 'members-service' | 'masterdata-service' | 'events-service';

/** The data of the other services; a test may change it at any time. */
export interface StubPeers {
	readonly registry: SettableRegistry;
	/** Status by id. */
	readonly members: Map<string, string>;
	/** Home club by the member's id. */
	readonly homeClubs: Map<string, string>;
	readonly clubs: Map<string, string>;
	/** Ids of horses with open entries. */
	readonly entered: Set<string>;
	/** alpha-2 → numeric */
	readonly countries: Map<string, string>;
	/** Requested paths of a service with their query, in order. */
	requestsOf(service: Service): readonly string[];
	/** The Authorization headers of these. */
	credentials(service: Service): readonly (string | undefined)[];
	/** Until `recover`; `hang`: accepts every request and never responds; `die`: stops listening; `nonsense`: another shape. */
	fail(service: Service, how: 'hang' | 'die' | 'nonsense'): Promise<void>;
	recover(service: Service): Promise<void>;
	member(status?: string, homeClubId?: string): string;
	club(status?: string): string;
	close(): Promise<void>;
}

/** The secret that the stub of auth accepts. */
export const stubSecret = 'a-secret-of-32-characters-or-more';

/** The services that the horse registry calls, each a real server. */
export async function stubPeers(): Promise<StubPeers> {
	const kept = {
		members: new Map<string, string>(),
		homeClubs: new Map<string, string>(),
		clubs: new Map<string, string>(),
		entered: new Set<string>(),
		countries: new Map([
			['AT', '040'],
			['DE', '276'],
			['CH', '756'],
		]),
	};
	const membersFound = () =>
		new Map(
			[...kept.members].map(([id, status]) => [
				id,
				{ id, status, homeClubId: kept.homeClubs.get(id) ?? null },
			]),
		);
	const clubsFound = () => new Map([...kept.clubs].map(([id, status]) => [id, { id, status }]));
	const stubs: Readonly<Record<Service, StubService>> = {
		'auth-service': await stubService(({ url, body }) =>
			url.pathname === mailRequestsPath
				? { accounts: 1 }
				: (JSON.parse(body) as { secret: string }).secret === stubSecret
					? stubToken
					: undefined,
		),
		'members-service': await stubService(({ url }) =>
			foundRecords(url, url.pathname === '/internal/clubs/lookup' ? clubsFound() : membersFound()),
		),
		'masterdata-service': await stubService(({ url }) => {
			const code = url.pathname.split('/').at(-1);
			const found = [...kept.countries].find((pair) => pair.some((known) => known === code));
			return found === undefined ? undefined : { isoAlpha2: found[0], isoNumeric: found[1] };
		}),
		'events-service': await stubService(({ url }) => ({
			items: [],
			pagination: { totalElements: kept.entered.has(url.searchParams.get('horseId') ?? '') ? 2 : 0 },
		})),
	};
	return {
		...kept,
		registry: registryOfStubs(stubs),
		requestsOf: (service) =>
			stubs[service].requests.map(({ url }) => url).filter((url) => url !== mailRequestsPath),
		credentials: (service) => stubs[service].requests.map(({ headers }) => headers.authorization),
		fail: async (service, how) => {
			if (how === 'die') await stubs[service].kill();
			else if (how === 'hang') stubs[service].hang();
			else stubs[service].misbehave((_req, res) => respondWithEnvelope(res, 200, { items: 'none' }));
		},
		recover: (service) => stubs[service].recover(),
		member: (status = 'ACTIVE', homeClubId) => {
			const id = added(kept.members, status);
			if (homeClubId !== undefined) kept.homeClubs.set(id, homeClubId);
			return id;
		},
		club: (status = 'ACTIVE') => added(kept.clubs, status),
		close: async () => {
			await Promise.all(Object.values(stubs).map((stub) => stub.close()));
		},
	};
}

function added(kept: Map<string, string>, status: string): string {
	const id = randomUUID();
	kept.set(id, status);
	return id;
}
