import { expect, test } from '@jest/globals';
import { sql } from 'kysely';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

/** The lines of each event of the calendar. */
async function vevents(): Promise<string[]> {
	const text = await (await fetch(`${events.url}/api/events/calendar.ics`)).text();
	const [head = '', ...found] = text.split('BEGIN:VEVENT\r\n');
	expect([head.startsWith('BEGIN:VCALENDAR\r\n'), head.includes('VEVENT')]).toEqual([true, false]);
	expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
	expect(text.split('VCALENDAR')).toHaveLength(3);
	return found;
}

test('a calendar of many events is complete and rendered once for callers at the same time, while others are served', async () => {
	await office.published({ name: 'Serie 0' });
	// Copies of one event: eleven hundred requests would take minutes.
	await sql`
		insert into events select (jsonb_populate_record(events, jsonb_build_object(
			'id', gen_random_uuid(), 'event_number', to_char(50000 + n, 'FM00000'), 'name', 'Serie ' || n
		))).*
		from events, generate_series(1, 1099) n where name = 'Serie 0'`.execute(events.db);
	events.clock.advance(2_000);
	const [one, other, found] = await Promise.all([
		vevents(),
		vevents(),
		fetch(`${events.url}/api/events?size=1`).then(({ status }) => status),
	]);
	expect([one.length, found]).toEqual([1_100, 200]);
	expect(other).toEqual(one);
	const uids = one.map((event) => /^UID:.*$/m.exec(event)?.[0]);
	expect(new Set(uids).size).toBe(uids.length);
}, 60_000);
