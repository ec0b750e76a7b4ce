import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { openApiDocument } from '@paddock/service/openapi';
import { namedSchemas } from '@paddock/testing';
import { removeDemo } from '../src/demo.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { Event } from '../src/events/view-schemas.ts';
import { eventsRoutes } from '../src/routes.ts';
import { setStage } from './stage.ts';
import { useEvents } from './use-events.ts';

const { events } = useEvents();

async function startOnce(DEMO: boolean): Promise<void> {
	await (await events.another({ DATABASE_POOL_MAX: 2, DEMO })).close();
}

async function count(table: 'events' | 'competitions' | 'entries' | 'starts'): Promise<number> {
	const rows: unknown[] = await events.db.selectFrom(table).selectAll().execute();
	return rows.length;
}

async function shownEvents(): Promise<readonly Event[]> {
	const { data } = await events.call<Page<Event>>('GET', '/api/events', { token: events.officer });
	return data.items;
}

describe('demo events', () => {
	test('are created only if configured, once, around the present day', async () => {
		await startOnce(false);
		expect(await count('events')).toBe(0);
		await startOnce(true);
		await startOnce(true);
		const shown = await shownEvents();
		expect(shown.map(({ name, status }) => [name, status])).toEqual([
			['Sommerabschluss Auwiesen', 'COMPLETED'],
			['Hochlärchner Springtage', 'REGISTRATION_OPEN'],
			['Ponyfest am Moor', 'CANCELLED'],
			['Almspringen', 'REGISTRATION_OPEN'],
			['Auwiesner Reitertage', 'REGISTRATION_OPEN'],
			['Lärchencup', 'DRAFT'],
		]);
		const full = shown.find(({ name }) => name === 'Almspringen');
		expect([full?.maxEntries, full?.counts]).toEqual([
			4,
			{ competitions: 1, entries: 7, accepted: 4, waitlisted: 3 },
		]);
		const closing = shown.find(({ name }) => name === 'Hochlärchner Springtage');
		// Tomorrow at 23:59 in Vienna; today is 15 September.
		expect(closing?.entryDeadline).toBe('2026-09-16T21:59:00.000Z');
		events.clock.advance(2 * 86_400_000);
		const later = await shownEvents();
		expect(later.find(({ id }) => id === closing?.id)?.status).toBe('REGISTRATION_CLOSED');
		events.clock.advance(-2 * 86_400_000);
	});

	test('are valid for the service', async () => {
		const [full] = (await shownEvents()).filter(({ name }) => name === 'Almspringen');
		const path = `/api/events/${full?.id}/entries`;
		const { data } = await events.call<Page<Entry>>('GET', path, { token: events.officer });
		const stage = setStage(events);
		for (const { riderMemberId, horseId } of data.items) {
			stage.member({ id: riderMemberId });
			stage.horse({ id: horseId });
		}
		expect(data.items.map(({ status, position }) => [status, position])).toEqual([
			...Array.from({ length: 4 }, () => ['ACCEPTED', null]),
			['WAITLISTED', 1],
			['WAITLISTED', 2],
			['WAITLISTED', 3],
		]);
		await events.call('POST', `${path}/${data.items[0]?.id}/withdraw`, { token: events.officer });
		const after = await events.call<Page<{ status: string; position: number | null }>>('GET', path, {
			token: events.officer,
		});
		expect(after.data.items.map(({ status, position }) => [status, position])).toEqual([
			['WITHDRAWN', null],
			...Array.from({ length: 4 }, () => ['ACCEPTED', null]),
			['WAITLISTED', 1],
			['WAITLISTED', 2],
		]);
	});

	test('are removed with everything that was added to them, and nothing else; they are not created again', async () => {
		const stage = setStage(events);
		const own = await stage.event();
		await stage.competition(own);
		const [openOne] = (await shownEvents()).filter(({ name }) => name === 'Auwiesner Reitertage');
		const competitionId = await stage.competition(openOne?.id ?? '', { number: 99 });
		const entered = await events.call('POST', `/api/events/${openOne?.id}/entries`, {
			token: events.officer,
			body: { riderMemberId: stage.member().id, horseId: stage.horse().id, starts: [{ competitionId }] },
		});
		expect(entered.status).toBe(201);
		expect(await removeDemo(events.db)).toBe(6);
		expect([await count('events'), await count('competitions')]).toEqual([1, 1]);
		expect([await count('entries'), await count('starts')]).toEqual([0, 0]);
		expect(await inTransaction(events.db, removeDemo)).toBe(0);
		await startOnce(true);
		expect(await count('events')).toBe(1);
	});
});

describe('the documentation', () => {
	const document = openApiDocument({
		title: 'Events',
		version: '0',
		description: '',
		tags: [],
		routes: eventsRoutes,
	});

	test('names every route, its body and its response', () => {
		const documented = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
			Object.keys(item as object).map((method) => `${method} ${path}`),
		);
		expect(documented.sort()).toEqual(eventsRoutes.map(({ method, path }) => `${method} ${path}`).sort());
		const schemas = Object.keys(document.components?.schemas ?? {});
		for (const name of ['Event', 'Competition'])
			expect(schemas).toEqual(expect.arrayContaining([name, `${name}Body`, `${name}Page`]));
		expect(schemas).toEqual(expect.arrayContaining(['EventStats', 'EventCancellation', 'EventVenue']));
	});

	test('has examples that the schemas allow', () => {
		const withExample = namedSchemas(eventsRoutes).filter(({ example }) => example !== undefined);
		expect(withExample.length).toBeGreaterThan(15);
		for (const { schema, name, example } of withExample)
			expect([name, schema.safeParse(example).error?.issues]).toEqual([name, undefined]);
	});
});
