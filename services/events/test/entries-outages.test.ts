import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually, startStopwatch, type TestService } from '@paddock/testing';
import { sql } from 'kysely';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEvents } from './use-events.ts';

/** Peers that respond do so within it, also on a busy machine. */
const peerTimeoutMs = 1_500;
const away = ['members-service', 'horses-service', 'masterdata-service'] as const;
// Two attempts with the overhead of a busy machine; far below the gateway's own deadline.
const deadlineMs = 2 * peerTimeoutMs + 1_500;
const { events, stage } = useEvents({ PEER_TIMEOUT_MS: peerTimeoutMs });

let service: Pick<TestService, 'call'>;
let userId: string;
let path: string;
let eventId: string;
let competitionId: string;
let body: { riderMemberId: string; horseId: string; starts: { competitionId: string }[] };
let token: string;

beforeEach(async () => {
	service = events;
	eventId = await stage.event({ maxEntries: 1 });
	path = `/api/events/${eventId}/entries`;
	competitionId = await stage.competition(eventId);
	const riderMemberId = stage.member().id;
	const horseId = stage.horse({ ownerMemberIds: [riderMemberId] }).id;
	body = { riderMemberId, horseId, starts: [{ competitionId }] };
	userId = randomUUID();
	token = events.sign({ userId, memberId: body.riderMemberId });
});

// The next test does not fail for the reason of this one.
afterEach(async () => {
	for (const peer of [...away, 'auth-service'] as const) await events.peers.recover(peer);
});

async function stored(): Promise<number> {
	const { db } = events;
	const entries = await db.selectFrom('entries').select('id').where('eventId', '=', eventId).execute();
	const starts = await db
		.selectFrom('starts')
		.select('entryId')
		.where('competitionId', '=', competitionId)
		.execute();
	const keys = await db.selectFrom('idempotencyKeys').select('key').where('userId', '=', userId).execute();
	return entries.length + starts.length + keys.length;
}

async function enterTimed(headers = {}) {
	const elapsedMs = startStopwatch();
	const response = await service.call('POST', path, { token, body, headers });
	return { ...response, tookMs: elapsedMs() };
}

describe.each(['members-service', 'horses-service', 'masterdata-service', 'auth-service'] as const)(
	'%s',
	(peer) => {
		let own: Pick<TestService, 'call'>;
		// A new instance, as breakers and cached age classes have state.
		beforeAll(async () => {
			own = await events.another();
		});
		beforeEach(() => {
			service = own;
		});

		test('that hangs is waited for until the deadline, and nothing is stored', async () => {
			events.peers.hang(peer);
			const { status, data, tookMs } = await enterTimed();
			expect([503, 504]).toContain(status);
			expect(['SERVICE_UNAVAILABLE', 'UPSTREAM_TIMEOUT']).toContain(data.code);
			expect(tookMs).toBeLessThan(deadlineMs);
			await events.peers.recover(peer);
			expect(await stored()).toBe(0);
		});

		test('that is stopped is 503 with Retry-After; the same key stores one entry once it runs again', async () => {
			const headers = { 'Idempotency-Key': randomUUID() };
			await events.peers.kill(peer);
			const lost = await enterTimed(headers);
			expect([lost.status, lost.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
			expect(Number(lost.headers.get('retry-after'))).toBeGreaterThan(0);
			expect(await stored()).toBe(0);
			const preview = await service.call('POST', `${path}/check`, { token, body });
			expect(preview.status).toBe(503);

			await events.peers.recover(peer);
			const send = () => service.call<Entry>('POST', path, { token, body, headers });
			const made = await send();
			expect([made.status, made.data.status]).toEqual([201, 'ACCEPTED']);
			expect((await send()).data).toEqual(made.data);
			// The entry, its start and the key.
			expect(await stored()).toBe(3);
		});
	},
);

test('a stored response is replayed while all peers are unavailable', async () => {
	const headers = { 'Idempotency-Key': randomUUID() };
	const send = () => service.call<Entry>('POST', path, { token, body, headers });
	const made = await send();
	for (const peer of away) await events.peers.kill(peer);
	expect(await send()).toMatchObject({ status: 201, data: made.data });
	for (const peer of away) await events.peers.recover(peer);
});

test('withdrawing calls members only, for the status of the caller', async () => {
	const made = await service.call<Entry>('POST', path, { token, body });
	const withdraw = (by: string) =>
		service.call<Entry>('POST', `${path}/${made.data.id}/withdraw`, { token: by });
	for (const peer of away) events.peers.hang(peer);
	expect([503, 504]).toContain((await withdraw(token)).status);
	await events.peers.recover('members-service');
	const withdrawn = await withdraw(token);
	for (const peer of away) events.peers.hang(peer);
	// Without a member, or for the office, no other service is called.
	const again = await withdraw(events.officer);
	for (const peer of away) await events.peers.recover(peer);
	expect([withdrawn.status, withdrawn.data.status]).toEqual([200, 'WITHDRAWN']);
	const unchanged = { ...withdrawn.data, ledger: [], acts: [] };
	expect([again.status, { ...again.data, ledger: [], acts: [] }]).toEqual([200, unchanged]);
});

describe('an entry whose caller’s deadline passes', () => {
	/** Locks the event's row, as a slow transaction does, until `release`. */
	async function holdEvent() {
		const released = Promise.withResolvers<void>();
		const held = Promise.withResolvers<void>();
		const holder = events.db.transaction().execute(async (transaction) => {
			await transaction.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().execute();
			held.resolve();
			await released.promise;
		});
		await held.promise;
		return {
			release: async () => {
				released.resolve();
				await holder;
			},
		};
	}

	/** Longer than a busy machine takes to reach the lock, shorter than the database lets a statement wait. */
	const callerMs = 2_000;
	const waitsForLock = () =>
		eventually('an entry waits for the lock', async () => {
			const waiting = await sql<{ pid: number }>`
				select pid from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`.execute(events.db);
			return waiting.rows.length === 1;
		});
	const send = (headers = {}) =>
		service.call<Entry>('POST', path, {
			token: events.officer,
			headers,
			body: { ...body, riderMemberId: stage.member().id, horseId: stage.horse().id },
		});

	test('in the queue is not stored', async () => {
		const { release } = await holdEvent();
		const first = send();
		await waitsForLock();
		const second = await send({ 'X-Request-Deadline-Ms': '300' });
		expect([503, 504]).toContain(second.status);
		await release();
		expect((await first).status).toBe(201);
		expect(await stored()).toBe(2);
	});

	test('at the lock is not stored either', async () => {
		const { release } = await holdEvent();
		const sentAtMs = performance.now();
		const waiting = send({ 'X-Request-Deadline-Ms': String(callerMs) });
		await waitsForLock();
		await eventually('its deadline has passed', () => performance.now() > sentAtMs + callerMs);
		await release();
		expect(await waiting).toMatchObject({ status: 503, data: { code: 'SERVICE_UNAVAILABLE' } });
		expect(await stored()).toBe(0);
	});

	test('at the lock is not withdrawn either', async () => {
		const { data: entered } = await send();
		const { release } = await holdEvent();
		const sentAtMs = performance.now();
		const waiting = service.call('POST', `${path}/${entered.id}/withdraw`, {
			token: events.officer,
			headers: { 'X-Request-Deadline-Ms': String(callerMs) },
		});
		await waitsForLock();
		await eventually('its deadline has passed', () => performance.now() > sentAtMs + callerMs);
		await release();
		expect((await waiting).status).toBe(503);
		const now = await service.call<Entry>('GET', `${path}/${entered.id}`, { token: events.officer });
		expect(now.data.status).toBe('ACCEPTED');
	});
});
