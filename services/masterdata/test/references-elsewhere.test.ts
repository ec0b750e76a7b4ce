import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
	createSettableRegistry,
	neverRespond,
	recordingUpstream,
	respondWithEnvelope,
	respondWithStatus,
	type SettableRegistry,
	type TestUpstream,
} from '@paddock/testing';
import { inventedCountry } from './invented-country.ts';
import { type RunningMasterdata, runMasterdata } from './running-masterdata.ts';

const referring = ['members-service', 'horses-service', 'events-service'] as const;
type Referring = (typeof referring)[number];
type Answer = Parameters<typeof recordingUpstream>[0];

const path = '/api/masterdata';
const token = 'token of the masterdata service';
let masterdata: RunningMasterdata;
let registry: SettableRegistry;
let auth: TestUpstream;
const servers = new Map<Referring, TestUpstream>();
/** References that a service reports, by its name; `misbehaving` replaces its response. */
const counts = new Map<Referring, number>();
const misbehaving = new Map<Referring, Answer>();

beforeAll(async () => {
	auth = await recordingUpstream((_req, res) =>
		respondWithEnvelope(res, 200, { accessToken: token, expiresIn: 900, scopes: [] }),
	);
	for (const service of referring) {
		const answer: Answer = (req, res, body) => {
			const other = misbehaving.get(service);
			if (other !== undefined) other(req, res, body);
			else if (req.headers.authorization !== `Bearer ${token}`)
				respondWithEnvelope(res, 401, { code: 'INVALID_TOKEN', status: 401, requestId: 'r' });
			else respondWithEnvelope(res, 200, { count: counts.get(service) ?? 0 });
		};
		servers.set(service, await recordingUpstream(answer));
	}
	registry = createSettableRegistry({
		'auth-service': [auth.url],
		...Object.fromEntries([...servers].map(([service, { url }]) => [service, [url]])),
	});
	const contexts = ['auth', 'members', 'masterdata', 'horses', 'events'] as const;
	masterdata = await runMasterdata({ CONTEXTS: [...contexts], PEER_TIMEOUT_MS: 500 }, registry);
});
afterAll(async () => {
	await masterdata.close();
	await Promise.all([auth, ...servers.values()].map((server) => server.close()));
});
beforeEach(() => {
	counts.clear();
	misbehaving.clear();
});

interface Made {
	readonly id: string;
	readonly [field: string]: unknown;
}

async function post(to: string, body: object): Promise<Made> {
	const { status, data } = await masterdata.call<Made>('POST', `${path}${to}`, {
		token: masterdata.officer,
		body,
	});
	expect([status, data]).toEqual([201, data]);
	return data;
}

function send(method: string, to: string, body?: object) {
	const sent = body === undefined ? {} : { body };
	return masterdata.call(method, `${path}${to}`, {
		token: masterdata.officer,
		...sent,
	});
}

const letters = [...'FGHIJKLMNOPQRSTUVWXYZ'];

/** A country that nothing refers to, each time another. */
function newCountry(): Promise<Made> {
	return post('/countries', inventedCountry(letters.shift() ?? 'A'));
}

let made = 0;

async function newState(): Promise<Made> {
	made += 1;
	const country = await newCountry();
	const code = String(country['isoAlpha2']);
	return post('/states', {
		countryCode: code,
		iso3166_2: `${code}-${made}`,
		federationCode: String(10 + made),
		name: `Staat ${made}`,
		abbreviation: `S${made}`,
	});
}

function newAgeClass(): Promise<Made> {
	made += 1;
	return post('/age-classes', {
		code: `PROBE_${made}`,
		ruleset: 'OETO',
		nameEn: 'Probe',
		nameDe: 'Probe',
		category: 'RIDER',
		minAge: 10,
		maxAge: 12,
		legalReference: 'Probe §1',
	});
}

function newVenue(): Promise<Made> {
	made += 1;
	return post('/venues', { name: `Platz ${made}`, countryCode: 'AT' });
}

const ground = { type: 'COMPETITION', surface: 'SAND' };

interface Kind {
	/** Where a new record of the kind is found, and how it is asked about. */
	create(): Promise<{ to: string; query: string; record: Made }>;
	readonly code: string;
}

const kinds: Readonly<Record<string, Kind>> = {
	country: {
		code: 'COUNTRY_IN_USE',
		create: async () => {
			const record = await newCountry();
			const codes = `${record['isoAlpha2']}%2C${record['isoNumeric']}`;
			return {
				to: `/countries/${record.id}`,
				query: `type=COUNTRY&id=${record.id}&codes=${codes}`,
				record,
			};
		},
	},
	state: {
		code: 'STATE_IN_USE',
		create: async () => {
			const record = await newState();
			const query = `type=STATE&id=${record.id}&codes=${record['iso3166_2']}`;
			return { to: `/states/${record.id}`, query, record };
		},
	},
	venue: {
		code: 'VENUE_IN_USE',
		create: async () => {
			const record = await newVenue();
			return { to: `/venues/${record.id}`, query: `type=VENUE&id=${record.id}`, record };
		},
	},
	arena: {
		code: 'ARENA_IN_USE',
		create: async () => {
			const venue = await newVenue();
			const to = `/venues/${venue.id}/arenas`;
			const record = await post(to, { ...ground, name: 'Halle' });
			return { to: `${to}/${record.id}`, query: `type=ARENA&id=${record.id}`, record };
		},
	},
	'age class': {
		code: 'AGE_CLASS_IN_USE',
		create: async () => {
			const record = await newAgeClass();
			const query = `type=AGE_CLASS&id=${record.id}&codes=OETO%3A${record['code']}`;
			return { to: `/age-classes/${record.id}`, query, record };
		},
	},
};

// "In use" was decided by this context's own database alone.
describe.each(Object.entries(kinds))('DELETE of a %s', (_name, { create, code }) => {
	test.each(referring)('is refused while %s refers to it', async (service) => {
		const { to, query } = await create();
		counts.set(service, 3);
		const { status, data } = await send('DELETE', to);
		expect([status, data.code, data['references']]).toEqual([409, code, 3]);
		expect(servers.get(service)?.requests.at(-1)?.url).toBe(`/internal/references?${query}`);
		expect((await send('GET', to)).status).toBe(200);
		counts.delete(service);
		expect((await send('DELETE', to)).status).toBe(200);
		expect((await send('GET', to)).status).toBe(404);
	});

	const failures: [string, Answer][] = [
		['does not respond', neverRespond],
		['fails', respondWithStatus(500)],
		['does not know the route', respondWithStatus(404)],
		['responds with another shape', (_req, res) => respondWithEnvelope(res, 200, { count: '0' })],
	];

	test.each(failures)('is not done on trust while a context %s', async (_how, answer) => {
		const { to } = await create();
		misbehaving.set('events-service', answer);
		const { status, data } = await send('DELETE', to);
		expect([status, data.code]).toEqual(
			answer === neverRespond ? [504, 'UPSTREAM_TIMEOUT'] : [503, 'SERVICE_UNAVAILABLE'],
		);
		misbehaving.clear();
		expect((await send('GET', to)).status).toBe(200);
		expect((await send('DELETE', to)).status).toBe(200);
	});
});

test('DELETE is not done on trust while a context has no instance', async () => {
	const { id } = await newVenue();
	const url = servers.get('events-service')?.url ?? '';
	registry.set('events-service', []);
	const { status, data } = await send('DELETE', `/venues/${id}`);
	expect([status, data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	registry.set('events-service', [url]);
	expect((await send('DELETE', `/venues/${id}`)).status).toBe(200);
});

describe('PUT of a code that other contexts store', () => {
	test.each([
		['country', { isoNumeric: '999' }, 'COUNTRY_IN_USE'],
		['age class', { code: 'ANOTHER' }, 'AGE_CLASS_IN_USE'],
		['age class', { ruleset: 'FEI' }, 'AGE_CLASS_IN_USE'],
	])('of a %s is refused while it is in use: %j', async (kind, changes, code) => {
		const created = await kinds[kind]?.create();
		if (created === undefined) throw new Error(`no such kind: ${kind}`);
		counts.set('horses-service', 1);
		const refused = await send('PUT', created.to, { ...created.record, ...changes });
		expect([refused.status, refused.data.code]).toEqual([409, code]);
		expect((await send('GET', created.to)).data).toEqual(created.record);
		// What no other context stores may change.
		const renamed = await send('PUT', created.to, { ...created.record, nameEn: 'Other name' });
		expect(renamed.status).toBe(200);
	});

	test('of a state is refused while it is in use', async () => {
		const state = await newState();
		counts.set('members-service', 1);
		const body = { ...state, iso3166_2: `${state['countryCode']}-Z9` };
		const refused = await send('PUT', `/states/${state.id}`, body);
		expect([refused.status, refused.data.code]).toEqual([409, 'STATE_IN_USE']);
		counts.clear();
		expect((await send('PUT', `/states/${state.id}`, body)).status).toBe(200);
	});
});

test('an arena in use is taken out of use instead', async () => {
	const venue = await newVenue();
	const arena = await post(`/venues/${venue.id}/arenas`, { ...ground, name: 'Wiese' });
	expect(arena['isActive']).toBe(true);
	const to = `/venues/${venue.id}/arenas/${arena.id}`;
	const { data } = await send('PUT', to, { ...ground, name: 'Wiese', isActive: false });
	expect(data['isActive']).toBe(false);
});
