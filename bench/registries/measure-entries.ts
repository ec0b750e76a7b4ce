import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { dayAfter, dayInVienna } from '@paddock/calendar';
import { withClient } from '@paddock/database';
import { inventedId } from './random-choice.ts';
import { quantile, type Sent, send, type WritesSetup } from './send-write.ts';

/** Entries of one event by many clients at once. */
export interface EntryRate {
	readonly clients: number;
	readonly places: number;
	readonly entriesPerSecond: number;
	readonly p95Ms: number;
	/** Accepted and waiting entries, as stored. */
	readonly accepted: number;
	readonly waiting: number;
	/** Requests that were sent again with their key after a response of overload or time-out, by its status. */
	readonly repeated: Readonly<Record<string, number>>;
}

const clients = 50;
const places = 500;
const beyondPlaces = 50;

/** Enters more horses for one event than it has places, with many clients at once. */
export async function measureEntries(setup: WritesSetup): Promise<EntryRate> {
	const event = await openEvent(setup, places);
	const horses = await enterableHorses(setup, places + beyondPlaces);
	const waitingToEnter = horses.map((horse) => ({ horse, token: setup.tokenOf(horse.memberId) }));
	const sent: ServedEntry[] = [];
	const startedMs = performance.now();
	const client = async (): Promise<void> => {
		for (let next = waitingToEnter.pop(); next !== undefined; next = waitingToEnter.pop())
			sent.push(await enterServed(setup, event, next));
	};
	await Promise.all(Array.from({ length: clients }, client));
	const tookMs = performance.now() - startedMs;
	const done = sent.filter(({ status }) => status === 201);
	if (done.length === 0) throw new Error(`No entry was accepted: ${JSON.stringify(sent[0])}`);
	const stored = await withClient(setup.urls.events, async (database) => {
		const { rows } = await database.query<{ status: string; count: string }>(
			'select status, count(*) from entries where event_id = $1 group by 1',
			[event.id],
		);
		return new Map(rows.map(({ status, count }) => [status, Number(count)]));
	});
	return {
		clients,
		places,
		entriesPerSecond: (done.length / tookMs) * 1_000,
		p95Ms: quantile(
			done.map((each) => each.tookMs).sort((a, b) => a - b),
			0.95,
		),
		accepted: stored.get('ACCEPTED') ?? 0,
		waiting: stored.get('WAITLISTED') ?? 0,
		repeated: Object.fromEntries(
			[
				...Map.groupBy(
					sent.flatMap(({ repeatedAfter }) => repeatedAfter),
					String,
				),
			].map(([status, all]) => [status, all.length]),
		),
	};
}

type ServedEntry = Sent & { readonly repeatedAfter: readonly number[] };

const attemptsMax = 5;
/** Responses that a client with a key may repeat, and the `Retry-After` of the first one. */
const unserved: ReadonlySet<number> = new Set([503, 504]);
const retryAfterMs = 2_000;

/** Sends the request again with its key, as a client does, until it is served. The time of all attempts is its time. */
async function enterServed(
	setup: WritesSetup,
	event: OpenEvent,
	{ horse, token }: { readonly horse: EnterableHorse; readonly token: string },
): Promise<ServedEntry> {
	const key = randomUUID();
	const repeatedAfter: number[] = [];
	const startedMs = performance.now();
	for (;;) {
		const sent = await enter(setup, event, horse, { token, key });
		const tookMs = performance.now() - startedMs;
		if (!unserved.has(sent.status) || repeatedAfter.length === attemptsMax - 1)
			return { ...sent, tookMs, repeatedAfter };
		repeatedAfter.push(sent.status);
		await delay(retryAfterMs);
	}
}

interface OpenEvent {
	readonly id: string;
	readonly competitionId: string;
}

/** A published event with places, to which entries are open. */
export async function openEvent(setup: WritesSetup, maxEntries: number): Promise<OpenEvent> {
	const { size, tokenOf } = setup;
	const token = tokenOf();
	// A horse starts at one event a day; another run enters the same horses. Next year: later ones need a fee that is not paid yet.
	const startDate = dayAfter(dayInVienna(new Date()), 100 + Math.floor(Math.random() * 300));
	const deadline = new Date(Date.now() + 90 * 86_400_000).toISOString();
	const body = {
		name: 'Messturnier',
		startDate,
		endDate: startDate,
		venueId: inventedId('venue', 1 % size.venues),
		organiserClubId: inventedId('club', 0),
		ruleset: 'OETO',
		category: 'CSN-C',
		disciplines: ['JUMPING'],
		entryDeadline: deadline,
		maxEntries,
		fees: { entryFee: 2_500, lateSurcharge: 0, stable: 0, currency: 'EUR' },
		officials: [{ role: 'JUDGE', name: 'Renate Richterin', memberId: null }],
	};
	const event = await sendOk(setup, '/api/events', { token, body });
	const competition = {
		number: 1,
		name: 'Standardspringprüfung',
		discipline: 'JUMPING',
		level: 'A',
		date: startDate,
		horseMinAge: 4,
		startFee: 1_500,
	};
	const { id: competitionId } = await sendOk(setup, `/api/events/${event.id}/competitions`, {
		token,
		body: competition,
	});
	await sendOk(setup, `/api/events/${event.id}/publish`, { token });
	return { id: event.id, competitionId };
}

async function sendOk(setup: WritesSetup, path: string, sent: { token: string; body?: unknown }) {
	const { status, data } = await send(setup, 'events', 'POST', path, sent);
	if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(data)}`);
	return data;
}

interface EnterableHorse {
	readonly id: string;
	readonly memberId: string;
}

/** Horses that may start, of members who may ride, who enter them by themselves. */
export async function enterableHorses({ urls }: WritesSetup, count: number): Promise<EnterableHorse[]> {
	const year = new Date().getFullYear();
	const horses = await withClient(urls.horses, async (database) => {
		const { rows } = await database.query<{ id: string; member: string }>(
			`select id, responsible_member_id as member from horses
			where status = 'ACTIVE' and fee_paid_for_year >= $1 and birth_year between $1 - 18 and $1 - 6
			limit $2`,
			[year, count * 12],
		);
		return rows;
	});
	const riders = await withClient(urls.members, async (database) => {
		const { rows } = await database.query<{ id: string }>(
			`select id from members where id = any ($1) and status = 'ACTIVE' and deleted_at is null
			and fee_paid_for_year >= $2 and date_of_birth < '2000-01-01'`,
			[horses.map(({ member }) => member), year],
		);
		return new Set(rows.map(({ id }) => id));
	});
	const byRider = new Map(horses.map(({ id, member }) => [member, id]));
	const found = [...byRider].filter(([member]) => riders.has(member)).slice(0, count);
	if (found.length < count) throw new Error(`Only ${found.length} of ${count} horses can be entered.`);
	return found.map(([memberId, id]) => ({ id, memberId }));
}

export function enter(
	setup: WritesSetup,
	{ id, competitionId }: OpenEvent,
	horse: EnterableHorse | undefined,
	{
		token = setup.tokenOf(horse?.memberId),
		key = randomUUID(),
	}: { readonly token?: string; readonly key?: string } = {},
): Promise<Sent> {
	return send(setup, 'events', 'POST', `/api/events/${id}/entries`, {
		token,
		body: { riderMemberId: horse?.memberId, horseId: horse?.id, starts: [{ competitionId }] },
		headers: { 'Idempotency-Key': key },
	});
}
