import { expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { useEntryDesk } from './use-events.ts';

const { events, call, stage, desk } = useEntryDesk();

interface Change {
	readonly recordType: string;
	readonly operation: string;
	readonly author: { readonly service: string | null; readonly userId: string | null };
	readonly fields: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
}

const read = (path: string, token: string) =>
	call<Page<Change>>('GET', `/api/events/${path}/history`, { token });
const typesIn = ({ items }: Page<Change>) =>
	items.map(({ recordType, operation }) => `${recordType} ${operation}`);

test('who manages the event reads the changes of the event and its competitions; others do not', async () => {
	const eventId = await stage.event();
	await stage.competition(eventId);
	const body = { description: 'Anfahrt über die Bundesstraße' };
	expect((await call('PATCH', `/api/events/${eventId}`, { token: desk.organiser, body })).status).toBe(200);
	const { data } = await read(eventId, desk.organiser);
	expect(typesIn(data)).toEqual(
		expect.arrayContaining(['EVENT CHANGED', 'COMPETITION CREATED', 'EVENT CREATED']),
	);
	expect(data.items[0]).toMatchObject({
		fields: [{ name: 'description', after: body.description }],
		// The organiser's own change.
		author: { userId: expect.any(String) },
	});
	const office = (await read(eventId, events.officer)).data;
	expect(office.items[0]?.author.userId).toBe(data.items[0]?.author.userId);
	expect((await read(eventId, events.sign({ roles: ['MEMBER'] }))).status).toBe(403);
	const stranger = events.sign({
		roles: ['MEMBER', 'ORGANISER'],
		roleScopes: { ORGANISER: { clubIds: ['5f0c3a52-6a0e-4b55-8d5d-6c2c9f6d1a77'] } },
	});
	expect((await read(eventId, stranger)).status).toBe(403);
});

test('the rider reads what concerns the own entry; another member does not', async () => {
	const eventId = await stage.event();
	const entry = await desk.enter(eventId, [await stage.competition(eventId)]);
	await desk.end(entry, 'reject');
	const path = `${eventId}/entries/${entry.id}`;
	const all = (await read(path, desk.organiser)).data;
	expect(typesIn(all)).toEqual(expect.arrayContaining(['ENTRY CHANGED', 'START CREATED', 'ENTRY CREATED']));
	const { riderMemberId: memberId } = entry;
	const own = await read(path, events.sign({ roles: ['MEMBER'], memberId }));
	expect(own.data.items.flatMap(({ fields }) => fields)).toContainEqual({
		name: 'status',
		before: 'ACCEPTED',
		after: 'REJECTED',
	});
	expect(own.data.items.map(({ author }) => author.userId)).toEqual(own.data.items.map(() => null));
	expect((await read(path, events.sign({ roles: ['MEMBER'], memberId: stage.member().id }))).status).toBe(
		404,
	);
});

test('a promotion from the waiting list is the work of the service, without the reason of the rejected entry', async () => {
	const eventId = await stage.event();
	const competitionId = await stage.competition(eventId, { maxStarters: 1 });
	const first = await desk.enter(eventId, [competitionId]);
	const waiting = await desk.enter(eventId, [competitionId]);
	await desk.end(first, 'reject');
	const { data } = await read(`${eventId}/entries/${waiting.id}`, events.officer);
	const promotion = data.items.find(({ fields }) => fields.some(({ after }) => after === 'ACCEPTED'));
	expect(promotion).toMatchObject({
		operation: 'CHANGED',
		author: { service: 'system', userId: null },
		requestId: expect.any(String),
		reason: null,
	});
	const rejection = (await read(`${eventId}/entries/${first.id}`, events.officer)).data.items[0];
	expect(rejection).toMatchObject({
		author: { service: null, userId: expect.any(String) },
		reason: 'Nicht zugelassen',
	});
});
