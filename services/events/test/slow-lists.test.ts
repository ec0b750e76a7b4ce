import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { eventually, patient, startStopwatch, waitingForLocks } from '@paddock/testing';
import { sql } from 'kysely';
import { useEntryDesk } from './use-events.ts';

// A third of them is for the lists of one caller.
const { events, desk, stage } = useEntryDesk({ DATABASE_POOL_MAX: 6 });
const listsAtOnce = 2;

const get = (path: string, token: string, signal?: AbortSignal) =>
	fetch(`${events.url}${path}`, {
		headers: { Authorization: `Bearer ${token}` },
		...(signal === undefined ? {} : { signal }),
	});

test('twelve slow lists of one officer, one after the other or at once, hold up nobody else', async () => {
	const eventId = await stage.event();
	await desk.enter(eventId, [await stage.competition(eventId)]);
	const officer = events.sign({ userId: randomUUID(), roles: ['FEDERATION_OFFICER'] });
	const others = events.sign({ userId: randomUUID(), roles: ['FEDERATION_OFFICER'] });
	await events.db.transaction().execute(async (transaction) => {
		// Read by lists of entries only, which are slow from now on.
		await sql`lock table ledger_lines in access exclusive mode`.execute(transaction);
		const [leaving, staying] = [new AbortController(), new AbortController()];
		const paths = ['/api/events/entries', `/api/events/${eventId}/entries`, '/api/events/entries?open=true'];
		const open = (count: number, { signal }: AbortController) =>
			Array.from({ length: count }, (_, index) =>
				get(paths[index % paths.length] ?? '', officer, signal).then(
					({ status }) => status,
					() => 'left',
				),
			);
		const left = open(6, leaving);
		const waiting = async () => waitingForLocks(transaction);
		await eventually('they wait', async () => (await waiting()) === listsAtOnce, 5_000);
		leaving.abort();
		await Promise.all(left);
		await eventually('their queries have ended', async () => (await waiting()) === 0, 5_000);

		const slow = open(12, staying);
		await eventually('the next ones wait', async () => (await waiting()) === listsAtOnce, 5_000);
		for (const token of ['', others]) {
			const elapsedMs = startStopwatch();
			const response = await fetch(`${events.url}/api/events`, {
				headers: token === '' ? {} : { Authorization: `Bearer ${token}` },
			});
			expect([response.status, await response.json()]).toMatchObject([
				200,
				{ data: { items: [{ id: eventId }] } },
			]);
			expect(elapsedMs()).toBeLessThan(patient(2_000));
		}
		const statistics = await get('/api/events/stats', others);
		expect(statistics.status).toBe(200);
		// On a busy machine the first two have been ended in the meantime, and others wait in their place.
		await eventually('they still wait', async () => (await waiting()) === listsAtOnce, 5_000);
		staying.abort();
		await Promise.all(slow);
	});
	const after = await get('/api/events/entries', officer);
	expect(after.status).toBe(200);
}, 30_000);

test('lists of a caller that wait too long for the earlier ones are 429', async () => {
	const officer = events.sign({ userId: randomUUID(), roles: ['FEDERATION_OFFICER'] });
	const statuses = await events.db.transaction().execute(async (transaction) => {
		await sql`lock table ledger_lines in access exclusive mode`.execute(transaction);
		const all = Array.from({ length: 3 }, () => get('/api/events/entries', officer));
		const first = await Promise.race(all);
		expect([first.status, first.headers.get('Retry-After'), await first.json()]).toMatchObject([
			429,
			'1',
			{ data: { code: 'RATE_LIMITED' } },
		]);
		return all;
	});
	const final = (await Promise.all(statuses)).map(({ status }) => status);
	expect(final.sort()).toEqual([200, 200, 429]);
}, 30_000);
