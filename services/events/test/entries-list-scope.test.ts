import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { AccessTokenClaims } from '@paddock/identity';
import { sql } from 'kysely';
import { hasEntryStatus, isOpenEntry, shownEntryStatus } from '../src/entries/rights/visibility.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import { shownEntryStatuses } from '../src/enumerations.ts';
import { shownStatus } from '../src/events/conditions.ts';
import type { EventStats } from '../src/events/view-schemas.ts';
import { asMember, officer, officialOf, useConfirmationDesk } from './confirmation-desk.ts';

const desk = useConfirmationDesk();

describe('lists of all events', () => {
	const list = (query: string, claims: Partial<AccessTokenClaims>) =>
		desk.call<Page<Entry>>('GET', `/api/events/entries?${query}`, claims);
	const ids = async (query: string, claims: Partial<AccessTokenClaims>) => {
		const { status, data } = await list(query, claims);
		return status === 200 ? data.items.map(({ id }) => id) : status;
	};

	test('show entries that await a confirmation to the rider, a guardian and officers only', async () => {
		const { id } = await desk.pending();
		const query = `memberId=${desk.rider.id}&status=PENDING_CONFIRMATION`;
		for (const claims of [asMember(desk.rider), asMember(desk.guardian), officer])
			expect(await ids(query, claims)).toEqual([id]);
		for (const claims of [asMember(desk.eva), desk.organiser, {}]) expect(await ids(query, claims)).toBe(403);
		// It is no open entry: desk.rider and horse can still be deleted.
		expect(await ids(`memberId=${desk.rider.id}&open=true`, officer)).toEqual([]);
		expect(await ids(`horseId=${desk.evasHorse.id}&open=false`, officer)).toEqual([id]);
	});

	test('show club officials the entries of their riders, by club, by rider and all together', async () => {
		const club = randomUUID();
		const claims = officialOf(club);
		const { id: one, riderMemberId: own } = await desk.enterOwn({ homeClubId: club });
		const { id: two, riderMemberId: left } = await desk.enterOwn({ homeClubId: club });
		const { riderMemberId: foreign } = await desk.enterOwn();
		desk.stage.member({ id: left, homeClubId: randomUUID() });
		const both = [one, two].sort();
		for (const query of ['', `clubId=${club}`])
			expect([...((await ids(query, claims)) as string[])].sort()).toEqual(both);
		expect(await ids(`memberId=${own}`, claims)).toEqual([one]);
		expect(await ids(`memberId=${left}`, claims)).toBe(403);
		expect(await ids(`memberId=${left}&clubId=${club}`, claims)).toEqual([two]);
		const unknown = await list(`memberId=${randomUUID()}`, claims);
		const refused = await list(`memberId=${foreign}`, claims);
		expect([refused.status, refused.data.code, refused.message]).toEqual([
			403,
			unknown.data.code,
			unknown.message,
		]);
		for (const query of [`clubId=${desk.seeblick}`, `horseId=${desk.evasHorse.id}`])
			expect(await ids(query, claims)).toBe(403);
	});
});

test('the numbers of the year count a pending entry by itself', async () => {
	const stats = async () => (await desk.call<EventStats>('GET', '/api/events/stats?year=2026', officer)).data;
	const before = await stats();
	await desk.pending();
	const after = await stats();
	expect(after.entries).toEqual({
		...before.entries,
		pendingConfirmation: before.entries.pendingConfirmation + 1,
	});
	expect([after.distinctRiders, after.distinctHorses]).toEqual([
		before.distinctRiders,
		before.distinctHorses,
	]);
});

test('each condition on the status finds the entries that are shown with it', async () => {
	const now = new Date('2026-09-15T10:00:00Z');
	const times = ['2026-09-14T10:00:00Z', now.toISOString(), '2026-09-16T10:00:00Z'];
	const conditions = shownEntryStatuses.map(
		(status) => sql`case when ${hasEntryStatus(status, now)} then ${status} end`,
	);
	const { rows } = await sql<{
		stored: string;
		shown: string;
		event: string;
		isOpen: boolean;
		found: string[];
	}>`
		with events as (
			select gen_random_uuid() as id, status, null as approval, null::timestamptz as entries_open_at,
				entry_deadline, starts_at, ends_at
			from unnest(${['DRAFT', 'PUBLISHED', 'COMPLETED', 'CANCELLED']}::text[]) as status,
				unnest(${[...times, null]}::timestamptz[]) as entry_deadline,
				unnest(${times}::timestamptz[]) as starts_at, unnest(${times}::timestamptz[]) as ends_at
			where ends_at >= starts_at
		), entries as (
			select entry.status, events.id as event_id
			from events, unnest(${shownEntryStatuses.slice(0, -1)}::text[]) as entry (status)
		)
		select entries.status as stored, ${shownEntryStatus(now)} as shown, ${shownStatus(now)} as event,
			${isOpenEntry(now)} as is_open, array_remove(array[${sql.join(conditions)}]::text[], null) as found
		from entries join events on events.id = entries.event_id`.execute(desk.events.db);
	expect(rows).toHaveLength(7 * 4 * 4 * 6);
	for (const row of rows) {
		const isOpen = /^(ACCEPTED|WAITLISTED)$/.test(row.stored) && !/^(COMPLETED|CANCELLED)$/.test(row.event);
		expect({ ...row }).toEqual({ ...row, found: [row.shown], isOpen });
	}
});
