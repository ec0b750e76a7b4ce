import { afterAll, beforeAll, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { listEvents } from '../src/repository/event-list.ts';
import { listEntries, listEventEntries } from '../src/repository/entries.ts';
import { countEvents } from '../src/repository/event-stats.ts';
import { type RunningEvents, runEvents } from './running-events.ts';
import { setStage } from './stage.ts';
let events: RunningEvents;
beforeAll(async () => { events = await runEvents(); });
afterAll(async () => { await events.close(); });
test('plans', async () => {
	const { createDatabase } = await import('@paddock/database'); const { silentLogger } = await import('@paddock/telemetry');
 const db = createDatabase<import('../src/database-schema.ts').EventsSchema>({ url: events.databaseUrl, poolMax: 2, applicationName: 'plan', logger: silentLogger(), statementTimeoutMs: 250_000 }); const log: [string, readonly unknown[]][] = []; const stage = setStage(events);
	const id = await stage.event(); await stage.competition(id);
	const cols = async (t: string) => (await sql<{ c: string }>`select column_name as c from information_schema.columns where table_name=${t} and column_name not in ('id','event_number','event_id','starts_at','ends_at','start_date','end_date','name','search_text','entry_deadline','organiser_club_id')`.execute(db)).rows.map(r => r.c);
	const ec = (await cols('events')).filter(c => !['entries_open_at','late_entry_until'].includes(c));
	await sql.raw(`insert into events (${ec.join(',')}, event_number, starts_at, ends_at, start_date, end_date, name, search_text, entry_deadline, organiser_club_id)
	 select ${ec.map(c => 'e.' + c).join(',')}, lpad((20000+g)::text,5,'0'), d, d + interval '2 days', d::date, d::date + 1, 'Turnier ' || g, E'\\nturnier ' || g || E'\\nwien ' || md5(g::text), d - interval '10 days', md5((g%200)::text)::uuid
	 from events e, generate_series(1,20000) g, lateral (select timestamptz '2020-01-01' + g * interval '3 hours') x(d)`).execute(db);
	await sql.raw(`insert into competitions (event_id, number, name, discipline, class, date, age_classes, horse_min_age, pony_only, start_fee) select e.id, n, 'C', 'JUMPING','L', e.start_date, '{}', 5, false, 100 from events e, generate_series(1,2) n where not exists (select from competitions c where c.event_id=e.id)`).execute(db);
	await sql.raw(`insert into entries (event_id, entry_number, type, status, rider_member_id, rider_name, rider_nation, rider_age_classes, horse_id, horse_name, horse_birth_year, horse_keeper_ids, checks, amount_due, entered_by, created_at, updated_at)
	 select e.id, n, 'REGULAR','ACCEPTED', md5(((n*7919 + hashtext(e.id::text)::bigint) % 5000)::text)::uuid, 'R', 'AT', '{}', md5('h' || ((n*7919 + hashtext(e.id::text)::bigint) % 8000)::text)::uuid, 'H', 2015, '{}', '[]', 100, '${randomUUID()}', e.starts_at - n * interval '1 hour', now() from events e, generate_series(1,15) n`).execute(db);
	await sql.raw(`insert into starts (entry_id, competition_id, status, horse_id, rider_member_id, start_fee) select n.id, c.id, n.status, n.horse_id, n.rider_member_id, 100 from entries n join competitions c on c.event_id=n.event_id and c.number=1 on conflict do nothing`).execute(db);
	await sql`analyze`.execute(db);
	const one = await db.selectFrom('entries').select(['rider_member_id', 'horse_id', 'event_id']).limit(1).executeTakeFirstOrThrow();
	const out: string[] = [];
	const now = new Date('2026-09-15T10:00:00Z');
	const officer = { userId: randomUUID(), roles: ['FEDERATION_OFFICER'], roleScopes: {} } as never;
	const explained = async (label: string, run: (d: never) => Promise<unknown>) => {
		const compiled: any[] = [];
		const spy = db.withPlugin({ transformQuery: (a: any) => { return a.node; }, transformResult: async (a: any) => a.result } as never);
		const ex = (spy as any).getExecutor(); const orig = ex.executeQuery.bind(ex);
		ex.executeQuery = (q: any, ...r: any[]) => { compiled.push(q); return orig(q, ...r); };
		const t0 = performance.now(); await run(spy as never); const ms = performance.now() - t0;
		out.push(`#### ${label} ${ms.toFixed(0)} ms`);
		for (const q of compiled) { const r = await db.executeQuery({ ...q, sql: 'explain (analyze, timing off) ' + q.sql } as never); out.push((r.rows as any[]).map(x => x['QUERY PLAN']).join('\n')); }
	};
	const lists: [string, Record<string, unknown>][] = [['plain', {}], ['late page', { page: 300 }], ['q', { q: 'turnier 1999' }], ['q all', { q: 'turnier' }], ['q2', { q: 'wi' }], ['status', { status: 'REGISTRATION_OPEN' }], ['open', { openForEntry: true }], ['from-to', { from: '2026-09-01', to: '2026-10-01' }], ['sort name', { sort: [{ field: 'name', descending: false }] }], ['size200', { size: 200 }], ['sort name size 200', { sort: [{ field: 'name', descending: true }], size: 200 }]];
	for (const [l, q] of lists) for (const p of [undefined, officer]) await explained(`list ${l} ${p ? 'officer' : 'anon'}`, d => listEvents(d, q as never, { principal: p as never, now }));
	for (const [l, q] of [['all', {}], ['all number', { sort: [{ field: 'entryNumber', descending: false }] }], ['member', { memberId: one.rider_member_id }], ['member open', { memberId: one.rider_member_id, open: true, size: 1 }], ['horse open', { horseId: one.horse_id, open: true, size: 1 }], ['open', { open: true }], ['all page 5000', { page: 5000 }]] as const) await explained(`entries ${l}`, d => listEntries(d, q as never, now));
	await explained('event entries', d => listEventEntries(d, { id: one.event_id, organiser_club_id: randomUUID() } as never, officer, {} as never));
	await explained('stats anon', d => countEvents(d, 2026, { principal: undefined, now }));
	await explained('stats officer', d => countEvents(d, 2022, { principal: officer, now }));
	await db.destroy(); writeFileSync('/tmp/plans.txt', out.join('\n'));
}, 300_000);
