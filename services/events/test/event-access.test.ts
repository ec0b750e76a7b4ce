import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Role } from '@paddock/identity';
import { isInternalRoute } from '@paddock/service';
import type { Event } from '../src/events/view-schemas.ts';
import { eventsRoutes } from '../src/routes.ts';
import { useOffice } from './use-events.ts';

const { events, call, office } = useOffice();

const publicRoutes = [
	'GET /api/events',
	'GET /api/events/rules',
	'GET /api/events/search',
	'GET /api/events/stats',
	'GET /api/events/calendar.ics',
	'GET /api/events/{id}',
	'GET /api/events/{id}/competitions',
	'GET /api/events/{id}/competitions/{competitionId}',
];

test('what may be read without a token is listed', () => {
	const open = eventsRoutes.filter(({ access }) => access === 'public');
	expect(open.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
		[...publicRoutes].sort(),
	);
});

const closed = eventsRoutes
	.filter((route) => route.access !== 'public' && !isInternalRoute(route))
	.map(({ method, path, body }) => ({
		method: method.toUpperCase(),
		path: path.replaceAll(/\{\w+\}/g, () => randomUUID()),
		sent: body === undefined ? {} : { body: {} },
		route: path,
	}));

test.each(closed)('$method $route needs a token, and one that is valid', async ({ method, path, sent }) => {
	const codeOf = async (token?: string) => (await call(method, path, { ...sent, token })).data.code;
	expect(await codeOf()).toBe('UNAUTHENTICATED');
	expect(await codeOf(events.expired)).toBe('TOKEN_EXPIRED');
	expect(await codeOf(`${events.officer}x`)).toBe('INVALID_TOKEN');
	expect(await codeOf(events.service)).toBe('INVALID_TOKEN');
});

/** Permissions by the roles of a token: own = it covers the event's club, other = another club, none = no scope. */
const people: readonly (readonly [Role, 'own' | 'other' | 'none', boolean])[] = [
	['MEMBER', 'own', false],
	['CLUB_OFFICIAL', 'own', true],
	['CLUB_OFFICIAL', 'other', false],
	['CLUB_OFFICIAL', 'none', false],
	['ORGANISER', 'own', true],
	['ORGANISER', 'other', false],
	['ORGANISER', 'none', false],
	['FEDERATION_OFFICER', 'none', true],
	['ADMIN', 'none', true],
];

describe.each(people)('%s, scope %s', (role, scope, may) => {
	const tokenOf = () => {
		const clubIds = { own: [office.clubId], other: [randomUUID()], none: undefined }[scope];
		return events.sign({
			roles: [role],
			...(clubIds === undefined ? {} : { roleScopes: { [role]: { clubIds } } }),
		});
	};
	const isOffice = role === 'FEDERATION_OFFICER' || role === 'ADMIN';
	const outOfScope = role === 'MEMBER' ? 'FORBIDDEN' : 'OUT_OF_SCOPE';

	test(`${may ? 'runs' : 'does not run'} a published event`, async () => {
		const event = await office.published();
		const one = await office.competition(event.id);
		const two = await office.competition(event.id);
		const path = `/api/events/${event.id}`;
		const token = tokenOf();
		const steps: readonly (readonly [string, string, unknown, number])[] = [
			['POST', '/api/events', office.body(), 201],
			['PUT', path, office.body({ name: 'Neu' }), 200],
			// Announced values are the office's, and so is a further competition.
			['POST', `${path}/competitions`, office.competitionBody(), isOffice ? 201 : 403],
			['PUT', `${path}/competitions/${one.id}`, office.competitionBody({ number: one.number }), 200],
			['POST', `${path}/competitions/${one.id}/cancel`, undefined, 200],
			['DELETE', `${path}/competitions/${two.id}`, undefined, 200],
			['POST', `${path}/cancel`, { reason: 'Regen' }, 200],
		];
		for (const [method, route, body, expected] of steps) {
			const { status, data } = await call(method, route, { token, ...(body === undefined ? {} : { body }) });
			expect([method, route, status]).toEqual([method, route, may ? expected : 403]);
			if (!may) expect(data.code).toBe(outOfScope);
			else if (expected === 403) expect([data.code, data['fields']]).toEqual(['FORBIDDEN', ['competitions']]);
		}
	});

	test(`${may ? 'runs' : 'does not even see'} a draft`, async () => {
		const event = await office.draft();
		const { id } = await office.competition(event.id);
		const path = `/api/events/${event.id}`;
		const token = tokenOf();
		const hidden = role === 'MEMBER' ? 403 : 404;
		const steps: readonly (readonly [string, string, unknown, number])[] = [
			['GET', path, undefined, may ? 200 : 404],
			['GET', `${path}/competitions/${id}`, undefined, may ? 200 : 404],
			['PUT', path, office.body(), may ? 200 : hidden],
			['POST', `${path}/submit`, undefined, may ? 200 : hidden],
			['POST', `${path}/recall`, undefined, may ? 200 : hidden],
			['POST', `${path}/publish`, undefined, isOffice ? 200 : may ? 403 : hidden],
			['POST', `${path}/complete`, undefined, may ? 409 : hidden],
			['DELETE', path, undefined, isOffice ? 409 : may ? 200 : hidden],
		];
		for (const [method, route, body, expected] of steps) {
			const { status } = await call(method, route, { token, ...(body === undefined ? {} : { body }) });
			expect([method, route, status]).toEqual([method, route, expected]);
		}
	});
});

test('organisers can neither transfer an event to another club nor take one over', async () => {
	const { id } = await office.draft();
	const other = office.club();
	const given = await call('PUT', `/api/events/${id}`, {
		token: office.organiser,
		body: office.body({ organiserClubId: other }),
	});
	expect([given.status, given.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	const { id: published } = await office.published();
	const taken = await call('PUT', `/api/events/${published}`, {
		token: events.sign({ roles: ['ORGANISER'], roleScopes: { ORGANISER: { clubIds: [other] } } }),
		body: office.body({ organiserClubId: other }),
	});
	expect([taken.status, taken.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	const made = await call('POST', '/api/events', {
		token: office.organiser,
		body: office.body({ organiserClubId: other }),
	});
	expect([made.status, made.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
});

describe('GET /events/{id}', () => {
	const refusal = async (route: string) => {
		const { status, data } = await call('GET', route);
		return [status, data.code];
	};

	test('shows drafts to their managers; 404 for others', async () => {
		const { id } = await office.draft();
		const route = `/api/events/${id}`;
		for (const token of [office.organiser, office.official, events.officer])
			expect((await call<Event>('GET', route, { token })).data.id).toBe(id);
		const unknown = await call('GET', `/api/events/${randomUUID()}`);
		for (const token of [undefined, events.sign(), office.stranger]) {
			const { status, data, message } = await call('GET', route, { token });
			expect([status, data.code, message]).toEqual([404, 'NOT_FOUND', unknown.message]);
		}
	});

	test('has an ETag, which also changes with the data shown beside the record', async () => {
		const { id } = await office.published();
		const route = `/api/events/${id}`;
		const seen = await call<Event>('GET', route);
		const requested = { headers: { 'If-None-Match': seen.headers.get('etag') ?? '' } };
		expect((await call('GET', route, requested)).status).toBe(304);
		await office.competition(id, { date: seen.data.startDate });
		const later = await call<Event>('GET', route, requested);
		expect([later.status, later.data.version]).toEqual([200, seen.data.version]);
		expect(later.data.counts.competitions).toBe(seen.data.counts.competitions + 1);
	});

	test('shows public events to all callers and others to signed-in ones', async () => {
		const shown = await office.published();
		const hidden = await office.published({ isPublic: false });
		const seen = await call<Event>('GET', `/api/events/${shown.id}`);
		expect([seen.status, seen.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
		expect(await refusal(`/api/events/${hidden.id}`)).toEqual([404, 'NOT_FOUND']);
		expect((await call('GET', `/api/events/${hidden.id}`, { token: events.sign() })).status).toBe(200);
		expect(await refusal('/api/events/1')).toEqual([400, 'INVALID_ID']);
	});
});
