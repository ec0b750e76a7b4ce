import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type CallingRequest, openPeers, type Peers } from '@paddock/peers';
import { createMetrics, silentLogger } from '@paddock/telemetry';
import {
	createMovingClock,
	type MovingClock,
	recordingUpstream,
	respondWithEnvelope,
} from '@paddock/testing';
import { createDirectory, type Directory } from '../src/peers/directory.ts';
import { type StubPeers, startStubPeers } from './stub-peers.ts';

let stubs: StubPeers;
let peers: Peers;
let directory: Directory;
let clock: MovingClock;

beforeEach(async () => {
	stubs = await startStubPeers();
	clock = createMovingClock();
	peers = openEventsPeers(1_000);
	directory = createDirectory(peers, clock.now);
});
afterEach(async () => {
	await peers.close();
	await stubs.close();
});

function openEventsPeers(timeoutMs: number): Peers {
	return openPeers({
		calls: ['members', 'horses', 'masterdata'],
		registry: stubs.registry,
		client: 'events-service',
		secret: 'a secret of the events service in tests',
		logger: silentLogger(),
		metrics: createMetrics({ prefix: 'service', service: 'events-service' }),
		now: clock.now,
		timeoutMs,
	});
}

function context(signal = new AbortController().signal): CallingRequest {
	return { requestId: 'r-1', signal, traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` };
}

function member(id: string = randomUUID()) {
	const known = {
		id,
		firstName: 'Eva',
		lastName: 'Zügelbauer',
		dateOfBirth: '1992-01-30',
		nationality: 'AT',
		homeClubId: null,
		homeClubName: null,
		status: 'ACTIVE',
		feePaidForYear: null,
		guardianMemberId: null,
		publishResults: false,
	};
	stubs.members.set(id, known);
	return known;
}

const unavailable = expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', status: 503 });
const timedOut = expect.objectContaining({ code: 'UPSTREAM_TIMEOUT', status: 504 });

describe('the directory', () => {
	test('returns the records of its service by id, and requests each id once', async () => {
		const [one, two] = [member(), member()];
		const found = await directory.members([one.id, randomUUID(), two.id, one.id], context());
		expect([...found]).toEqual([
			[one.id, one],
			[two.id, two],
		]);
		const [requested] = stubs.requestsOf('members-service');
		expect(requested?.startsWith('GET /internal/members/lookup?ids=')).toBe(true);
		expect(decodeURIComponent(requested ?? '').split(',')).toHaveLength(3);
	});

	test('requests portions of fifty, and sends no request without ids', async () => {
		const ids = Array.from({ length: 101 }, () => member().id);
		expect((await directory.members(ids, context())).size).toBe(101);
		const portions = stubs
			.requestsOf('members-service')
			.map((url) => decodeURIComponent(url).split(',').length);
		expect(portions.sort((a, b) => b - a)).toEqual([50, 50, 1]);
		expect((await directory.horses([], context())).size).toBe(0);
		expect(stubs.requestsOf('horses-service')).toEqual([]);
	});

	test('finds clubs with the service of members, and horses with theirs', async () => {
		const club = { id: randomUUID(), name: 'RV', status: 'ACTIVE' };
		stubs.clubs.set(club.id, club);
		expect((await directory.clubs([club.id], context())).get(club.id)).toEqual(club);
		expect(stubs.requestsOf('members-service')[0]).toContain('/internal/clubs/lookup?');
		await directory.horses([randomUUID()], context());
		expect(stubs.requestsOf('horses-service')[0]).toContain('/internal/horses/lookup?');
	});

	test('fails for a service that hangs, is unreachable, or returns another body', async () => {
		const { id } = member();
		stubs.hang('members-service');
		const impatient = openEventsPeers(100);
		await expect(createDirectory(impatient, clock.now).members([id], context())).rejects.toEqual(timedOut);
		await impatient.close();
		await stubs.kill('horses-service');
		await expect(directory.horses([randomUUID()], context())).rejects.toEqual(unavailable);
		await stubs.recover('members-service');
		Object.assign(stubs.members.get(id) ?? {}, { dateOfBirth: 'long ago' });
		await expect(directory.members([id], context())).rejects.toEqual(unavailable);
	});

	test('ends with its caller', async () => {
		const reason = new Error('The caller left.');
		const gone = AbortSignal.abort(reason);
		await expect(directory.members([randomUUID()], context(gone))).rejects.toBe(reason);
		expect(stubs.requestsOf('members-service')).toEqual([]);
	});
});

describe('the master data', () => {
	const youth = {
		code: 'YOUTH',
		category: 'RIDER' as const,
		discipline: null,
		minAge: 8,
		maxAge: 15,
		validFrom: null,
		validTo: null,
	};
	const fiveMinutesMs = 5 * 60_000;

	test('have venues and arenas, requested each time', async () => {
		const venue = {
			id: randomUUID(),
			name: 'Alm',
			address: null,
			stateCode: null,
			countryCode: 'AT',
			timeZone: 'Europe/Vienna',
			isActive: true,
		};
		const arena = { id: randomUUID(), name: 'Wiese', isActive: true };
		stubs.venues.set(venue.id, venue);
		stubs.arenas.set(`${venue.id}/${arena.id}`, arena);
		expect(await directory.venue(venue.id, context())).toEqual(venue);
		expect(await directory.arena(venue.id, arena.id, context())).toEqual(arena);
		expect(await directory.venue(randomUUID(), context())).toBeUndefined();
		expect(await directory.arena(venue.id, randomUUID(), context())).toBeUndefined();
		stubs.venues.set(venue.id, { ...venue, name: 'Umbenannt' });
		expect((await directory.venue(venue.id, context()))?.name).toBe('Umbenannt');
	});

	test('cache age classes for five minutes, per ruleset', async () => {
		stubs.ageClasses.push(youth);
		const send = () => directory.ageClasses('OETO', context());
		expect(await send()).toEqual([youth]);
		stubs.ageClasses.length = 0;
		clock.advance(fiveMinutesMs - 1);
		expect(await send()).toEqual([youth]);
		expect(await directory.ageClasses('FEI', context())).toEqual([]);
		clock.advance(1);
		expect(await send()).toEqual([]);
		expect(stubs.requestsOf('masterdata-service').map((url) => url.replace(/^.*\?/, ''))).toEqual([
			'ruleset=OETO&size=200',
			'ruleset=FEI&size=200',
			'ruleset=OETO&size=200',
		]);
	});

	test('cache no failure, and return no expired data', async () => {
		stubs.ageClasses.push(youth);
		const send = () => directory.ageClasses('OETO', context());
		await stubs.kill('masterdata-service');
		await expect(send()).rejects.toEqual(unavailable);
		await stubs.recover('masterdata-service');
		expect(await send()).toEqual([youth]);
		await stubs.kill('masterdata-service');
		expect(await send()).toEqual([youth]);
		clock.advance(fiveMinutesMs);
		await expect(send()).rejects.toEqual(unavailable);
	});

	test('refuse a list of age classes that is not whole', async () => {
		const cut = await recordingUpstream((_req, res) =>
			respondWithEnvelope(res, 200, { items: [youth], pagination: { hasNext: true } }),
		);
		stubs.registry.set('masterdata-service', [cut.url]);
		try {
			await expect(directory.ageClasses('OETO', context())).rejects.toEqual(unavailable);
		} finally {
			await cut.close();
		}
	});
});
