import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { HorseRecord, MemberRecord } from '../src/peers/records.ts';
import { useEvents } from './use-events.ts';

const { events, stage } = useEvents();

let eventId: string;
let path: string;
let seller: MemberRecord;
let buyer: MemberRecord;
let horse: HorseRecord;

beforeEach(async () => {
	eventId = await stage.event();
	path = `/api/events/${eventId}/entries`;
	[seller, buyer] = [stage.member(), stage.member()];
	horse = stage.horse({ ownerMemberIds: [seller.id] });
});

const tokenOf = ({ id }: MemberRecord) => events.sign({ memberId: id });

async function entered(date = '2026-10-24'): Promise<Entry> {
	const { status, data } = await events.call<Entry>('POST', path, {
		token: events.officer,
		body: {
			riderMemberId: stage.member().id,
			horseId: horse.id,
			starts: [{ competitionId: await stage.competition(eventId, { date }) }],
		},
	});
	expect(status).toBe(201);
	return data;
}

function sell(): void {
	stage.horse({ ...horse, ownerMemberIds: [buyer.id], responsibleMemberId: buyer.id });
}

/** Another entry of the same horse at another event, made after the sale. */
async function enteredLater(): Promise<Entry> {
	eventId = await stage.event();
	path = `/api/events/${eventId}/entries`;
	return entered('2026-10-25');
}

const read = ({ id, eventId: of }: Entry, token: string) =>
	events.call('GET', `/api/events/${of}/entries/${id}`, { token });
const withdraw = ({ id, eventId: of }: Entry, token: string) =>
	events.call('POST', `/api/events/${of}/entries/${id}/withdraw`, { token });

async function listed({ eventId: of }: Entry, token: string): Promise<string[]> {
	const { data } = await events.call<Page<Entry>>('GET', `/api/events/${of}/entries`, { token });
	return data.items.map(({ id }) => id);
}

// The keepers were those of the day of entry: a buyer saw nothing, and the seller could withdraw the buyer's entry.
test('the buyer sees all entries of the horse, the seller those made in the seller’s time', async () => {
	const before = await entered();
	expect((await read(before, tokenOf(buyer))).status).toBe(404);
	sell();
	const after = await enteredLater();
	for (const entry of [before, after]) {
		expect((await read(entry, tokenOf(buyer))).status).toBe(200);
		expect(await listed(entry, tokenOf(buyer))).toEqual([entry.id]);
	}
	expect((await read(before, tokenOf(seller))).status).toBe(200);
	expect(await listed(before, tokenOf(seller))).toEqual([before.id]);
	expect((await read(after, tokenOf(seller))).status).toBe(404);
	expect(await listed(after, tokenOf(seller))).toEqual([]);
	const others = events.sign({ memberId: randomUUID() });
	expect([(await read(before, others)).status, await listed(before, others)]).toEqual([404, []]);
});

test('the buyer lists them over all events by the horse, the seller no more', async () => {
	const before = await entered();
	const list = (token: string) =>
		events.call<Page<Entry>>('GET', `/api/events/entries?horseId=${horse.id}`, { token });
	expect((await list(tokenOf(seller))).data.items.map(({ id }) => id)).toEqual([before.id]);
	sell();
	expect((await list(tokenOf(buyer))).data.items.map(({ id }) => id)).toEqual([before.id]);
	expect((await list(tokenOf(seller))).status).toBe(403);
});

test('after the sale the buyer withdraws an entry, the seller does not', async () => {
	const [one, other] = [await entered(), await enteredLater()];
	expect((await withdraw(one, tokenOf(seller))).status).toBe(200);
	sell();
	const refused = await withdraw(other, tokenOf(seller));
	expect([refused.status, refused.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	expect((await withdraw(other, tokenOf(buyer))).status).toBe(200);
});

test('while the horse registry does not respond, riders and sellers can still read; no withdrawal by right of the horse succeeds', async () => {
	const entry = await entered();
	const rider = events.sign({ memberId: entry.riderMemberId });
	await events.peers.kill('horses-service');
	const [bySeller, byRider, byBuyer] = [
		await read(entry, tokenOf(seller)),
		await listed(entry, rider),
		await read(entry, tokenOf(buyer)),
	];
	const withdrawn = await withdraw(entry, tokenOf(seller));
	const byTheRider = await withdraw(entry, rider);
	await events.peers.recover('horses-service');
	expect([bySeller.status, byRider, byBuyer.status]).toEqual([200, [entry.id], 404]);
	expect([withdrawn.status, withdrawn.data.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
	expect(byTheRider.status).toBe(200);
});
