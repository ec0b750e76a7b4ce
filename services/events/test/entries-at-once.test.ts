import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { patient } from '@paddock/testing';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEntryDesk } from './use-events.ts';

// Tests the limit and the order; on a busy machine two hundred requests may take long.
const { events, desk, stage } = useEntryDesk({ PEER_TIMEOUT_MS: 10_000 });

let repeated = 0;
/** A caller that repeats what a busy machine has not done in the time of a statement (503). */
const call: typeof events.call = async (...sent) => {
	for (;;) {
		const response = await events.call(...(sent as Parameters<typeof events.call>));
		if (response.status !== 503 || patient(1) < 3) return response as never;
		repeated += 1;
	}
};

test('200 at once get 40 places and 160 positions; 20 withdrawals at once promote 20 in order', async () => {
	const eventId = await stage.event({ maxEntries: 40 });
	const competitionId = await stage.competition(eventId);
	const entries = await Promise.all(
		Array.from({ length: 200 }, () => desk.enter(eventId, [competitionId], call)),
	);
	const accepted = entries.filter(({ status }) => status === 'ACCEPTED');
	const waiting = entries.filter(({ status }) => status === 'WAITLISTED');
	expect([accepted.length, waiting.length]).toEqual([40, 160]);
	const inOrder = [...waiting].sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
	expect(inOrder.map(({ position }) => position)).toEqual(
		Array.from({ length: 160 }, (_, index) => index + 1),
	);
	expect(new Set(entries.map(({ entryNumber }) => entryNumber)).size).toBe(200);
	expect(Math.max(...entries.map(({ entryNumber }) => entryNumber))).toBe(200);

	const responses = await Promise.all(
		accepted.slice(0, 20).map((entry) => desk.end(entry, 'withdraw', call)),
	);
	expect(responses.every(({ status }) => status === 200)).toBe(true);
	const now = new Map(
		(
			await events.db
				.selectFrom('entries')
				.select(['id', 'status', 'position'])
				.where('eventId', '=', eventId)
				.execute()
		).map((row) => [row.id, row]),
	);
	const isNow = ({ id }: Entry) => [now.get(id)?.status, now.get(id)?.position];
	expect(inOrder.slice(0, 20).map(isNow)).toEqual(Array.from({ length: 20 }, () => ['ACCEPTED', null]));
	expect(inOrder.slice(20).map(isNow)).toEqual(
		Array.from({ length: 140 }, (_, index) => ['WAITLISTED', index + 1]),
	);
}, 60_000);

test('50 clients that enter one horse after the other fill 100 places exactly and read their entries as they got them', async () => {
	const eventId = await stage.event({ maxEntries: 100, maxBoxes: 30 });
	const competitionIds = [await stage.competition(eventId), await stage.competition(eventId)];
	const calls = () =>
		[...events.peers.requestsOf('members-service'), ...events.peers.requestsOf('horses-service')].length;
	const callsBefore = calls();
	repeated = 0;
	const client = async (): Promise<void> => {
		for (let horse = 0; horse < 3; horse += 1) {
			const entry = await desk.enter(eventId, competitionIds.slice(horse === 0 ? 0 : 1), call);
			const read = await call<Entry>('GET', `/api/events/${eventId}/entries/${entry.id}`, {
				token: desk.organiser,
			});
			// Only its place may have changed: none is given back here.
			expect(read.data).toEqual(entry);
		}
	};
	await Promise.all(Array.from({ length: 50 }, client));
	const accepted = Array.from({ length: 100 }, (_, index) => `${index + 1} ACCEPTED`);
	const waiting = Array.from({ length: 50 }, (_, index) => `${index + 101} WAITLISTED ${index + 1}`);
	expect(await desk.standing(eventId)).toEqual([...accepted, ...waiting]);
	// Without sharing: three for an entry, for the caller’s rights, the rider and the horse.
	expect(calls() - callsBefore).toBeLessThan(250 + 3 * repeated);
}, 60_000);

test('two instances of the service enforce one limit', async () => {
	const eventId = await stage.event({ maxEntries: 10 });
	const competitionId = await stage.competition(eventId);
	const another = await events.another();
	const callOf = (index: number) => (index % 2 === 0 ? events.call : another.call);
	const enterMany = (count: number) =>
		Array.from({ length: count }, (_, index) => desk.enter(eventId, [competitionId], callOf(index)));
	const first = await Promise.all(enterMany(16));
	const accepted = first.filter(({ status }) => status === 'ACCEPTED');
	expect(accepted).toHaveLength(10);
	await Promise.all([
		...enterMany(12),
		...accepted.slice(0, 8).map((entry, index) => desk.end(entry, 'withdraw', callOf(index))),
	]);
	const statuses = await desk.standing(eventId);
	expect(statuses.filter((line) => line.includes('ACCEPTED'))).toHaveLength(10);
	const positions = statuses.flatMap((line) =>
		line.includes('WAITLISTED') ? [Number(line.split(' ')[2])] : [],
	);
	expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
});

test('the same request with the same Idempotency-Key has one effect and the same response', async () => {
	const eventId = await stage.event();
	const path = `/api/events/${eventId}/entries`;
	const starts = [{ competitionId: await stage.competition(eventId) }];
	const riderMemberId = stage.member().id;
	const body = { riderMemberId, horseId: stage.horse({ ownerMemberIds: [riderMemberId] }).id, starts };
	const token = events.sign({ userId: randomUUID(), memberId: riderMemberId });
	const headers = { 'Idempotency-Key': randomUUID() };
	const send = (sent: object) => events.call<Entry>('POST', path, { token, body: sent, headers });
	const responses = await Promise.all([send(body), send(body), send(body)]);
	expect(responses.map(({ status }) => status)).toEqual([201, 201, 201]);
	expect(new Set(responses.map(({ data }) => data.id)).size).toBe(1);
	expect((await send(body)).data).toEqual(responses[0]?.data);
	expect(await desk.standing(eventId)).toEqual(['1 ACCEPTED']);
	const other = await send({ ...body, horseId: stage.horse().id });
	expect([other.status, other.data]).toMatchObject([409, { code: 'IDEMPOTENCY_KEY_REUSED' }]);
});

test('rider and horse are requested at the same time', async () => {
	const eventId = await stage.event();
	const arrived = new Set<string>();
	const both = Promise.withResolvers<void>();
	const arrive = (service: string) => () => {
		arrived.add(service);
		if (arrived.size === 2) both.resolve();
		return both.promise;
	};
	// Each responds only once the other has been called.
	events.peers.delay('members-service', arrive('members'));
	events.peers.delay('horses-service', arrive('horses'));
	await desk.enter(eventId, [await stage.competition(eventId)]);
	await events.peers.recover('members-service');
	await events.peers.recover('horses-service');
});

test('a slow lookup for one entry delays no other entry for the event', async () => {
	const eventId = await stage.event({ maxEntries: 2 });
	const competitionId = await stage.competition(eventId);
	const requested = Promise.withResolvers<void>();
	const responded = Promise.withResolvers<void>();
	const slow = stage.horse();
	events.peers.delay('horses-service', () => {
		if (!events.peers.requestsOf('horses-service').at(-1)?.includes(slow.id)) return Promise.resolve();
		requested.resolve();
		return responded.promise;
	});
	const waiting = events.call<Entry>('POST', `/api/events/${eventId}/entries`, {
		token: desk.organiser,
		body: { riderMemberId: stage.member().id, horseId: slow.id, starts: [{ competitionId }] },
	});
	await requested.promise;
	expect((await desk.enter(eventId, [competitionId])).entryNumber).toBe(1);
	responded.resolve();
	expect((await waiting).data.entryNumber).toBe(2);
	await events.peers.recover('horses-service');
});
