import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { events, desk } = useEntryDesk();

const hourMs = 3_600_000;

let eventId: string;
let competitionId: string;

beforeEach(async () => {
	eventId = await desk.stage.event({ maxEntries: 1 });
	competitionId = await desk.stage.competition(eventId, { date: '2026-10-24' });
});

const set = (changes: object) =>
	events.db.updateTable('events').set(changes).where('id', '=', eventId).execute();
/** The deadline was an hour ago. */
const deadlineHasPassed = () =>
	set({ entriesOpenAt: null, entryDeadline: new Date(events.clock.now().getTime() - hourMs) });
const office = () => events.sign({ roles: ['FEDERATION_OFFICER'] });
const read = (entry: Entry) =>
	events.call<Entry>('GET', `/api/events/${eventId}/entries/${entry.id}`, { token: office() });
const withdraw = (entry: Entry) =>
	events.call<Entry>('POST', `/api/events/${eventId}/entries/${entry.id}/withdraw`, { token: office() });

/** A token lives 15 minutes of the clock that is moved, so each call gets a new one. */
async function enter(): Promise<Entry> {
	const { status, data } = await events.call<Entry>('POST', `/api/events/${eventId}/entries`, {
		token: office(),
		body: desk.pair(competitionId),
	});
	expect(status).toBe(201);
	return data;
}

/** An accepted and a waiting entry; then the entry deadline passes. */
async function twoEntries(): Promise<{ first: Entry; second: Entry }> {
	const first = await enter();
	const second = await enter();
	expect([first.status, second.status]).toEqual(['ACCEPTED', 'WAITLISTED']);
	await deadlineHasPassed();
	return { first, second };
}

/** The ways in which a place becomes free. */
const ways: readonly (readonly [string, (first: Entry) => Promise<unknown>])[] = [
	['a withdrawal', (first) => withdraw(first)],
	[
		'a rejection',
		(first) =>
			events.call('POST', `/api/events/${eventId}/entries/${first.id}/reject`, {
				token: office(),
				body: { reason: 'Nicht zugelassen' },
			}),
	],
	[
		'a competition that is cancelled',
		async () =>
			events.call('POST', `/api/events/${eventId}/competitions/${await otherCompetition()}/cancel`, {
				token: office(),
			}),
	],
	[
		'the pass of a starting instance',
		async () => {
			await set({ maxEntries: 2 });
			await events.another();
		},
	],
];

/** Moves the first entry into a competition of its own. */
async function otherCompetition(): Promise<string> {
	const other = await desk.stage.competition(eventId);
	const first = events.db.selectFrom('entries').select('id').where('eventId', '=', eventId);
	const { id } = await first.where('status', '=', 'ACCEPTED').executeTakeFirstOrThrow();
	await events.db.updateTable('starts').set({ competitionId: other }).where('entryId', '=', id).execute();
	return other;
}

// A rider who got a place after the entry deadline owed all fees, even if they withdrew at once.
describe('an entry that got its place after the entry deadline', () => {
	test.each(ways)('by %s, can be withdrawn free of charge for a day', async (_way, free) => {
		const { first, second } = await twoEntries();
		const promotedAt = events.clock.now().getTime();
		await free(first);
		await eventually('the entry has a place', async () => (await read(second)).data.status === 'ACCEPTED');
		const { data } = await read(second);
		expect(data).toMatchObject({
			amountDue: 4_300,
			freeWithdrawalUntil: new Date(promotedAt + 24 * hourMs).toISOString(),
		});
		events.clock.advance(24 * hourMs);
		expect((await withdraw(second)).data).toMatchObject({
			status: 'WITHDRAWN',
			amountDue: 0,
			freeWithdrawalUntil: null,
		});
	});

	test('by more places at the event', async () => {
		const { second } = await twoEntries();
		const event = await events.call('GET', `/api/events/${eventId}`, { token: office() });
		const { eventNumber: _n, ...stored } = event.data;
		const changed = await events.call('PUT', `/api/events/${eventId}`, {
			token: office(),
			body: { ...stored, maxEntries: 2 },
		});
		expect(changed.status).toBe(200);
		expect((await withdraw(second)).data).toMatchObject({ status: 'WITHDRAWN', amountDue: 0 });
	});

	test('owes everything after that day, as does one that had its place before', async () => {
		const { first, second } = await twoEntries();
		expect((await read(first)).data.freeWithdrawalUntil).toBeNull();
		expect((await withdraw(first)).data.amountDue).toBe(4_300);
		events.clock.advance(24 * hourMs + 1);
		expect((await withdraw(second)).data).toMatchObject({ status: 'WITHDRAWN', amountDue: 4_300 });
	});

	test('owes everything once the day of a competition is over', async () => {
		const { first, second } = await twoEntries();
		const today = events.clock.now().toISOString().slice(0, 10);
		await events.db
			.updateTable('competitions')
			.set({ date: today })
			.where('id', '=', competitionId)
			.execute();
		await withdraw(first);
		events.clock.advance(18 * hourMs);
		expect((await read(second)).data.freeWithdrawalUntil).not.toBeNull();
		expect((await withdraw(second)).data.amountDue).toBe(4_300);
	});
});

test('one that got its place shortly before the deadline has the day, too', async () => {
	const first = await enter();
	const second = await enter();
	await set({ entriesOpenAt: null, entryDeadline: new Date(events.clock.now().getTime() + hourMs) });
	await withdraw(first);
	events.clock.advance(2 * hourMs);
	expect((await withdraw(second)).data).toMatchObject({ status: 'WITHDRAWN', amountDue: 0 });
});
