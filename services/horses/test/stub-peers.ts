import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
	createSettableRegistry,
	recordingUpstream,
	respondWithEnvelope,
	type SettableRegistry,
	type TestUpstream,
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
	/** `hang`: accepts every request and never responds; `die`: stops listening; `nonsense`: another shape. */
	make(service: Service, behaviour: 'response' | 'hang' | 'die' | 'nonsense'): Promise<void>;
	member(status?: string, homeClubId?: string): string;
	club(status?: string): string;
	close(): Promise<void>;
}

const secret = 'a-secret-of-32-characters-or-more';

/** The secret that the stub of auth accepts. */
export const stubSecret = secret;

const accessToken = 'token-of-horses-service';

type Kept = Pick<StubPeers, 'members' | 'homeClubs' | 'clubs' | 'entered' | 'countries'>;

/** The services that the horse registry calls, each a real server. */
export async function stubPeers(): Promise<StubPeers> {
	const kept: Kept = {
		members: new Map(),
		homeClubs: new Map(),
		clubs: new Map(),
		entered: new Set(),
		countries: new Map([
			['AT', '040'],
			['DE', '276'],
			['CH', '756'],
		]),
	};
	const behaviours = new Map<Service, string>();
	const upstreams = new Map<Service, TestUpstream>();
	for (const service of services)
		upstreams.set(service, await openStub(service, kept, () => behaviours.get(service)));
	const upstreamOf = (service: Service): TestUpstream => {
		const upstream = upstreams.get(service);
		if (upstream === undefined) throw new Error(`no stub of ${service}`);
		return upstream;
	};
	const registry = createSettableRegistry(
		Object.fromEntries(services.map((service) => [service, [upstreamOf(service).url]])),
	);
	return {
		...kept,
		registry,
		requestsOf: (service) => upstreamOf(service).requests.map(({ url }) => url),
		credentials: (service) => upstreamOf(service).requests.map(({ headers }) => headers.authorization),
		make: async (service, behaviour) => {
			behaviours.set(service, behaviour);
			registry.set(service, [behaviour === 'die' ? await deadAddress() : upstreamOf(service).url]);
		},
		member: (status = 'ACTIVE', homeClubId) => {
			const id = added(kept.members, status);
			if (homeClubId !== undefined) kept.homeClubs.set(id, homeClubId);
			return id;
		},
		club: (status = 'ACTIVE') => added(kept.clubs, status),
		close: async () => {
			for (const upstream of upstreams.values()) await upstream.close();
		},
	};
}

function added(kept: Map<string, string>, status: string): string {
	const id = randomUUID();
	kept.set(id, status);
	return id;
}

/** An address without a listener: the port of a closed server. */
async function deadAddress(): Promise<string> {
	const dead = await recordingUpstream();
	await dead.close();
	return dead.url;
}

function openStub(service: Service, kept: Kept, behaviour: () => string | undefined): Promise<TestUpstream> {
	return recordingUpstream((req, res, body) => {
		if (behaviour() === 'hang') return;
		if (behaviour() === 'nonsense') return respondWithEnvelope(res, 200, { items: 'none' });
		const data = responses[service]({ url: new URL(req.url ?? '', 'http://stub'), req, body, kept });
		if (data === undefined)
			respondWithEnvelope(res, 404, { code: 'NOT_FOUND', status: 404, requestId: 'stub' });
		else respondWithEnvelope(res, 200, data);
	});
}

interface Requested {
	readonly url: URL;
	readonly req: IncomingMessage;
	readonly body: string;
	readonly kept: Kept;
}

/** The `data` of each response; undefined = 404. */
const responses: Readonly<Record<Service, (requested: Requested) => unknown>> = {
	'auth-service': ({ body }) =>
		(JSON.parse(body) as { secret: string }).secret === secret
			? { accessToken, expiresIn: 900, scopes: ['members:lookup'] }
			: undefined,
	'members-service': ({ url, req, kept }) => {
		if (req.headers.authorization !== `Bearer ${accessToken}`) return undefined;
		const known = url.pathname === '/internal/clubs/lookup' ? kept.clubs : kept.members;
		const ids = (url.searchParams.get('ids') ?? '').split(',');
		const itemOf = (id: string) => ({
			id,
			status: known.get(id),
			...(known === kept.members ? { homeClubId: kept.homeClubs.get(id) ?? null } : {}),
		});
		return { items: ids.filter((id) => known.has(id)).map(itemOf) };
	},
	'masterdata-service': ({ url, kept }) => {
		const code = url.pathname.split('/').at(-1);
		const found = [...kept.countries].find((pair) => pair.some((known) => known === code));
		return found === undefined ? undefined : { isoAlpha2: found[0], isoNumeric: found[1] };
	},
	'events-service': ({ url, kept }) => ({
		items: [],
		pagination: { totalElements: kept.entered.has(url.searchParams.get('horseId') ?? '') ? 2 : 0 },
	}),
};

const services = Object.keys(responses) as readonly Service[];
