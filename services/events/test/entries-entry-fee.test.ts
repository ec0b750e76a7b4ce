import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { events, call, stage, desk } = useEntryDesk({ REFUND_FILLED_PLACES: true });

let eventId: string;
let competitionId: string;

async function useEvent(changes: Parameters<typeof stage.event>[0] = {}): Promise<void> {
	eventId = await stage.event(changes);
	competitionId = await free();
}

/** Several riders start with a horse in it (§55.1.2). */
const free = (maxStarters: number | null = null) =>
	stage.competition(eventId, { kind: 'LICENCE_FREE', maxStarters });

const path = () => `/api/events/${eventId}/entries`;

async function enter(horseId: string, id = competitionId): Promise<Entry> {
	const body = { ...desk.pair(id), horseId };
	const { status, data } = await call<Entry>('POST', path(), { token: desk.organiser, body });
	expect(status).toBe(201);
	return data;
}

async function twoEntries(): Promise<readonly [Entry, Entry]> {
	const horseId = stage.horse().id;
	return [await enter(horseId), await enter(horseId)];
}

const read = async ({ id }: Entry) =>
	(await call<Entry>('GET', `${path()}/${id}`, { token: desk.organiser })).data;
const due = async (entry: Entry) => (await read(entry)).amountDue;
const lines = async (entry: Entry) =>
	(await read(entry)).ledger.map(({ kind, amount }) => `${kind} ${amount}`);
const passDeadline = () =>
	events.db
		.updateTable('events')
		.set({ entryDeadline: new Date('2026-09-15T09:59:59Z') })
		.where('id', '=', eventId)
		.execute();
const cancelCompetition = (id: string) =>
	call('POST', `/api/events/${eventId}/competitions/${id}/cancel`, { token: desk.organiser });

beforeEach(() => useEvent());

// The second entry stayed without entry fee after the first one had got its own back.
describe('the one entry fee of a horse passes to its second entry', () => {
	test.each(['withdraw', 'reject'] as const)('when the first one ends without owing it: %s', async (step) => {
		const [first, second] = await twoEntries();
		expect([await due(first), await due(second)]).toEqual([4_300, 1_800]);
		await desk.end(first, step);
		expect([await due(first), await due(second)]).toEqual([0, 4_300]);
		const { ledger, version } = await read(second);
		expect([version, ledger.at(-1)]).toMatchObject([2, { kind: 'ENTRY', amount: 2_500, bookedBy: null }]);
		const third = await enter(second.horseId);
		expect(third.amountDue).toBe(1_800);
	});

	test('once, to the earliest of several', async () => {
		const [first, second] = await twoEntries();
		const third = await enter(first.horseId);
		await desk.end(first);
		expect([await due(second), await due(third)]).toEqual([4_300, 1_800]);
		await desk.end(third);
		expect(await due(second)).toBe(4_300);
	});

	test('not while a late withdrawal owes it, but once that is refunded as its place is filled', async () => {
		await useEvent({ maxEntries: 2 });
		const [first, second] = await twoEntries();
		await passDeadline();
		await desk.end(first);
		expect([await due(first), await due(second)]).toEqual([4_300, 1_800]);
		await desk.enter(eventId, [competitionId]);
		expect([await due(first), await due(second)]).toEqual([0, 4_300]);
	});

	test('not while the first one owes it after its competition was cancelled', async () => {
		const horseId = stage.horse().id;
		const [first, second] = [await enter(horseId), await enter(horseId, await free())];
		await cancelCompetition(competitionId);
		expect([await due(first), await due(second)]).toEqual([2_500, 1_800]);
		await desk.end(first);
		expect([await due(first), await due(second)]).toEqual([0, 4_300]);
	});

	test('when the first one is passed on to another horse', async () => {
		const [first, second] = await twoEntries();
		const body = { horseId: stage.horse().id };
		expect((await call('POST', `${path()}/${first.id}/swap`, { token: desk.organiser, body })).status).toBe(
			200,
		);
		expect([await due(first), await due(second)]).toEqual([4_300, 4_300]);
	});
});

describe('while the first entry of a horse waits', () => {
	test('one that gets a place at once bears the fee', async () => {
		const full = await free(1);
		const taken = await desk.enter(eventId, [full]);
		const horseId = stage.horse().id;
		const waiting = await enter(horseId, full);
		const second = await enter(horseId);
		expect([waiting.status, second.status, second.amountDue]).toEqual(['WAITLISTED', 'ACCEPTED', 4_300]);
		expect(await lines(waiting)).toEqual(['ENTRY 2500', 'START 1800', 'ENTRY -2500']);
		await desk.end(taken);
		expect([await due(waiting), await due(second)]).toEqual([1_800, 4_300]);
		await desk.end(second);
		expect(await due(waiting)).toBe(4_300);
	});

	test('one that is promoted before it bears the fee', async () => {
		const [full, other] = [await free(1), await free(1)];
		await desk.enter(eventId, [full]);
		const taken = await desk.enter(eventId, [other]);
		const horseId = stage.horse().id;
		const [waiting, second] = [await enter(horseId, full), await enter(horseId, other)];
		expect(await lines(second)).toEqual(['START 1800']);
		await desk.end(taken);
		expect([await due(waiting), await due(second)]).toEqual([0, 4_300]);
	});

	test('and its competition is cancelled, the other one bears the fee', async () => {
		const [full, other] = [await free(1), await free(1)];
		for (const id of [full, other]) await desk.enter(eventId, [id]);
		const horseId = stage.horse().id;
		const [, second] = [await enter(horseId, full), await enter(horseId, other)];
		await cancelCompetition(full);
		expect(await lines(second)).toEqual(['START 1800', 'ENTRY 2500']);
	});
});
