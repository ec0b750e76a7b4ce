import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { RunningEvents } from './running-events.ts';
import { useEvents } from './use-events.ts';

const { events, call, stage } = useEvents();

let eventId: string;
let path: string;
let competitionId: string;

const riderClub = randomUUID();
const rider = randomUUID();
const owner = randomUUID();
const keeper = randomUUID();

beforeAll(async () => {
	eventId = await stage.event();
	path = `/api/events/${eventId}/entries`;
	competitionId = await stage.competition(eventId);
	stage.member({ id: rider, homeClubId: riderClub });
	for (const id of [owner, keeper]) stage.member({ id });
});

const official = (clubId: string) =>
	({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } } }) as const;
const organiser = (clubId: string) =>
	({ roles: ['MEMBER', 'ORGANISER'], roleScopes: { ORGANISER: { clubIds: [clubId] } } }) as const;

/** The callers, and whether an entry of `rider` with a horse of `owner`, kept by `keeper`, concerns them. */
const people: readonly [string, () => Parameters<RunningEvents['sign']>[0], boolean][] = [
	['the rider', () => ({ memberId: rider }), true],
	['the horse’s owner', () => ({ memberId: owner }), true],
	['the person responsible for the horse', () => ({ memberId: keeper }), true],
	['another member', () => ({ memberId: stage.member().id }), false],
	['an account without a member', () => ({}), false],
	['an official of the rider’s club', () => official(riderClub), true],
	['an official of another club', () => official(randomUUID()), false],
	['an official without a club', () => ({ roles: ['CLUB_OFFICIAL'] }), false],
	['an official of the organising club', () => official(stage.clubId), true],
	['the organiser', () => organiser(stage.clubId), true],
	['another organiser', () => organiser(riderClub), false],
	['an organiser without a club', () => ({ roles: ['ORGANISER'] }), false],
	['an officer', () => ({ roles: ['FEDERATION_OFFICER'] }), true],
	['an administrator', () => ({ roles: ['ADMIN'] }), true],
];

function body() {
	const horse = stage.horse({ ownerMemberIds: [owner], responsibleMemberId: keeper });
	// A rider of its own, lest the limit of three horses decides.
	const riderMemberId = stage.member({ id: rider, homeClubId: riderClub }).id;
	return { riderMemberId, horseId: horse.id, starts: [{ competitionId }] };
}

async function entryByOfficer(): Promise<Entry> {
	const ownCompetition = await stage.competition(eventId);
	const { status, data } = await call<Entry>('POST', path, {
		token: events.officer,
		body: { ...body(), starts: [{ competitionId: ownCompetition }] },
	});
	expect(status).toBe(201);
	return data;
}

describe.each(people)('%s', (_name, claims, isConcerned) => {
	test(isConcerned ? 'may enter the horse' : 'may not enter the horse', async () => {
		const ownCompetition = await stage.competition(eventId);
		const sent = { ...body(), starts: [{ competitionId: ownCompetition }] };
		const token = events.sign(claims());
		const preview = await call('POST', `${path}/check`, { token, body: sent });
		const made = await call('POST', path, { token, body: sent });
		if (isConcerned) expect([preview.status, made.status]).toEqual([200, 201]);
		else
			expect([preview.data.code, made.status, made.data.code]).toEqual(['OUT_OF_SCOPE', 403, 'OUT_OF_SCOPE']);
		const stored = await events.db
			.selectFrom('starts')
			.select('entryId')
			.where('competitionId', '=', ownCompetition)
			.execute();
		expect(stored).toHaveLength(isConcerned ? 1 : 0);
	});

	test(isConcerned ? 'sees and withdraws the entry' : 'gets 404', async () => {
		const entry = await entryByOfficer();
		const token = events.sign(claims());
		const listed = await call<Page<Entry>>('GET', `${path}?horseId=${entry.horseId}`, { token });
		expect(listed.data.items.map(({ id }) => id)).toEqual(isConcerned ? [entry.id] : []);
		expect(listed.data.pagination.totalElements).toBe(isConcerned ? 1 : 0);
		const read = await call('GET', `${path}/${entry.id}`, { token });
		const unknown = await call('GET', `${path}/${randomUUID()}`, { token });
		expect(read.status).toBe(isConcerned ? 200 : 404);
		if (!isConcerned) expect([read.data.code, read.message]).toEqual([unknown.data.code, unknown.message]);
		const withdrawn = await call('POST', `${path}/${entry.id}/withdraw`, { token });
		expect(withdrawn.status).toBe(isConcerned ? 200 : 404);
		const row = await events.db
			.selectFrom('entries')
			.select('status')
			.where('id', '=', entry.id)
			.executeTakeFirst();
		expect(row?.status).toBe(isConcerned ? 'WITHDRAWN' : 'ACCEPTED');
	});
});

describe('rejecting', () => {
	test.each([
		['the rider', () => ({ memberId: rider }), 403],
		['an official of the rider’s club', () => official(riderClub), 403],
		['another organiser', () => organiser(riderClub), 404],
		['the organiser', () => organiser(stage.clubId), 200],
		['an officer', () => ({ roles: ['FEDERATION_OFFICER'] }) as const, 200],
	])('by %s', async (_name, claims, expected) => {
		const entry = await entryByOfficer();
		const { status } = await call('POST', `${path}/${entry.id}/reject`, {
			token: events.sign(claims()),
			body: { reason: 'Nicht zugelassen' },
		});
		expect(status).toBe(expected);
	});
});

test('an id without a record is out of a member’s scope like one of another member', async () => {
	const token = events.sign({ memberId: stage.member().id });
	const post = async (changes: object) => {
		const { status, data, message } = await call('POST', path, { token, body: { ...body(), ...changes } });
		return [status, data.code, data.errors, message];
	};
	const known = await post({});
	expect(known.slice(0, 2)).toEqual([403, 'OUT_OF_SCOPE']);
	expect(await post({ riderMemberId: randomUUID() })).toEqual(known);
	expect(await post({ horseId: randomUUID() })).toEqual(known);
});

describe.each([
	['GET', ''],
	['POST', ''],
	['POST', '/check'],
	['GET', '/{entryId}'],
	['POST', '/{entryId}/confirm'],
	['POST', '/{entryId}/decline'],
	['POST', '/{entryId}/withdraw'],
	['POST', '/{entryId}/reject'],
	['GET', '.csv'],
])('%s /events/{id}/entries%s', (method, rest) => {
	test('needs a token of a person, and one that is valid', async () => {
		const send = (token?: string) =>
			call(method, `${path}${rest.replace('{entryId}', randomUUID())}`, {
				token,
				...(method === 'POST' ? { body: {} } : {}),
			});
		expect((await send()).data.code).toBe('UNAUTHENTICATED');
		expect((await send(events.expired)).data.code).toBe('TOKEN_EXPIRED');
		expect((await send(`${events.officer}x`)).data.code).toBe('INVALID_TOKEN');
		expect((await send(events.service)).status).toBe(401);
	});
});
