import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Event } from '../src/events/view-schemas.ts';
import { useOffice } from './use-events.ts';

const { events, office } = useOffice();

const path = '/api/events';
let tyrol: string;
let club: string;

const noDeadlines = { entriesOpenAt: null, entryDeadline: null, lateEntryUntil: null };

/** The present is 15 September 2026. */
beforeAll(async () => {
	tyrol = office.venue({ name: 'Zürser Alm', address: { city: 'Öblarn' }, stateCode: 'AT-7' });
	club = office.club({ name: 'Reitclub Ährental' });
	const { draft, published } = office;
	await published({ name: 'Ährenpreis', disciplines: ['JUMPING'] });
	await published({
		name: 'Dressurtage',
		startDate: '2026-11-07',
		endDate: '2026-11-08',
		entryDeadline: '2026-10-20T21:59:00Z',
		lateEntryUntil: null,
		entriesOpenAt: '2026-09-20T06:00:00Z',
		venueId: tyrol,
		category: 'CDN-A*',
		organiserClubId: club,
	});
	await published({
		name: 'Zum Ährenpreis von Tirol',
		startDate: '2026-10-30',
		endDate: '2026-11-06',
		venueId: tyrol,
		ruleset: 'FEI',
		category: 'CSI2*',
		isPublic: false,
	});
	await draft({ name: 'Entwurf', startDate: '2026-12-05', endDate: '2026-12-05', ...noDeadlines });
	const cancelled = await published({
		name: 'Abgesagt',
		startDate: '2026-10-26',
		endDate: '2026-10-26',
		lateEntryUntil: null,
	});
	await events.call('POST', `${path}/${cancelled.id}/cancel`, {
		token: events.officer,
		body: { reason: 'Regen' },
	});
});

async function names(query: string, token: string | undefined = events.officer, route = path) {
	const { data } = await events.call<Page<Event>>('GET', `${route}?${query}`, { token });
	return data.items.map(({ name }) => name);
}

describe('GET /events', () => {
	const everything = ['Ährenpreis', 'Abgesagt', 'Zum Ährenpreis von Tirol', 'Dressurtage', 'Entwurf'];

	test('contains the events visible to the caller, by first day', async () => {
		const inTyrol = ['Ährenpreis', 'Abgesagt', 'Zum Ährenpreis von Tirol', 'Dressurtage'];
		const { headers } = await events.call('GET', path);
		expect(headers.get('cache-control')).toBe('private, max-age=10');
		const response = await events.call<Page<Event>>('GET', path);
		expect(response.data.items.map(({ name }) => name)).toEqual(['Ährenpreis', 'Abgesagt', 'Dressurtage']);
		expect(await names('', events.sign())).toEqual(inTyrol);
		expect(await names('', office.stranger)).toEqual(inTyrol);
		expect(await names('', office.official)).toEqual(everything);
		expect(await names('')).toEqual(everything);
	});

	test.each([
		['from=2026-11-06', ['Zum Ährenpreis von Tirol', 'Dressurtage', 'Entwurf']],
		['to=2026-10-26', ['Ährenpreis', 'Abgesagt']],
		['from=2026-10-25&to=2026-10-26', ['Ährenpreis', 'Abgesagt']],
		['discipline=DRESSAGE', ['Abgesagt', 'Zum Ährenpreis von Tirol', 'Dressurtage', 'Entwurf']],
		['discipline=DRIVING', []],
		['category=CDN-A*', ['Dressurtage']],
		['ruleset=FEI', ['Zum Ährenpreis von Tirol']],
		['stateCode=AT-7', ['Zum Ährenpreis von Tirol', 'Dressurtage']],
		['status=DRAFT', ['Entwurf']],
		['status=PUBLISHED', ['Dressurtage']],
		['status=REGISTRATION_OPEN', ['Ährenpreis', 'Zum Ährenpreis von Tirol']],
		['status=CANCELLED', ['Abgesagt']],
		['openForEntry=true', ['Ährenpreis', 'Zum Ährenpreis von Tirol']],
		['openForEntry=false', ['Abgesagt', 'Dressurtage', 'Entwurf']],
		['openForEntry=true&stateCode=AT-7&discipline=JUMPING&to=2026-12-31', ['Zum Ährenpreis von Tirol']],
		['sort=-startDate,name', [...everything].reverse()],
		['sort=name', ['Abgesagt', 'Ährenpreis', 'Dressurtage', 'Entwurf', 'Zum Ährenpreis von Tirol']],
		['size=2&page=2', ['Zum Ährenpreis von Tirol', 'Dressurtage']],
	] as const)('filters by %s', async (query, expected) => {
		expect(await names(query)).toEqual(expected);
	});

	test('filters by venue and club', async () => {
		expect(await names(`venueId=${tyrol}`)).toEqual(['Zum Ährenpreis von Tirol', 'Dressurtage']);
		expect(await names(`organiserClubId=${club}`)).toEqual(['Dressurtage']);
		expect(await names(`organiserClubId=${club}&venueId=${office.venueId}`)).toEqual([]);
	});

	test('counts all pages', async () => {
		const { data } = await events.call<Page<Event>>('GET', `${path}?size=2&page=3`, {
			token: events.officer,
		});
		expect(data.pagination).toMatchObject({ totalElements: 5, totalPages: 3, hasNext: false });
		expect(data.items.map(({ counts }) => counts)).toEqual([
			{ competitions: 0, entries: 0, accepted: 0, waitlisted: 0 },
		]);
	});

	test('refuses a query that is not valid, all of it at once', async () => {
		const { status, data } = await events.call(
			'GET',
			`${path}?from=2026-12-01&to=2026-11-30&discipline=CHESS&status=OPEN&venueId=7&openForEntry=yes&q=&sort=counts`,
		);
		expect([status, data.code]).toEqual([400, 'INVALID_QUERY_PARAMETER']);
		expect(data.errors?.map(({ field }) => field).sort()).toEqual([
			'discipline',
			'openForEntry',
			'q',
			'sort',
			'status',
			'to',
			'venueId',
		]);
	});
});

describe('GET /events/search', () => {
	const search = (query: string, token?: string) => names(query, token, `${path}/search`);

	test('finds by every text, however it is spelt, the best hits first', async () => {
		expect(await search('q=aehrenpreis')).toEqual(['Ährenpreis', 'Zum Ährenpreis von Tirol']);
		expect(await search('q=AHRENPR')).toEqual(['Ährenpreis', 'Zum Ährenpreis von Tirol']);
		expect(await search('q=von+tirol')).toEqual(['Zum Ährenpreis von Tirol']);
		expect(await search('q=zurser')).toEqual(['Zum Ährenpreis von Tirol', 'Dressurtage']);
		expect(await search('q=oblarn')).toEqual(['Zum Ährenpreis von Tirol', 'Dressurtage']);
		expect(await search('q=ährental')).toEqual(['Dressurtage']);
		expect(await search('q=CDN-A*')).toEqual(['Dressurtage']);
		expect(await search('q=%25%25')).toEqual([]);
		expect(await search('q=ährenpreis&sort=-startDate')).toEqual(['Zum Ährenpreis von Tirol', 'Ährenpreis']);
	});

	test('ranks a hit at the beginning before an earlier event', async () => {
		expect(await search('q=ährental')).toEqual(['Dressurtage']);
		expect(await search('q=ent&from=2026-11-01')).toEqual(['Entwurf', 'Dressurtage']);
	});

	test('finds an event by its number, combines with filters, and omits hidden events', async () => {
		const { data } = await events.call<Page<Event>>('GET', `${path}?category=CDN-A*`);
		const number = data.items[0]?.eventNumber;
		expect(await search(`q=${number}`)).toEqual(['Dressurtage']);
		expect(await search('q=ährenpreis&ruleset=FEI')).toEqual(['Zum Ährenpreis von Tirol']);
		expect(await search('q=entwurf', office.stranger)).toEqual([]);
		expect(await search('q=entwurf', office.organiser)).toEqual(['Entwurf']);
	});

	test('needs a text', async () => {
		const { status, data } = await events.call('GET', `${path}/search?ruleset=FEI`);
		expect([status, data.errors?.map(({ field, code }) => [field, code])]).toEqual([
			400,
			[['q', 'REQUIRED']],
		]);
	});
});
