import { beforeEach, describe, expect, test } from '@jest/globals';
import { readSettings } from '@paddock/service';
import { createLogger, createMetrics } from '@paddock/telemetry';
import { eventually } from '@paddock/testing';
import { openEvents } from '../src/app.ts';
import { settings } from '../src/config.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import { listUnsettledEvents } from '../src/events/list.ts';
import { useEntryDesk } from './use-events.ts';

const { events, desk } = useEntryDesk();

let eventId: string;
let competitionId: string;

beforeEach(async () => {
	eventId = await desk.stage.event({ maxEntries: 1 });
	competitionId = await desk.stage.competition(eventId);
});

const enter = () => desk.enter(eventId, [competitionId]);
const standing = () => desk.standing(eventId);

function suspend(riderMemberId: string): void {
	const member = events.peers.members.get(riderMemberId);
	if (member === undefined) throw new Error('There is no such member.');
	events.peers.members.set(riderMemberId, { ...member, status: 'SUSPENDED' });
}

// Places were assigned by position only, also to riders and horses that had been suspended or deleted.
describe('a place that becomes free', () => {
	test('skips a rider who has been suspended, and takes the next', async () => {
		const [first, second] = [await enter(), await enter(), await enter()];
		suspend((second as Entry).riderMemberId);
		expect((await desk.end(first as Entry)).status).toBe(200);
		expect(await standing()).toEqual(['1 WITHDRAWN', '2 WAITLISTED 1', '3 ACCEPTED']);
	});

	test('passes over a horse that was deleted since', async () => {
		const [first, second] = [await enter(), await enter(), await enter()];
		events.peers.horses.delete((second as Entry).horseId);
		await desk.end(first as Entry, 'reject');
		expect(await standing()).toEqual(['1 REJECTED', '2 WAITLISTED 1', '3 ACCEPTED']);
	});

	test('stays free while horses cannot be checked; the next run assigns it', async () => {
		const first = await enter();
		await enter();
		await events.peers.kill('horses-service');
		expect((await desk.end(first)).status).toBe(200);
		expect(await standing()).toEqual(['1 WITHDRAWN', '2 WAITLISTED 1']);
		await events.peers.recover('horses-service');
		// Every instance begins with a pass.
		await events.another();
		await eventually('the waiting entry is accepted', async () => (await standing()).includes('2 ACCEPTED'));
	});
});

// Events whose free places no waiting entry can use were looked at again in every pass.
describe('a pass over all events', () => {
	const listed = async () =>
		(await listUnsettledEvents(events.db, events.clock.now())).some(({ id }) => id === eventId);

	test('looks at an event whose waiting entry has a place and its boxes', async () => {
		await enter();
		const waiting = await enter();
		const change = (changes: { maxEntries?: number; maxBoxes?: number }) =>
			events.db.updateTable('events').set(changes).where('id', '=', eventId).execute();
		expect(await listed()).toBe(false);
		await change({ maxEntries: 2 });
		expect(await listed()).toBe(true);
		await change({ maxBoxes: 3 });
		await events.db.updateTable('entries').set({ boxes: 2 }).where('eventId', '=', eventId).execute();
		expect(await listed()).toBe(false);
		await change({ maxBoxes: 4 });
		expect(await listed()).toBe(true);
		await events.db.updateTable('entries').set({ boxes: 5 }).where('eventId', '=', eventId).execute();
		await events.db.updateTable('entries').set({ boxes: 0 }).where('id', '=', waiting.id).execute();
		expect(await listed()).toBe(true);
	});

	test('leaves out an event whose waiting entries are for days that are over', async () => {
		await enter();
		await enter();
		await events.db.updateTable('events').set({ maxEntries: 2 }).where('id', '=', eventId).execute();
		const dated = (date: string) =>
			events.db.updateTable('competitions').set({ date }).where('id', '=', competitionId).execute();
		await dated('2000-01-01');
		expect(await listed()).toBe(false);
		await dated('2026-10-24');
		expect(await listed()).toBe(true);
	});
});

// Every stop logged a warning with a stack.
test('a pass that the stop of the service ends is not logged as failed', async () => {
	await enter();
	await enter();
	// A full event is left out of the pass.
	await events.db.updateTable('events').set({ maxEntries: 2 }).where('id', '=', eventId).execute();
	const logger = createLogger({ service: 'events-service', level: 'warn' });
	const lines: unknown[] = [];
	logger.warn = (...line: unknown[]) => {
		lines.push(line);
		return logger;
	};
	events.peers.hang('horses-service');
	const calls = events.peers.requestsOf('horses-service').length;
	const { close } = await openEvents(readSettings(settings, { DATABASE_URL: events.databaseUrl }), {
		logger,
		metrics: createMetrics({ prefix: 'service', service: 'events-service' }),
		now: events.clock.now,
		registry: events.peers.registry,
	});
	await eventually('the pass calls horses', () => events.peers.requestsOf('horses-service').length > calls);
	await close();
	await events.peers.recover('horses-service');
	expect(lines).toEqual([]);
});

// A place that could not be assigned went to the next new entry.
test('a new entry does not overtake a waiting one whose promotion was postponed', async () => {
	const first = await enter();
	await enter();
	await events.peers.kill('horses-service');
	await desk.end(first);
	await events.peers.recover('horses-service');
	const fresh = await events.another();
	const newcomer = await desk.enter(eventId, [competitionId], fresh.call);
	expect(newcomer).toMatchObject({ status: 'WAITLISTED', position: 1 });
	expect(await standing()).toEqual(['1 WITHDRAWN', '2 ACCEPTED', '3 WAITLISTED 1']);
});

// Only new and newly confirmed entries gave way.
test('an added start does not take the place of a waiting entry whose promotion was postponed', async () => {
	const full = await desk.stage.competition(eventId, { maxStarters: 1 });
	await events.db.updateTable('events').set({ maxEntries: null }).where('id', '=', eventId).execute();
	const first = await desk.enter(eventId, [full]);
	await desk.enter(eventId, [full]);
	const third = await enter();
	await events.peers.kill('horses-service');
	await desk.end(first);
	await events.peers.recover('horses-service');
	const fresh = await events.another();
	const { status, data } = await fresh.call('PUT', `/api/events/${eventId}/entries/${third.id}`, {
		token: desk.organiser,
		body: { starts: [competitionId, full].map((id) => ({ competitionId: id })) },
	});
	expect([status, data]).toMatchObject([409, { code: 'COMPETITION_FULL' }]);
});

// An entry that had only ever waited still owed its full amount after the event.
describe('an entry that waits until the event is over', () => {
	test('ends with nothing due, and allows no other step', async () => {
		await enter();
		const waiting = await enter();
		expect(waiting).toMatchObject({ status: 'WAITLISTED', amountDue: 0 });
		const path = `/api/events/${eventId}/entries`;
		const completed = { status: 'COMPLETED' } as const;
		await events.db.updateTable('events').set(completed).where('id', '=', eventId).execute();
		const read = await events.call<Entry>('GET', `${path}/${waiting.id}`, { token: desk.organiser });
		expect(read.data).toMatchObject({
			status: 'EXPIRED',
			position: null,
			amountDue: 0,
			starts: [{ status: 'EXPIRED' }],
		});
		const listed = await events.call<{ items: Entry[] }>('GET', `${path}?status=EXPIRED`, {
			token: desk.organiser,
		});
		expect(listed.data.items.map(({ id }) => id)).toEqual([waiting.id]);
		expect((await desk.end(waiting)).data).toMatchObject({
			code: 'ILLEGAL_STATE_TRANSITION',
			from: 'EXPIRED',
		});
	});

	test('is over with the last day at the venue', async () => {
		await enter();
		const waiting = await enter();
		const over = { endsAt: events.clock.now() };
		await events.db
			.updateTable('events')
			.set({ ...over, startsAt: new Date(over.endsAt.getTime() - 86_400_000) })
			.where('id', '=', eventId)
			.execute();
		const { data } = await events.call<Entry>('GET', `/api/events/${eventId}/entries/${waiting.id}`, {
			token: desk.organiser,
		});
		expect([data.status, data.amountDue]).toEqual(['EXPIRED', 0]);
	});
});
