import { afterAll, beforeAll, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type EventOffice, openOffice } from './event-office.ts';
import { type EntryDesk, openEntryDesk } from './entry-desk.ts';
import { type RunningEvents, runEvents } from './running-events.ts';
let events: RunningEvents; let office: EventOffice; let desk: EntryDesk;
beforeAll(async () => { events = await runEvents(); office = openOffice(events); desk = openEntryDesk(events); });
afterAll(async () => { await events.close(); });
const out: string[] = [];
async function go(label: string, method: string, path: string, call: Record<string, unknown>) {
	try {
		const r = await events.call(method, path, call as never);
		if (r.status >= 500 || r.status < 300) out.push(`${r.status} ${label} ${r.text.slice(0, 160)}`);
	} catch (e) { out.push(`THROW ${label} ${String(e).slice(0, 300)}`); }
}
const odd: unknown[] = [null, '', 0, -1, 1.5, 2147483648, 9007199254740993, 1e308, '\u0000', '\ud800', 'a\u0000b', [], {}, [null], [[]], true, 'x'.repeat(5000), '2026-02-30', '0000-01-01', '9999-12-31', '0001-01-01', '2199-12-31', '2026-02-30T00:00:00Z', '2026-10-12T23:59:60Z', '2026-10-12T24:00:00Z', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z','1900-01-01T00:00:00+23:59','2199-12-31T23:59:59-23:59', {__proto__: 1}, '=1+1', '%', 'CSI3*-W'.repeat(2), Number.MAX_SAFE_INTEGER, '😀'.repeat(60)];
test('fuzz', async () => {
	const draft = await office.draft();
	const c = await office.competition(draft.id);
	const pub = await office.published();
	const oid = events.officer;
	const eid = await desk.stage.event({ event_number: '77777' });
	const cid = await desk.stage.competition(eid);
	const m = desk.stage.member(), h = desk.stage.horse();
	const targets: [string, string, Record<string, unknown>][] = [
		['POST', '/api/events', office.body()],
		['PUT', `/api/events/${draft.id}`, office.body()],
		['PUT', `/api/events/${pub.id}`, office.body()],
		['POST', `/api/events/${draft.id}/competitions`, office.competitionBody({number: 500})],
		['PUT', `/api/events/${draft.id}/competitions/${c.id}`, office.competitionBody({number: 501})],
		['POST', `/api/events/${eid}/entries/check`, { riderMemberId: m.id, horseId: h.id, starts: [{ competitionId: cid }], type: 'REGULAR' }],
		['POST', `/api/events/${eid}/entries`, { riderMemberId: m.id, horseId: h.id, starts: [{ competitionId: cid }], type: 'REGULAR' }],
		['POST', `/api/events/${pub.id}/cancel`, { reason: 'abc def' }],
	];
	for (const [method, path, body] of targets) {
		const keys = [...Object.keys(body), 'id', 'status', 'version', 'counts', 'eventNumber', 'extra'];
		for (const key of keys) for (const value of odd)
			await go(`${method} ${path.slice(0, 12)}.. ${key}=${JSON.stringify(value)?.slice(0, 40)}`, method, path, { token: oid, body: { ...body, [key]: value } });
		for (const raw of ['null', '[]', '"x"', '1', '', '{', '{"a":1,"a":2}', '\ufeff{}', '{"__proto__":{"a":1}}'])
			await go(`${method} ${path.slice(0, 12)} raw ${raw}`, method, path, { token: oid, rawBody: raw });
	}
	for (const key of ['entryFee', 'lateSurcharge', 'stable', 'currency']) for (const value of odd)
		await go(`fees.${key}=${JSON.stringify(value)?.slice(0, 40)}`, 'POST', '/api/events', { token: oid, body: office.body({ fees: { [key]: value } }) });
	for (const key of ['role', 'name', 'memberId']) for (const value of odd)
		await go(`official.${key}=${JSON.stringify(value)?.slice(0, 40)}`, 'POST', '/api/events', { token: oid, body: office.body({ officials: [{ role: 'JUDGE', name: 'x', [key]: value }] }) });
	const q = ['%00', '0', '-1', '1e3', '999999999999999', '1000000000', '9007199254740993', '', '0000-01-01', '9999-12-31', '2026-02-30', '%27', '%25%25', '%5C%5C', '%ED%A0%80', 'true', 'a'.repeat(3000), '%F0%9F%98%80%F0%9F%98%80', '__proto__', '-startDate', 'startDate,-startDate', '1900', '2199', '%E2%80%A8a', '%0Aa'];
	const lists: [string, string[]][] = [
		['/api/events', ['page','size','limit','offset','from','to','discipline','category','ruleset','stateCode','organiserClubId','venueId','status','openForEntry','sort','q','x']],
		['/api/events/search', ['q','page','sort']],
		['/api/events/stats', ['year']],
		['/api/events/calendar.ics', ['discipline','stateCode']],
		['/api/events/entries', ['memberId','horseId','open','sort','page','size']],
		[`/api/events/${eid}/entries`, ['status','type','competitionId','riderMemberId','horseId','sort','page']],
		[`/api/events/${eid}/entries.csv`, ['separator']],
		[`/api/events/${eid}/competitions`, ['discipline','date','sort','page']],
	];
	for (const [path, keys] of lists) for (const key of keys) for (const v of q) {
		const r = await fetch(`${events.url}${path}?${key}=${v}`, { headers: { Authorization: `Bearer ${oid}` } });
		const t = await r.text();
		if (r.status >= 500) out.push(`${r.status} ${path}?${key}=${v} ${t.slice(0, 200)}`);
	}
	for (const p of ['%00', '%E0%A4%A', '..%2f..', randomUUID().toUpperCase(), 'x'.repeat(6000), 'calendar.ics/', 'search/', 'STATS'])
		for (const [mth, suf] of [['GET', ''], ['GET', '/entries'], ['GET', '/entries.csv'], ['DELETE', ''], ['POST', '/publish'], ['GET', '/competitions/%00'], ['POST', '/entries/%00/withdraw']] as const) {
			const r = await fetch(`${events.url}/api/events/${p}${suf}`, { method: mth, headers: { Authorization: `Bearer ${oid}` } });
			const t = await r.text();
			if (r.status >= 500) out.push(`${r.status} ${mth} ${p}${suf} ${t.slice(0, 200)}`);
		}
	const { writeFileSync } = await import('node:fs');
	writeFileSync('/tmp/fuzz.txt', out.join('\n'));
}, 300_000);
