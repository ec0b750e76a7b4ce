import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayAfter } from '@paddock/calendar';
import type { Page } from '@paddock/contract';
import { eventually } from '@paddock/testing';
import { sql } from 'kysely';
import { allEntriesOf } from '../src/entries/list.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import { useEvents } from './use-events.ts';

const { events, call, stage } = useEvents();

let organiser: string;

beforeAll(async () => {
	organiser = events.sign({ roles: ['ORGANISER'], roleScopes: { ORGANISER: { clubIds: [stage.clubId] } } });
});

let entered = 0;

/** Each on another day: a horse does not start at two events on one. */
async function enter(eventId: string, riderMemberId: string, horseId: string): Promise<Entry> {
	entered += 1;
	const date = dayAfter('2026-10-24', entered);
	const starts = [{ competitionId: await stage.competition(eventId, { date }) }];
	const { status, data } = await call<Entry>('POST', `/api/events/${eventId}/entries`, {
		token: events.officer,
		body: { riderMemberId, horseId, starts },
	});
	expect(status).toBe(201);
	return data;
}

describe('GET /events/entries', () => {
	async function found(query: string, token = events.officer): Promise<string[]> {
		const { status, data } = await call<Page<Entry>>('GET', `/api/events/entries?${query}`, { token });
		expect(status).toBe(200);
		expect(data.pagination.totalElements).toBe(data.items.length);
		return data.items.map(({ id }) => id).sort();
	}

	/** One rider with one horse: at a running, a completed and a cancelled event, and withdrawn. */
	async function history() {
		const rider = stage.member().id;
		const horse = stage.horse().id;
		const ids = [];
		for (let event = 0; event < 4; event++) ids.push(await stage.event({ maxEntries: 1 }));
		const [running = '', over = '', off = '', withdrawn = ''] = ids;
		await enter(running, stage.member().id, stage.horse().id);
		const waiting = await enter(running, rider, horse);
		const past = await enter(over, rider, horse);
		const cancelled = await enter(off, rider, horse);
		const taken = await enter(withdrawn, rider, horse);
		await call('POST', `/api/events/${withdrawn}/entries/${taken.id}/withdraw`, { token: events.officer });
		const days = { startsAt: new Date('2026-08-01T22:00:00Z'), endsAt: new Date('2026-08-03T22:00:00Z') };
		await events.db.updateTable('events').set(days).where('id', '=', over).execute();
		const cancelling = { status: 'CANCELLED', cancelledReason: 'Sturm' } as const;
		await events.db.updateTable('events').set(cancelling).where('id', '=', off).execute();
		return { rider, horse, waiting, past, cancelled, taken };
	}

	test('shows officers whether a member or a horse is entered anywhere', async () => {
		const { rider, horse, waiting, past, cancelled, taken } = await history();
		const ended = [past.id, cancelled.id, taken.id].sort();
		expect(await found(`memberId=${rider}&open=true`)).toEqual([waiting.id]);
		expect(await found(`horseId=${horse}&open=true`)).toEqual([waiting.id]);
		expect(await found(`horseId=${horse}&open=false`)).toEqual(ended);
		expect(await found(`memberId=${rider}`)).toEqual([waiting.id, ...ended].sort());
		expect(await found(`memberId=${rider}&horseId=${randomUUID()}`)).toEqual([]);
		const sized = await call<Page<Entry>>('GET', `/api/events/entries?horseId=${horse}&size=1`, {
			token: events.officer,
		});
		expect(sized.data.pagination).toMatchObject({ totalElements: 4, totalPages: 4 });
	});

	test('shows members only their own', async () => {
		const { rider, horse } = await history();
		const own = events.sign({ memberId: rider });
		expect(await found(`memberId=${rider}`, own)).toHaveLength(4);
		const refused = async (query: string, token: string) => {
			const { status, data } = await call('GET', `/api/events/entries?${query}`, { token });
			return [status, data.code];
		};
		const outOfScope = [403, 'OUT_OF_SCOPE'];
		expect(await refused('', own)).toEqual(outOfScope);
		expect(await refused(`horseId=${horse}`, own)).toEqual(outOfScope);
		expect(await refused(`memberId=${rider}`, events.sign({ memberId: randomUUID() }))).toEqual(outOfScope);
		expect(await refused(`memberId=${rider}`, events.sign())).toEqual(outOfScope);
		expect(await refused(`memberId=${rider}`, organiser)).toEqual(outOfScope);
		expect((await call('GET', '/api/events/entries')).data.code).toBe('UNAUTHENTICATED');
	});

	test('refuses an unknown query parameter', async () => {
		const { data } = await call('GET', '/api/events/entries?memberId=me&open=yes&rider=x', {
			token: events.officer,
		});
		expect([data.code, data.errors?.map(({ field }) => field).sort()]).toEqual([
			'INVALID_QUERY_PARAMETER',
			['open', 'rider', 'riderMemberId'],
		]);
	});
});

describe('GET /events/{id}/entries.csv', () => {
	const get = (path: string, token: string) =>
		fetch(events.url + path, { headers: { Authorization: `Bearer ${token}` } });

	test('is a table that spreadsheets open without running anything', async () => {
		const eventId = await stage.event({ maxEntries: 2 });
		const rider = stage.member({ firstName: '=HYPERLINK("http://evil.example")', lastName: 'Über; "Land"' });
		const horse = stage.horse({
			name: '@SUM(1+1)',
			sireName: '-2+3',
			headNumber: null,
			feePaidForYear: null,
		});
		const first = await enter(eventId, rider.id, horse.id);
		await enter(
			eventId,
			stage.member({ homeClubName: '\tVerein' }).id,
			stage.horse({ name: '+Plus', sireName: 'Vater; =1+1' }).id,
		);
		await enter(eventId, stage.member().id, stage.horse({ sireName: 'Vater\n=2+2' }).id);
		const path = `/api/events/${eventId}/entries.csv`;
		const response = await get(path, organiser);
		expect([
			response.status,
			response.headers.get('content-type'),
			response.headers.get('content-disposition'),
		]).toEqual([200, 'text/csv; charset=utf-8', 'attachment; filename="entries.csv"']);
		const bytes = Buffer.from(await response.arrayBuffer());
		expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
		const [header, one, two, three, end] = bytes.toString('utf8').slice(1).split('\r\n');
		expect(header).toBe(
			'Entry,Status,Position,Type,Rider,Club,Nation,Age classes,Horse,Head number,Born,Sire,Competitions,Due EUR,Remarks,Overrides,Reason,Entered at,Boxes',
		);
		const numberOf = await events.db
			.selectFrom('competitions')
			.select('number')
			.where('id', '=', first.starts[0]?.competitionId ?? '')
			.executeTakeFirstOrThrow();
		expect(one).toBe(
			`1,ACCEPTED,,REGULAR,"'=HYPERLINK(""http://evil.example"") Über; ""Land""",Reitverein Auwiesen,AT,,'@SUM(1+1),,2016,'-2+3,${numberOf.number},43.00,The registration fee of @SUM(1+1) is not paid for 2026. @SUM(1+1) has no head number of the federation.,,,2026-09-15T10:00:00.000Z,0`,
		);
		expect(two).toContain(`,"'\tVerein",`);
		expect(two).toContain(",'+Plus,");
		// A spreadsheet may split the line at another separator than the one it was written with.
		expect(two).toContain(`,"Vater; '=1+1",`);
		expect(three).toContain('3,WAITLISTED,1,');
		expect(three).toContain(',"Vater\n\'=2+2",');
		expect(end).toBe('');
		expect((await get(`${path}?separator=tab`, organiser)).status).toBe(400);
	});

	// German Excel read 11.10 as the 11th of October, and 0012 as 12.
	test('has a form for spreadsheets, which they do not convert, and one for programs', async () => {
		const eventId = await stage.event();
		const rider = stage.member({ firstName: 'Jörg', lastName: 'März 1' }).id;
		const horse = stage.horse({ name: '1-2', sireName: 'TRUE', headNumber: '0012' }).id;
		const { entryNumber, amountDue } = await enter(eventId, rider, horse);
		const path = `/api/events/${eventId}/entries.csv`;
		const line = async (query: string) =>
			(await (await get(path + query, organiser)).text()).split('\r\n')[1];
		const amount = (amountDue / 100).toFixed(2);
		const spreadsheet = await line('?separator=semicolon');
		expect(spreadsheet).toContain(`${entryNumber};ACCEPTED;;REGULAR;"Jörg März 1\t";`);
		expect(spreadsheet).toContain(';"1-2\t";"0012\t";2016;"TRUE\t";');
		expect(spreadsheet).toContain(`;"${amount.replace('.', ',')}";`);
		for (const query of ['', '?separator=comma']) {
			expect(await line(query)).toContain(',1-2,0012,2016,TRUE,');
			expect(await line(query)).toContain(`,${amount},`);
		}
	});

	// All rows and their text were held at once: memory grew with the entries.
	test('of many entries is read and sent in batches, for as long as the client reads', async () => {
		const eventId = await stage.event();
		await enter(eventId, stage.member().id, stage.horse().id);
		const count = 2_000;
		for (let from = 1; from < count; from += 500) {
			await sql`
				insert into entries select (jsonb_populate_record(entries, jsonb_build_object(
					'id', gen_random_uuid(), 'entry_number', n, 'rider_member_id', gen_random_uuid(), 'horse_id', gen_random_uuid()
				))).*
				from entries, generate_series(${sql.lit(Math.max(2, from))}, ${sql.lit(from + 499)}) n
				where event_id = ${eventId} and entry_number = 1`.execute(events.db);
		}
		const batches: number[] = [];
		for await (const rows of allEntriesOf(events.db, eventId)) batches.push(rows.length);
		expect(batches).toEqual([50, 500, 500, 500, 450]);
		const path = `/api/events/${eventId}/entries.csv`;
		const response = await get(path, organiser);
		expect([response.status, response.headers.get('content-length')]).toEqual([200, null]);
		const lines = (await response.text()).split('\r\n');
		expect([lines.length, lines.at(-1)]).toEqual([count + 2, '']);
		expect(lines.slice(1, -1).map((line) => Number(line.split(',', 1)[0]))).toEqual(
			Array.from({ length: count }, (_, index) => index + 1),
		);
		// A client that leaves ends the export: a caller has two at once, and is refused a third.
		for (let left = 0; left < 4; left += 1) {
			await eventually('an export begins', async () => {
				const leaving = new AbortController();
				const { status } = await fetch(events.url + path, {
					headers: { Authorization: `Bearer ${organiser}`, 'Accept-Encoding': 'identity' },
					signal: leaving.signal,
				});
				leaving.abort();
				return status === 200;
			});
		}
	}, 60_000);

	test('names the currency of the event beside its amounts', async () => {
		const eventId = await stage.event({ currency: 'CHF' });
		const { amountDue } = await enter(eventId, stage.member().id, stage.horse().id);
		const [header = '', line = ''] = (
			await (await get(`/api/events/${eventId}/entries.csv?separator=semicolon`, organiser)).text()
		).split('\r\n');
		const due = header.split(';').indexOf('Due CHF');
		expect(line.split(';')[due]?.replaceAll('"', '')).toBe((amountDue / 100).toFixed(2).replace('.', ','));
		expect(amountDue).toBeGreaterThan(0);
	});

	test('is stored by no cache, nor are lists of entries and single ones', async () => {
		const eventId = await stage.event();
		const { id } = await enter(eventId, stage.member().id, stage.horse().id);
		const path = `/api/events/${eventId}/entries`;
		for (const shown of [`${path}.csv`, path, `${path}/${id}`, '/api/events/entries']) {
			const response = await get(shown, events.officer);
			expect([shown, response.status, response.headers.get('cache-control')]).toEqual([
				shown,
				200,
				'private, no-store',
			]);
		}
	});

	test('is for the organiser and officers', async () => {
		const eventId = await stage.event();
		const path = `/api/events/${eventId}/entries.csv`;
		expect((await get(path, events.officer)).status).toBe(200);
		const member = await call('GET', path, { token: events.sign({ memberId: randomUUID() }) });
		expect([member.status, member.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
		const elsewhere = events.sign({
			roles: ['ORGANISER'],
			roleScopes: { ORGANISER: { clubIds: [randomUUID()] } },
		});
		expect((await call('GET', path, { token: elsewhere })).status).toBe(403);
		const unknown = `/api/events/${randomUUID()}/entries.csv`;
		expect((await call('GET', unknown, { token: organiser })).status).toBe(404);
	});
});
