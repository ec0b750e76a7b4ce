import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { inTransaction } from '@paddock/database';
import { cancelEntriesOfEvent, cancelStartsOfCompetition } from '../src/entries/refunds.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import { promoteWaiting } from '../src/entries/waiting-list.ts';
import { lockEvent } from '../src/events/store.ts';
import { useEntryDesk } from './use-events.ts';

const promotionAt = (now: Date) => ({
	now,
	blocked: new Set<string>(),
	freeWithdrawalMs: 0,
	jobs: undefined,
});

const { events, call, desk, stage } = useEntryDesk();

let eventId: string;
let path: string;

async function useEvent(maxEntries: number | null): Promise<void> {
	eventId = await stage.event({ maxEntries });
	path = `/api/events/${eventId}/entries`;
}

const enter = (...competitionIds: string[]) => desk.enter(eventId, competitionIds);
const end = (entry: Entry, step?: 'withdraw' | 'reject') => desk.end(entry, step);
const standing = () => desk.standing(eventId);

function startStatuses(entryId: string) {
	return events.db
		.selectFrom('starts')
		.select(['competitionId', 'status'])
		.where('entryId', '=', entryId)
		.execute();
}

describe('a full event', () => {
	let competitionId: string;
	beforeEach(async () => {
		await useEvent(2);
		competitionId = await stage.competition(eventId);
	});

	test('puts entries on the waiting list, and a withdrawal promotes the first', async () => {
		const entries = [];
		for (let number = 1; number <= 5; number++) entries.push(await enter(competitionId));
		expect(await standing()).toEqual([
			'1 ACCEPTED',
			'2 ACCEPTED',
			'3 WAITLISTED 1',
			'4 WAITLISTED 2',
			'5 WAITLISTED 3',
		]);
		const [first, , third, , fifth] = entries as [Entry, Entry, Entry, Entry, Entry];
		expect(fifth).toMatchObject({ status: 'WAITLISTED', position: 3, starts: [{ status: 'WAITLISTED' }] });
		const { status, data } = await end(first);
		expect([status, data]).toMatchObject([
			200,
			{ status: 'WITHDRAWN', position: null, amountDue: 0, starts: [{ status: 'WITHDRAWN' }], version: 2 },
		]);
		expect(await standing()).toEqual([
			'1 WITHDRAWN',
			'2 ACCEPTED',
			'3 ACCEPTED',
			'4 WAITLISTED 1',
			'5 WAITLISTED 2',
		]);
		expect(await startStatuses(third.id)).toMatchObject([{ status: 'ACCEPTED' }]);
		const promoted = await call<Entry>('GET', `${path}/${third.id}`, { token: desk.organiser });
		expect(promoted.data).toMatchObject({ status: 'ACCEPTED', position: null, version: 2 });
	});

	test('closes the gap when an entry leaves the waiting list', async () => {
		const entries = [];
		for (let number = 1; number <= 5; number++) entries.push(await enter(competitionId));
		events.clock.advance(1_000);
		await end(entries[3] as Entry);
		expect(await standing()).toEqual([
			'1 ACCEPTED',
			'2 ACCEPTED',
			'3 WAITLISTED 1',
			'4 WITHDRAWN',
			'5 WAITLISTED 2',
		]);
		// The position is part of what a client sees, so its entity tag must be a new one.
		const moved = await call<Entry>('GET', `${path}/${(entries[4] as Entry).id}`, {
			token: desk.organiser,
			headers: { 'If-None-Match': '"1"' },
		});
		expect([moved.status, moved.data.position]).toEqual([200, 2]);
		expect(moved.data.updatedAt).toBe(events.clock.now().toISOString());
		expect(await enter(competitionId)).toMatchObject({ entryNumber: 6, position: 3 });
	});

	test('promotes on a rejection too, which says why and costs nothing', async () => {
		const first = await enter(competitionId);
		await enter(competitionId);
		await enter(competitionId);
		const { data } = await end(first, 'reject');
		expect(data).toMatchObject({ status: 'REJECTED', statusReason: 'Nicht zugelassen', amountDue: 0 });
		expect(await standing()).toEqual(['1 REJECTED', '2 ACCEPTED', '3 ACCEPTED']);
	});

	test('promotes when the organiser adds places', async () => {
		for (let number = 1; number <= 5; number++) await enter(competitionId);
		await inTransaction(events.db, async (transaction) => {
			await transaction.updateTable('events').set({ maxEntries: 4 }).where('id', '=', eventId).execute();
			const event = await transaction
				.selectFrom('events')
				.selectAll()
				.where('id', '=', eventId)
				.executeTakeFirstOrThrow();
			expect(await promoteWaiting(transaction, event, promotionAt(events.clock.now()))).toHaveLength(2);
		});
		expect(await standing()).toEqual([
			'1 ACCEPTED',
			'2 ACCEPTED',
			'3 ACCEPTED',
			'4 ACCEPTED',
			'5 WAITLISTED 1',
		]);
	});

	test('that is cancelled cancels every open entry', async () => {
		const entries = [
			await enter(competitionId),
			await enter(competitionId),
			await enter(competitionId),
			await enter(competitionId),
		];
		await end(entries[0] as Entry, 'reject');
		const cancelled = await inTransaction(events.db, (transaction) =>
			cancelEntriesOfEvent(transaction, eventId, { by: null, now: events.clock.now() }),
		);
		expect(cancelled).toHaveLength(3);
		expect(await standing()).toEqual(['1 REJECTED', '2 CANCELLED', '3 CANCELLED', '4 CANCELLED']);
		const promoted = await call<Entry>('GET', `${path}/${(entries[3] as Entry).id}`, {
			token: desk.organiser,
		});
		expect(promoted.data).toMatchObject({ amountDue: 0, position: null, starts: [{ status: 'CANCELLED' }] });
	});
});

describe('a full competition', () => {
	let small: string;
	let large: string;
	beforeEach(async () => {
		await useEvent(null);
		small = await stage.competition(eventId, { maxStarters: 1 });
		large = await stage.competition(eventId);
	});

	test('makes an entry wait as a whole, while others may be promoted before it', async () => {
		await enter(small);
		const waiting = await enter(small, large);
		expect(waiting).toMatchObject({ status: 'WAITLISTED', position: 1 });
		expect(waiting.starts.map(({ status }) => status)).toEqual(['WAITLISTED', 'WAITLISTED']);
		expect(await enter(large)).toMatchObject({ status: 'ACCEPTED', position: null });
	});

	test('skips entries that wait for another competition', async () => {
		const other = await stage.competition(eventId, { maxStarters: 1 });
		await enter(small);
		const inOther = await enter(other);
		await enter(small, large);
		await enter(other);
		await end(inOther);
		expect(await standing()).toEqual(['1 ACCEPTED', '2 WITHDRAWN', '3 WAITLISTED 1', '4 ACCEPTED']);
	});

	test('that is called off ends its starts, with their fees, and entries without another start', async () => {
		const only = await enter(small);
		const both = await enter(small, large);
		const waiting = await enter(small);
		await inTransaction(events.db, async (transaction) => {
			const event = await lockEvent(transaction, eventId, { isSignedIn: false, clubs: [] });
			await cancelStartsOfCompetition(
				transaction,
				{ id: small, number: 1 },
				{ by: null, now: events.clock.now() },
			);
			await promoteWaiting(transaction, event, promotionAt(events.clock.now()));
		});
		const read = async ({ id }: Entry) =>
			(await call<Entry>('GET', `${path}/${id}`, { token: desk.organiser })).data;
		const ended = { status: 'CANCELLED', position: null, starts: [{ status: 'CANCELLED' }] };
		expect(await read(only)).toMatchObject({ ...ended, amountDue: 2_500 });
		expect(await read(waiting)).toMatchObject({ ...ended, amountDue: 0 });
		expect(await read(both)).toMatchObject({
			status: 'ACCEPTED',
			position: null,
			amountDue: 4_300,
			starts: [
				{ competitionId: small, status: 'CANCELLED' },
				{ competitionId: large, status: 'ACCEPTED' },
			],
		});
	});

	test('assigns no place after the day', async () => {
		const first = await enter(small);
		await enter(small);
		const event = await events.db
			.selectFrom('events')
			.selectAll()
			.where('id', '=', eventId)
			.executeTakeFirstOrThrow();
		const at = (instant: string) =>
			inTransaction(events.db, async (transaction) => {
				await transaction
					.updateTable('starts')
					.set({ status: 'WITHDRAWN' })
					.where('entryId', '=', first.id)
					.execute();
				return promoteWaiting(transaction, event, promotionAt(new Date(instant)));
			});
		// The competition is on 24 October in Vienna, where that day ends at 22:00 UTC.
		expect(await at('2026-10-24T22:00:00Z')).toEqual([]);
		expect(await at('2026-10-24T21:59:59Z')).toHaveLength(1);
	});
});

describe('an entry that has ended', () => {
	test('can be withdrawn again without an effect, and allows no other step', async () => {
		await useEvent(1);
		const competitionId = await stage.competition(eventId);
		const withdrawn = await enter(competitionId);
		const first = await end(withdrawn);
		const again = await end(withdrawn);
		expect([again.status, again.data]).toEqual([200, first.data]);
		const rejected = await call('POST', `${path}/${withdrawn.id}/reject`, {
			token: desk.organiser,
			body: { reason: 'Zu spät' },
		});
		expect([rejected.status, rejected.data]).toMatchObject([
			409,
			{ code: 'ILLEGAL_STATE_TRANSITION', from: 'WITHDRAWN', to: 'REJECTED', allowed: [] },
		]);
		const other = await enter(competitionId);
		await end(other, 'reject');
		const late = await call('POST', `${path}/${other.id}/withdraw`, { token: desk.organiser });
		expect([late.status, late.data]).toMatchObject([409, { from: 'REJECTED', to: 'WITHDRAWN' }]);
		const silent = await call('POST', `${path}/${other.id}/reject`, { token: desk.organiser, body: {} });
		expect([silent.status, silent.data.errors]).toMatchObject([
			400,
			[{ field: 'statusReason', code: 'REQUIRED' }],
		]);
		expect((await call('POST', `${path}/${randomUUID()}/withdraw`, { token: desk.organiser })).status).toBe(
			404,
		);
	});
});
