import { expect, test } from '@jest/globals';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

const path = '/api/events/calendar.ics';

async function read(query = '', headers: Record<string, string> = {}): Promise<Response> {
	return fetch(`${events.url}${path}${query}`, { headers });
}

/** The VEVENTs of a calendar, property name (without parameters) → value, as RFC 5545 §3.1 and §3.3.11 say. */
async function vevents(query = ''): Promise<Map<string, string>[]> {
	const text = await (await read(query)).text();
	expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
	for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
	const lines = text.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
	// RFC 5545 §3.4: the last line ends with a line break as well.
	expect([lines[0], ...lines.slice(-2)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', '']);
	const found: Map<string, string>[] = [];
	for (const line of lines) {
		if (line === 'BEGIN:VEVENT') found.push(new Map());
		const colon = line.indexOf(':');
		const value = line
			.slice(colon + 1)
			.replaceAll(/\\([nN,;\\])/g, (_all, mark: string) => (/n/i.test(mark) ? '\n' : mark));
		if (colon > 0) found.at(-1)?.set(line.slice(0, colon), value);
	}
	return found;
}

test('has public events as calendar days, cancelled ones as CANCELLED', async () => {
	const name = 'Großer Preis; Höhepunkt, \\ mit einem Namen, der länger ist als eine Zeile eines Kalenders';
	const shown = await office.published({ name });
	await office.published({ name: 'Nicht öffentlich', isPublic: false });
	await office.draft({ name: 'Entwurf' });
	const off = await office.published({
		startDate: '2026-11-07',
		endDate: '2026-11-07',
		entriesOpenAt: null,
		disciplines: ['DRESSAGE', 'JUMPING'],
		venueId: office.venue({ stateCode: 'AT-7', address: null, name: 'Alm' }),
	});
	await events.call('POST', `/api/events/${off.id}/cancel`, {
		token: events.officer,
		body: { reason: 'Sturm,\nleider'.replace('\n', ' ') },
	});
	const [first, second, ...others] = await vevents();
	expect(others).toEqual([]);
	expect(Object.fromEntries(first ?? [])).toMatchObject({
		UID: `${shown.id}@paddock`,
		SEQUENCE: '1',
		'DTSTART;VALUE=DATE': '20261023',
		'DTEND;VALUE=DATE': '20261026',
		SUMMARY: `${name} (CSN-B)`,
		LOCATION: 'Reitzentrum Auwiesen, Auwiesen an der Furt',
		DESCRIPTION: `Event ${shown.eventNumber}, Reitverein Auwiesen\nEntries until 12 October 2026 at 23:59 (Europe/Vienna)`,
		STATUS: 'CONFIRMED',
		TRANSP: 'TRANSPARENT',
		'X-MICROSOFT-CDO-BUSYSTATUS': 'FREE',
		DTSTAMP: '20260915T100000Z',
	});
	expect(Object.fromEntries(second ?? [])).toMatchObject({
		UID: `${off.id}@paddock`,
		'DTSTART;VALUE=DATE': '20261107',
		'DTEND;VALUE=DATE': '20261108',
		LOCATION: 'Alm',
		STATUS: 'CANCELLED',
		TRANSP: 'TRANSPARENT',
		CATEGORIES: 'DRESSAGE,JUMPING',
		DESCRIPTION: expect.stringContaining('Cancelled: Sturm, leider'),
	});
});

test('is a document of its own, the same for all callers, and honours If-None-Match', async () => {
	const response = await read('', { Authorization: `Bearer ${events.officer}`, Accept: 'text/calendar' });
	expect(response.status).toBe(200);
	expect(response.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
	expect(response.headers.get('content-disposition')).toContain('events.ics');
	expect(response.headers.get('cache-control')).toBe(
		'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400',
	);
	expect(await response.text()).not.toMatch(/Entwurf|Nicht öffentlich/);
	const etag = response.headers.get('etag') ?? '';
	events.clock.advance(1_000);
	expect((await read('', { 'If-None-Match': etag })).status).toBe(304);
});

test('filters', async () => {
	const uids = async (query: string) => (await vevents(query)).length;
	expect(await uids('?stateCode=AT-7')).toBe(1);
	expect(await uids('?discipline=DRESSAGE')).toBe(2);
	expect(await uids('?discipline=DRIVING')).toBe(0);
	const refused = await events.call('GET', `${path}?stateCode=7&q=x`);
	expect([refused.status, refused.data.errors?.map(({ field }) => field)]).toEqual([400, ['stateCode']]);
});

test('says how often to fetch it again, to programs that read either property', async () => {
	const lines = (await (await read()).text()).split('\r\n');
	expect(lines).toEqual(
		expect.arrayContaining(['REFRESH-INTERVAL;VALUE=DURATION:PT1H', 'X-PUBLISHED-TTL:PT1H']),
	);
});

// Pages and programs that pass on an address add parameters of their own.
test.each([
	'fbclid=IwAR0',
	'utm_source=a&utm_source=b',
	'x[]=1&x[]=2',
	'%FC=%ZZ',
	'__proto__=1',
	'&&=&y',
	'q=x',
])('ignores %s', async (others) => {
	const filtered = await vevents('?stateCode=AT-7');
	expect(await vevents(`?${others}&stateCode=AT-7`)).toEqual(filtered);
	expect(filtered).toHaveLength(1);
});

test('shows each change after a second at most, by whichever instance it was made', async () => {
	const other = await events.another();
	const query = '?stateCode=AT-5';
	const etagNow = async () => {
		events.clock.advance(1_000);
		return (await read(query)).headers.get('etag') ?? '';
	};
	const empty = await etagNow();
	const venueId = office.venue({ stateCode: 'AT-5', address: null, name: 'Au' });
	const shown = await office.published({ name: 'Frühjahrsturnier', venueId });
	// Within the second only the stored text is read.
	expect(await vevents(query)).toEqual([]);
	events.clock.advance(1_000);
	expect((await vevents(query)).map((event) => event.get('SUMMARY'))).toEqual(['Frühjahrsturnier (CSN-B)']);
	const published = await etagNow();
	const cancelled = await other.call('POST', `/api/events/${shown.id}/cancel`, {
		token: events.officer,
		body: { reason: 'Hochwasser' },
	});
	expect(cancelled.status).toBe(200);
	events.clock.advance(1_000);
	expect((await vevents(query)).map((event) => event.get('STATUS'))).toEqual(['CANCELLED']);
	const etag = await etagNow();
	expect(new Set([empty, published, etag]).size).toBe(3);
	expect((await read(query, { 'If-None-Match': published })).status).toBe(200);
	expect((await read(query, { 'If-None-Match': etag })).status).toBe(304);
});

test('contains an event for 90 days', async () => {
	const before = events.clock.now().getTime();
	// The event of 7 November ends at midnight in Vienna, 23:00 UTC; ninety days later it is not listed.
	const gone = Date.parse('2027-02-05T23:00:00Z');
	events.clock.advance(gone - 1 - before);
	expect(await vevents('?stateCode=AT-7')).toHaveLength(1);
	events.clock.advance(1_000);
	expect(await vevents('?stateCode=AT-7')).toHaveLength(0);
});
