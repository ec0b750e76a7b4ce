import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { accountSubject, revocationKeptMs, sessionSubject } from '@paddock/identity';
import { withDeadline } from '@paddock/resilience';
import { eventually, patient, startStopwatch, waitingForLocks } from '@paddock/testing';
import { sql } from 'kysely';
import { createRevocationFeed } from '../src/revocations/revocation-feed.ts';
import { claimsOf, pageAfter, revocationBench, revoked } from './revocation-bench.ts';
import { type RunningAuth, runAuth } from './running-auth.ts';

const bench = revocationBench();

let beside: RunningAuth;
beforeAll(async () => {
	beside = await bench.runBeside();
});

describe('GET /internal/revocations', () => {
	test('discloses neither accounts nor sessions', async () => {
		const person = await bench.auth.member();
		await bench.put(person.id, 'status', { status: 'CLOSED' });
		const { text } = await bench.auth.call('GET', '/internal/revocations');
		expect(text).toContain(accountSubject(person.id));
		for (const id of [person.id, claimsOf(person.accessToken).sessionId]) expect(text).not.toContain(id);
	});

	test('with a cursor returns later revocations of all instances, and waits for them', async () => {
		const { next } = await pageAfter(bench.auth);
		const person = await bench.auth.member();
		const waiting = [pageAfter(bench.auth, next, 10_000), pageAfter(beside, next, 10_000)];
		await bench.auth.call('POST', '/auth/logout', { token: person.accessToken });
		const item = { subject: sessionSubject(claimsOf(person.accessToken).sessionId), before: null };
		for (const page of await Promise.all(waiting)) expect(page).toMatchObject({ items: [item], more: false });
	});

	test('ends a wait without a revocation with an empty page', async () => {
		const { next } = await pageAfter(bench.auth);
		expect(await pageAfter(bench.auth, next, 300)).toEqual({ items: [], next, more: false });
	});

	test('returns everything for a cursor that it did not issue', async () => {
		const all = await pageAfter(bench.auth);
		expect(all.items.length).toBeGreaterThan(0);
		for (const cursor of ['x', `${randomUUID()}.3`, `${all.next}99999`, `${all.next.split('.')[0]}.-1`])
			expect(await pageAfter(bench.auth, cursor, 10_000)).toEqual(all);
	});

	// The read for all readers had the deadline of the first one, and each waited for it beyond its own wait.
	test('while a read hangs, each reader has its own deadline', async () => {
		const { db } = bench.auth.deps;
		const feed = createRevocationFeed({ db, pollMs: 1 });
		const { next: after } = await pageAfter(bench.auth);
		const waitEnds = new AbortController();
		const { signal } = new AbortController();
		const readUntil = (deadlineMs: number, waitMs: number, end = signal) =>
			withDeadline(deadlineMs, () => feed.page({ after, waitMs, signal: end }));
		const elapsedMs = startStopwatch();
		const early = readUntil(1_000, 20_000, waitEnds.signal);
		const late = readUntil(20_000, 20_000);
		// Both wait when a third one has waited.
		await readUntil(20_000, 1);
		await db.transaction().execute(async (transaction) => {
			await sql`lock table revocation_feed in access exclusive mode`.execute(transaction);
			await eventually('the read for all hangs', async () => (await waitingForLocks(transaction)) > 0);
			waitEnds.abort();
			await expect(early).rejects.toThrow('the database did not respond');
		});
		expect(elapsedMs()).toBeLessThan(patient(1_000));
		const person = await bench.auth.member();
		await bench.auth.call('POST', '/auth/logout', { token: person.accessToken });
		expect((await late).items).toHaveLength(1);
	});

	test('refuses other parameters', async () => {
		for (const query of ['waitMs=-1', 'waitMs=30001', 'after=', 'since=1'])
			expect((await bench.auth.call('GET', `/internal/revocations?${query}`)).status).toBe(400);
	});

	// Positions that became visible out of order would be skipped by a reader that has the later one already.
	test('misses none of many at once if a follower reads during them', async () => {
		const people = await Promise.all(Array.from({ length: 20 }, () => bench.auth.member()));
		let { next } = await pageAfter(bench.auth);
		const seen = new Set<string>();
		const ending = Promise.all(
			people.map(({ accessToken }, index) =>
				(index % 2 === 0 ? bench.auth : beside).call('POST', '/auth/logout', { token: accessToken }),
			),
		);
		const subjects = people.map(({ accessToken }) => sessionSubject(claimsOf(accessToken).sessionId));
		await eventually('all have arrived', async () => {
			const page = await pageAfter(bench.auth, next, 500);
			next = page.next;
			for (const { subject } of page.items) seen.add(subject);
			return subjects.every((subject) => seen.has(subject));
		});
		await ending;
	});

	test('splits the first reading into complete pages', async () => {
		const crowded = await runAuth();
		try {
			await sql`insert into revocations select n, n::text, null, now() from generate_series(1, 5001) n`.execute(
				crowded.deps.db,
			);
			await sql`update revocation_feed set last = 5001`.execute(crowded.deps.db);
			const first = await pageAfter(crowded, undefined, 0);
			expect([first.items.length, first.more]).toEqual([5_000, true]);
			const second = await pageAfter(crowded, first.next, 10_000);
			expect(second.items).toEqual([{ subject: '5001', before: null }]);
			expect(second.more).toBe(false);
			expect((await pageAfter(crowded, second.next, 0)).items).toEqual([]);
		} finally {
			await crowded.close();
		}
	});

	// A follower always waits; without this each stop of bench.auth would take as long as a wait.
	test('ends the waits of its followers when the service stops', async () => {
		const stopping = await runAuth({ beside: bench.auth });
		try {
			const { next } = await pageAfter(stopping, undefined, 0);
			let ended = false;
			const waiting = pageAfter(stopping, next, 30_000).finally(() => {
				ended = true;
			});
			// It waits when a later one has waited.
			await pageAfter(stopping, next, 1);
			expect(ended).toBe(false);
			const elapsedMs = startStopwatch();
			stopping.deps.revocationFeed.close();
			// So does one that arrives afterwards.
			for (const page of [waiting, pageAfter(stopping, next, 30_000)])
				expect(await page).toEqual({ items: [], next, more: false });
			expect(elapsedMs()).toBeLessThan(patient(10_000));
		} finally {
			await stopping.close();
		}
	});

	test('stores a revocation until its tokens have expired', async () => {
		const person = await bench.auth.member();
		await bench.auth.call('POST', '/auth/logout', { token: person.accessToken });
		bench.auth.clock.advance(revocationKeptMs);
		await bench.auth.deps.maintenance.run();
		expect(await revoked(bench.auth, person.accessToken)).toEqual([true]);
		bench.auth.clock.advance(120_000);
		await bench.auth.deps.maintenance.run();
		expect((await pageAfter(bench.auth)).items).toEqual([]);
	});
});
