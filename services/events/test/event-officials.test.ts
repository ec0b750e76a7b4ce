import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { eventually, startStopwatch } from '@paddock/testing';
import type { Event } from '../src/events/view-schemas.ts';
import type { MemberRecord } from '../src/peers/records.ts';
import { eventsRoutes } from '../src/routes.ts';
import { useOffice } from './use-events.ts';

const aMinuteMs = 60_000;
const peerTimeoutMs = 4_000;
/** How long members are not called after a lookup failed. */
const pauseMs = 5_000;
const { events, office, stage } = useOffice({ PEER_TIMEOUT_MS: peerTimeoutMs });

let judge: MemberRecord;
let steward: MemberRecord;
let event: Event;
let path: string;

/** With a free name, a member who consents, and one who doesn't. */
beforeEach(async () => {
	judge = stage.member({ publishResults: true });
	steward = stage.member({ publishResults: false });
	event = await office.published({
		name: `Turnier ${randomUUID()}`,
		officials: [
			{ role: 'DOCTOR', name: 'Doris Doktor' },
			{ role: 'JUDGE', name: 'Jutta Judge', memberId: judge.id },
			{ role: 'STEWARD', name: 'Stefan Steward', memberId: steward.id },
		],
	});
	path = `/api/events/${event.id}`;
});

const doctor = { role: 'DOCTOR', name: 'Doris Doktor' };
const consenting = { role: 'JUDGE', name: 'Jutta Judge' };

async function officials(token?: string) {
	const { status, data } = await events.call<Event>('GET', path, { token });
	expect(status).toBe(200);
	return data.officials;
}

const lookups = () =>
	events.peers
		.requestsOf('members-service')
		.filter((line) => line.includes(judge.id) || line.includes(steward.id)).length;

describe('the officials of an event', () => {
	test('are shown without member ids, and members only where they consent', async () => {
		const tokens = [undefined, events.sign({ memberId: judge.id }), office.stranger];
		for (const token of tokens) expect(await officials(token)).toEqual([doctor, consenting]);
		for (const route of ['/api/events', '/api/events/search']) {
			const query = `q=${encodeURIComponent(event.name)}`;
			const { data } = await events.call<Page<Event>>('GET', `${route}?${query}`);
			expect(data.items.map((item) => item.officials)).toEqual([[doctor, consenting]]);
		}
	});

	test('are complete for managers of the event, who can send them back unchanged', async () => {
		const whole = [
			{ ...doctor, memberId: null },
			{ ...consenting, memberId: judge.id },
			{ role: 'STEWARD', name: 'Stefan Steward', memberId: steward.id },
		];
		for (const token of [office.organiser, office.official, events.officer])
			expect(await officials(token)).toEqual(whole);
		const { data } = await events.call<Event>('GET', path, { token: office.organiser });
		const put = await events.call<Event>('PUT', path, { token: office.organiser, body: data });
		expect([put.status, put.data.officials]).toEqual([200, whole]);
	});

	test('leave public views within a minute of their deletion or of the end of their consent', async () => {
		const read = (etag: string) => events.call<Event>('GET', path, { headers: { 'If-None-Match': etag } });
		const etag = (await read('"0"')).headers.get('etag') ?? '';
		expect((await read(etag)).status).toBe(304);
		stage.member({ ...judge, status: 'INACTIVE' });
		events.clock.advance(aMinuteMs);
		const changed = await read(etag);
		expect([changed.status, changed.data.officials]).toEqual([200, [doctor]]);
		stage.member({ ...judge, publishResults: false });
		stage.member({ ...steward, publishResults: true });
		events.clock.advance(aMinuteMs);
		expect(await officials()).toEqual([doctor, { role: 'STEWARD', name: 'Stefan Steward' }]);
		events.peers.members.delete(steward.id);
		events.clock.advance(aMinuteMs);
		expect(await officials()).toEqual([doctor]);
	});

	// They stayed until the clock showed the former time again.
	test('leave public views also if the clock is set back', async () => {
		expect(await officials()).toEqual([doctor, consenting]);
		stage.member({ ...judge, publishResults: false });
		events.clock.advance(-60 * aMinuteMs);
		expect(await officials()).toEqual([doctor]);
		events.clock.advance(60 * aMinuteMs);
	});

	test('are looked up once a minute for all readers, and not for the organisers', async () => {
		const before = lookups();
		await officials(office.organiser);
		expect(lookups() - before).toBe(0);
		await Promise.all(Array.from({ length: 20 }, () => officials()));
		for (let reading = 0; reading < 20; reading++) await officials();
		expect(lookups() - before).toBe(1);
		events.clock.advance(aMinuteMs);
		await officials();
		expect(lookups() - before).toBe(2);
	});

	test('can’t be deleted members', async () => {
		const { id } = stage.member({ status: 'INACTIVE' });
		const refused = async (memberId: string) => {
			const body = office.body({ officials: [{ role: 'JUDGE', name: 'Jutta', memberId }] });
			const { status, data } = await events.call('POST', '/api/events', { token: events.officer, body });
			return [status, data.errors];
		};
		const unknown = await refused(randomUUID());
		expect(unknown[0]).toBe(400);
		expect(await refused(id)).toEqual(unknown);
	});

	// The error named the unknown id, and success confirmed any other as that of a member.
	test('are refused to an organiser with one error, the same for an unknown id as for one that may not be named', async () => {
		const named = async (token: string, memberId: string) => {
			const official = { role: 'JUDGE', name: 'Jutta', memberId };
			const body = office.body({ officials: [doctor, { ...official, memberId: judge.id }, official] });
			const { status, data } = await events.call('POST', '/api/events', { token, body });
			return [status, data.errors];
		};
		const ofClub = stage.member({ publishResults: false, homeClubId: office.clubId }).id;
		for (const token of [office.organiser, office.official]) {
			const unknown = await named(token, randomUUID());
			expect(unknown).toMatchObject([400, [{ field: 'officials', code: 'INVALID_REFERENCE' }]]);
			expect(await named(token, steward.id)).toEqual(unknown);
			expect(await named(token, stage.member({ status: 'INACTIVE', homeClubId: office.clubId }).id)).toEqual(
				unknown,
			);
		}
		expect((await named(office.organiser, ofClub))[0]).toBe(400);
		expect((await named(office.official, ofClub))[0]).toBe(201);
		expect((await named(events.officer, steward.id))[0]).toBe(201);
		expect(await named(events.officer, randomUUID())).toMatchObject([
			400,
			[{ field: 'officials[2].memberId', code: 'INVALID_REFERENCE' }],
		]);
	});
});

describe('while members can’t be reached', () => {
	test('public reads continue without the names of members, and have them again afterwards', async () => {
		await events.peers.kill('members-service');
		expect(await officials()).toEqual([doctor]);
		await events.peers.recover('members-service');
		events.clock.advance(pauseMs);
		await eventually('the judge is named again', async () => {
			events.clock.advance(pauseMs);
			return (await officials()).length === 2;
		});
	});

	test('a lookup that hangs delays a public read by some tenths of a second, and its result serves the next', async () => {
		const released = Promise.withResolvers<void>();
		events.peers.delay('members-service', () => released.promise);
		const elapsedMs = startStopwatch();
		expect(await officials()).toEqual([doctor]);
		expect(elapsedMs()).toBeLessThan(peerTimeoutMs);
		released.resolve();
		await events.peers.recover('members-service');
		await eventually('the judge is named', async () => (await officials()).length === 2);
	});
});

describe('a public view', () => {
	const routes = eventsRoutes.filter(({ access, method }) => access === 'public' && method === 'get');

	test.each(routes.map(({ path: route }) => [route] as const))(
		'%s contains no id of a member',
		async (route) => {
			const competition = await office.competition(event.id);
			const address = route.replace('{id}', event.id).replace('{competitionId}', competition.id);
			const query = route.endsWith('/search') ? `?q=${encodeURIComponent(event.name)}` : '';
			const response = await fetch(events.url + address + query);
			const text = await response.text();
			expect([route, response.status]).toEqual([route, 200]);
			expect(text).not.toContain('memberId');
			for (const { id } of [judge, steward]) expect(text).not.toContain(id);
			expect(text).not.toContain('Stefan Steward');
		},
	);
});
