import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Principal } from '@paddock/identity';
import { withDeadline } from '@paddock/resilience';
import { openTracing, silentLogger, withSpan } from '@paddock/telemetry';
import { eventually, startOtlpReceiver, waitingForLocks } from '@paddock/testing';
import { sql } from 'kysely';
import { type PreparedEntry, storeEntries } from '../src/entries/store-entries.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { HorseRecord, MemberRecord } from '../src/peers/records.ts';
import { useEntryDesk } from './use-events.ts';

const { events, stage, desk } = useEntryDesk();

interface Sent {
	readonly rider?: MemberRecord;
	readonly horse?: HorseRecord;
	readonly key?: string;
	readonly digest?: string;
	readonly signal?: AbortSignal;
}

const never = new AbortController().signal;

/** What was read for the request of a rider with the own horse; by default a new pair. */
function prepare(competitionId: string, sent: Sent = {}): PreparedEntry {
	const rider = sent.rider ?? stage.member();
	const horse = sent.horse ?? stage.horse({ ownerMemberIds: [rider.id] });
	const lists = { roles: ['MEMBER'], roleScopes: {}, scopes: [], guardianOf: [], contactFor: [] };
	const principal = { ...lists, userId: randomUUID(), memberId: rider.id } as unknown as Principal;
	const { key = randomUUID(), digest = randomUUID(), signal = never } = sent;
	const now = events.clock.now();
	const body = { riderMemberId: rider.id, horseId: horse.id, starts: [{ competitionId }] };
	return {
		request: { body, now, signal, log: { warn: () => {} } } as unknown as PreparedEntry['request'],
		keyed: { key, digest, userId: principal.userId, now },
		participants: {
			rider,
			horse,
			ageClasses: [],
			ruleset: 'OETO',
			callerName: 'Eva Zügelbauer',
			acting: principal,
		},
		blocked: new Set(),
		author: { userId: principal.userId, memberId: rider.id, requestId: randomUUID() },
		inContext: AsyncLocalStorage.snapshot(),
	};
}

interface Mail {
	readonly name: string;
	readonly recipients: unknown;
}

function store(eventId: string, prepared: readonly PreparedEntry[], mails: Mail[] = []) {
	const enqueueAll = async (_db: unknown, _queue: unknown, all: readonly { data: object }[]) =>
		void mails.push(...all.map(({ data }) => data as Mail));
	return storeEntries(
		prepared,
		{ id: eventId, scope: { isSignedIn: true, clubs: [] } },
		{ db: events.db, jobs: { enqueueAll } as never, freeWithdrawalMs: 0, countOverrides: () => {} },
	);
}

type Outcome = Awaited<ReturnType<typeof store>>[number];

const summary = (outcome: Outcome | undefined) =>
	outcome?.status === 'fulfilled'
		? [outcome.value.entryNumber, outcome.value.status, outcome.value.position]
		: (outcome?.reason?.code ?? outcome?.reason);

/** Of each entry: number, author of its history, and transaction. */
async function storedOf(eventId: string) {
	const { rows } = await sql<{ entryNumber: number; author: string; transaction: string }>`
		select entry_number, changes.author ->> 'userId' as author, entries.xmin::text as transaction
		from entries join changes on record_type = 'ENTRY' and record_id = entries.id::text
		where event_id = ${eventId} order by entry_number`.execute(events.db);
	return rows;
}

const keysOf = async (prepared: readonly PreparedEntry[]) => {
	const rows = await events.db
		.selectFrom('idempotencyKeys')
		.select('key')
		.where(
			'key',
			'in',
			prepared.map(({ keyed }) => keyed?.key ?? ''),
		)
		.execute();
	return prepared.map((one) => rows.some(({ key }) => key === one.keyed?.key));
};

test('entries that wait together get places in their order, with an author, mails and a response each; a refused one changes nothing', async () => {
	const eventId = await stage.event({ maxEntries: 3 });
	const competitionId = await stage.competition(eventId, { maxStarters: 10 });
	const [rider, keeper] = [stage.member(), stage.member()];
	const horse = stage.horse({ ownerMemberIds: [rider.id] });
	const shared = prepare(competitionId, { horse: stage.horse({ ownerMemberIds: [keeper.id] }) });
	const prepared = [
		prepare(competitionId, { rider, horse }),
		prepare(competitionId, { horse: stage.horse({ birthYear: 2025 }) }),
		shared,
		// The horse has an entry since the first one.
		prepare(competitionId, { rider, horse }),
		prepare(competitionId),
		prepare(competitionId),
	];
	const mails: Mail[] = [];
	const outcomes = await store(eventId, prepared, mails);
	expect(outcomes.map(summary)).toEqual([
		[1, 'ACCEPTED', null],
		'ENTRY_NOT_ALLOWED',
		[2, 'PENDING_CONFIRMATION', null],
		'ENTRY_NOT_ALLOWED',
		[3, 'ACCEPTED', null],
		[4, 'ACCEPTED', null],
	]);
	const stored = await storedOf(eventId);
	const authors = [prepared[0], shared, prepared[4], prepared[5]].map((one) => one?.author?.userId);
	expect(stored.map(({ author }) => author)).toEqual(authors);
	expect(new Set(stored.map(({ transaction }) => transaction)).size).toBe(1);
	expect(mails).toMatchObject([{ name: 'entry-confirmation-wanted', recipients: [{ memberId: keeper.id }] }]);
	expect(await keysOf(prepared)).toEqual([true, false, true, false, true, true]);
	const next = await store(eventId, [prepare(competitionId), prepare(competitionId)]);
	expect(next.map(summary)).toEqual([
		[5, 'WAITLISTED', 1],
		[6, 'WAITLISTED', 2],
	]);
});

test('the same request twice among them has one effect and one response; its key with another input is refused', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const first = prepare(competitionId);
	const other = prepare(competitionId);
	const reused = { ...other, keyed: first.keyed && { ...first.keyed, digest: 'another' } };
	const outcomes = await store(eventId, [first, first, reused]);
	expect(outcomes[1]).toEqual(outcomes[0]);
	expect(outcomes.map(summary)).toEqual([
		[1, 'ACCEPTED', null],
		[1, 'ACCEPTED', null],
		'IDEMPOTENCY_KEY_REUSED',
	]);
	// Repeated after the first has been stored, before the response was found.
	const later = await store(eventId, [first, other]);
	expect(later.map(summary)).toEqual([
		[1, 'ACCEPTED', null],
		[2, 'ACCEPTED', null],
	]);
	expect(JSON.stringify(later[0])).toBe(JSON.stringify(outcomes[0]));
	expect(await desk.standing(eventId)).toEqual(['1 ACCEPTED', '2 ACCEPTED']);
});

test('one that the database refuses, or whose key another request has taken, fails alone', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const taken = prepare(competitionId);
	const { key = '', userId = '', now = new Date() } = taken.keyed ?? {};
	await events.db
		.insertInto('idempotencyKeys')
		.values({ key, userId, inputDigest: 'another', data: '{}' as never, createdAt: now })
		.execute();
	const broken = prepare(competitionId, { horse: stage.horse({ name: 'ohne\u0000Namen' }) });
	const rider = stage.member();
	const ownBroken = prepare(competitionId, {
		rider,
		horse: stage.horse({ name: 'ohne\u0000Namen', ownerMemberIds: [rider.id] }),
	});
	expect(summary((await store(eventId, [broken]))[0])).toBe('22021');
	const outcomes = await store(eventId, [prepare(competitionId), taken, ownBroken, prepare(competitionId)]);
	expect(outcomes.map(summary)).toEqual([
		[1, 'ACCEPTED', null],
		'IDEMPOTENCY_KEY_REUSED',
		'22021',
		[2, 'ACCEPTED', null],
	]);
	expect(await desk.standing(eventId)).toEqual(['1 ACCEPTED', '2 ACCEPTED']);
	const stored = await storedOf(eventId);
	expect(new Set(stored.map(({ transaction }) => transaction)).size).toBe(2);
});

/** Locks the event until `entries` wait for it, and meanwhile acts on the connection that waits. */
async function whileWaiting(
	eventId: string,
	entries: readonly PreparedEntry[],
	act: (pid: number) => Promise<unknown>,
): Promise<readonly Outcome[]> {
	const storing = await events.db.transaction().execute(async (holder) => {
		await holder.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().execute();
		const promise = store(eventId, entries);
		await eventually('they wait for the event', async () => (await waitingForLocks(events.db)) === 1);
		const { rows } = await sql<{ pid: number }>`
			select pid from pg_stat_activity
			where datname = current_database() and wait_event_type = 'Lock'`.execute(events.db);
		await act(rows[0]?.pid ?? 0);
		return [promise];
	});
	return await (storing[0] ?? []);
}

test('a connection that breaks in the middle loses none: each is stored by another one', async () => {
	const eventId = await stage.event({ maxEntries: 2 });
	const competitionId = await stage.competition(eventId);
	const prepared = [prepare(competitionId), prepare(competitionId), prepare(competitionId)];
	const outcomes = await whileWaiting(eventId, prepared, (pid) =>
		sql`select pg_terminate_backend(${pid})`.execute(events.db),
	);
	expect(outcomes.map(summary)).toEqual([
		[1, 'ACCEPTED', null],
		[2, 'ACCEPTED', null],
		[3, 'WAITLISTED', 1],
	]);
	expect(await keysOf(prepared)).toEqual([true, true, true]);
	expect(await desk.standing(eventId)).toEqual(['1 ACCEPTED', '2 ACCEPTED', '3 WAITLISTED 1']);
});

test('a client that has gone before its turn gets no entry, and the others theirs', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const leaving = new AbortController();
	const gone = prepare(competitionId, { signal: leaving.signal });
	const outcomes = await whileWaiting(
		eventId,
		[prepare(competitionId), gone, prepare(competitionId)],
		async () => leaving.abort('gone'),
	);
	expect(outcomes.map(summary)).toEqual([[1, 'ACCEPTED', null], 'gone', [2, 'ACCEPTED', null]]);
	expect(await desk.standing(eventId)).toEqual(['1 ACCEPTED', '2 ACCEPTED']);
});

test('a key that another request holds is waited for before the event is locked', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const twin = prepare(competitionId);
	const { key = '', userId = '', now = new Date() } = twin.keyed ?? {};
	const storing = await events.db.transaction().execute(async (holder) => {
		const row = { key, userId, inputDigest: 'another', data: '{}' as never, createdAt: now };
		await holder.insertInto('idempotencyKeys').values(row).execute();
		const promise = store(eventId, [prepare(competitionId), twin, prepare(competitionId)]);
		await eventually('they wait for the key', async () => (await waitingForLocks(events.db)) === 1);
		// The holder may need the event, as a swap does: no deadlock.
		await holder.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().noWait().execute();
		return [promise];
	});
	expect((await storing[0])?.map(summary)).toEqual([
		[1, 'ACCEPTED', null],
		'IDEMPOTENCY_KEY_REUSED',
		[2, 'ACCEPTED', null],
	]);
});

test('a database that does not respond is reported to all by the latest of their deadlines, and none is repeated', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const within = (ms: number) => withDeadline(ms, () => prepare(competitionId));
	const entries = [within(50), within(1_500)];
	await events.db.transaction().execute(async (holder) => {
		await holder.selectFrom('events').select('id').where('id', '=', eventId).forUpdate().execute();
		await expect(store(eventId, entries)).rejects.toThrow('did not respond within');
	});
	expect(await desk.standing(eventId)).toEqual([]);
	expect(await keysOf(entries)).toEqual([false, false]);
});

// The statements of a shared transaction were in no trace.
test('the trace of each has a span of the shared transaction, and that of the first its statements', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const collector = await startOtlpReceiver();
	try {
		const tracing = await openTracing(
			{
				resource: { 'service.name': 'events-service' },
				sampler: 'always_on',
				samplerRatio: 0,
				delayMs: 60_000,
				queueMax: 1_000,
				exporter: {
					url: `${collector.url}/v1/traces`,
					headers: {},
					protocol: 'http/json',
					timeoutMs: 10_000,
				},
			},
			silentLogger(),
		);
		const traces = [tracing.begin(undefined), tracing.begin(undefined)];
		const recorded = traces.map(({ span }) => withSpan(span, () => prepare(competitionId)));
		const outcomes = await store(eventId, [prepare(competitionId), ...recorded]);
		expect(outcomes.map(summary)).toEqual([1, 2, 3].map((entry) => [entry, 'ACCEPTED', null]));
		await tracing.close(10_000);
		const [first = [], second = []] = traces.map(({ traceId }) => collector.trace(traceId));
		const shared = first.find(({ name }) => name === 'store entries together');
		expect(shared).toMatchObject({
			parentSpanId: traces[0]?.spanId,
			attributes: { 'db.operation.batch.size': 3 },
		});
		const statements = first.filter(({ parentSpanId }) => parentSpanId === shared?.spanId);
		expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['SELECT events', 'COMMIT']));
		expect(second).toMatchObject([
			{
				name: 'store entries together',
				parentSpanId: traces[1]?.spanId,
				attributes: { 'db.operation.batch.size': 3, 'paddock.shared.trace_id': traces[0]?.traceId },
			},
		]);
	} finally {
		await collector.close();
	}
});

test('an event that is gone is not found by any of them, and no key is kept', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	const entries = [prepare(competitionId), prepare(competitionId)];
	const outcomes = await store(randomUUID(), entries);
	expect(outcomes.map(summary)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
	expect(await keysOf(entries)).toEqual([false, false]);
});

test('a failed commit is reported to all, as their entries may be stored', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId);
	await sql`
		create function refused() returns trigger language plpgsql as $$ begin raise 'refused at commit'; end $$`.execute(
		events.db,
	);
	await sql`
		create constraint trigger refused after insert on entries deferrable initially deferred
		for each row execute function refused()`.execute(events.db);
	try {
		const storing = store(eventId, [prepare(competitionId), prepare(competitionId)]);
		await expect(storing).rejects.toThrow('refused at commit');
	} finally {
		await sql`drop function refused cascade`.execute(events.db);
	}
	expect(await desk.standing(eventId)).toEqual([]);
});

test('through the API: many at once share transactions, and each has its own author, key and response', async () => {
	const eventId = await stage.event({ maxEntries: 30 });
	const competitionId = await stage.competition(eventId);
	const path = `/api/events/${eventId}/entries`;
	const callers = Array.from({ length: 40 }, () => {
		const riderMemberId = stage.member().id;
		const horseId = stage.horse({ ownerMemberIds: [riderMemberId] }).id;
		const userId = randomUUID();
		const token = events.sign({ userId, memberId: riderMemberId });
		const headers = { 'Idempotency-Key': randomUUID() };
		const body = { riderMemberId, horseId, starts: [{ competitionId }] };
		return { userId, send: () => events.call<Entry>('POST', path, { token, body, headers }) };
	});
	const responses = await Promise.all(callers.map(({ send }) => send()));
	expect(responses.map(({ status }) => status)).toEqual(callers.map(() => 201));
	const repeated = await Promise.all(callers.map(({ send }) => send()));
	expect(repeated.map(({ data }) => data)).toEqual(responses.map(({ data }) => data));
	const byNumber = new Map(responses.map(({ data }, index) => [data.entryNumber, callers[index]?.userId]));
	const stored = await storedOf(eventId);
	expect(stored.map(({ entryNumber, author }) => [entryNumber, author])).toEqual(
		Array.from({ length: 40 }, (_, index) => [index + 1, byNumber.get(index + 1)]),
	);
	expect((await desk.standing(eventId)).filter((line) => line.includes('ACCEPTED'))).toHaveLength(30);
});
