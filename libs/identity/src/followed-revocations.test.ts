import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createMovingClock, eventually, recordingUpstream, respondWithEnvelope } from '@paddock/testing';
import { fetchRevocationsFrom } from './fetch-revocations-from.ts';
import { type FollowedRevocations, followRevocations } from './followed-revocations.ts';
import { sessionSubject } from './revocation-list.ts';

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

type Respond = (after: string | null, res: ServerResponse) => void;

async function instance(respond: Respond) {
	const upstream = await recordingUpstream((req, res) =>
		respond(new URL(req.url ?? '', 'http://auth').searchParams.get('after'), res),
	);
	closers.push(() => upstream.close());
	return upstream;
}

function follow(urls: () => readonly string[], options: { staleAfterMs?: number } = {}) {
	const logged: string[] = [];
	const log = (message: string) => logged.push(message);
	const clock = createMovingClock();
	const feed: FollowedRevocations = followRevocations({
		fetchPage: fetchRevocationsFrom({ instanceUrls: urls }),
		now: clock.now,
		logger: { info: log, warn: log, error: log },
		random: () => 0,
		waitMs: 200,
		timeoutMs: 300,
		...options,
	});
	closers.push(() => feed.close());
	return { feed, logged, clock };
}

const ended = (sessionId: string) => ({ subject: sessionSubject(sessionId), before: null });
const of = (sessionId: string) => ({ sessionId, userId: randomUUID(), accountVersion: 1 });

describe('following the feed', () => {
	test('begins with everything, page by page, and continues behind the last', async () => {
		const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
		const upstream = await instance((after, res) => {
			if (after === null) respondWithEnvelope(res, 200, { items: [ended(first)], next: 'a', more: true });
			else if (after === 'a')
				respondWithEnvelope(res, 200, { items: [ended(second)], next: 'b', more: false });
			else if (after === 'b')
				respondWithEnvelope(res, 200, { items: [ended(third)], next: 'c', more: false });
		});
		const { feed } = follow(() => [upstream.url]);
		expect(feed.ready()).toBe(false);
		expect(feed.status()).toEqual({ stale: true });
		feed.start();
		await eventually('all pages are here', () => feed.isRevoked(of(third)));
		expect([first, second].map((id) => feed.isRevoked(of(id)))).toEqual([true, true]);
		expect(feed.isRevoked(of(randomUUID()))).toBe(false);
		expect(feed.ready()).toBe(true);
		expect(feed.status()).toEqual({ stale: false, lastResponseAt: expect.any(Date) });
	});

	test('reports with each request when it stops waiting', async () => {
		const upstream = await instance((_after, res) =>
			respondWithEnvelope(res, 200, { items: [], next: 'a', more: false }),
		);
		const { feed } = follow(() => [upstream.url]);
		await feed.refresh();
		expect(upstream.requests.map(({ headers }) => headers['x-request-deadline-ms'])).toEqual(['500']);
	});

	test.each<[string, Respond]>([
		['hangs', () => undefined],
		['fails', (_after, res) => respondWithEnvelope(res, 503, {})],
		['has no feed', (_after, res) => respondWithEnvelope(res, 404, {})],
		['responds with another document', (_after, res) => res.writeHead(200).end('{"keys":[]}')],
		[
			'has another shape',
			(_after, res) => respondWithEnvelope(res, 200, { items: [{}], next: 'a', more: false }),
		],
		[
			'breaks off',
			(_after, res) => res.writeHead(200, { 'Content-Length': '99' }).write('{', () => res.destroy()),
		],
	])('uses the next instance if one %s', async (_how, respond) => {
		const bad = await instance(respond);
		const session = randomUUID();
		const good = await instance((after, res) => {
			if (after === null) respondWithEnvelope(res, 200, { items: [ended(session)], next: 'a', more: false });
		});
		const { feed } = follow(() => [bad.url, good.url]);
		feed.start();
		await eventually('the revocation is here', () => feed.isRevoked(of(session)));
	});

	test('counts as stale after a time without a response; known revocations stay; then it recovers', async () => {
		const session = randomUUID();
		let lost = false;
		const upstream = await instance((after, res) => {
			if (lost) respondWithEnvelope(res, 503, {});
			else
				respondWithEnvelope(res, 200, {
					items: after === null ? [ended(session)] : [],
					next: 'a',
					more: false,
				});
		});
		const { feed, logged, clock } = follow(() => [upstream.url], { staleAfterMs: 5_000 });
		feed.start();
		await eventually('it is ready', () => feed.ready());
		lost = true;
		await eventually('an attempt failed', () => feed.status().lastError !== undefined);
		clock.advance(5_000);
		expect(feed.status().stale).toBe(false);
		clock.advance(-3_600_000);
		expect(feed.status().stale).toBe(true);
		clock.advance(3_606_000);
		expect(feed.status().stale).toBe(true);
		expect(feed.isRevoked(of(session))).toBe(true);
		await eventually('the loss is logged', () => logged.includes('revocation feed lost'));
		lost = false;
		await eventually('it has recovered', () => !feed.status().stale);
		expect(logged).toEqual(['revocation feed lost', 'revocation feed recovered']);
	});

	test('waits between attempts while nothing responds', async () => {
		let attempts = 0;
		const { feed } = follow(() => {
			attempts += 1;
			return [];
		});
		feed.start();
		const endMs = performance.now() + 1_000;
		await eventually('a second has passed', () => performance.now() > endMs);
		expect(attempts).toBeGreaterThan(1);
		expect(attempts).toBeLessThan(8);
	});
});
