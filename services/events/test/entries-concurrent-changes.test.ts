import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Entry } from '../src/entries/view-schemas.ts';
import { atOnce } from './at-once.ts';
import { useEntryDesk } from './use-events.ts';

// A change looks up rider and horse before it locks the event: what it finds counts for the entry and the event that it has read.

const { events, call, stage, desk } = useEntryDesk();

let another: typeof call;
let eventId: string;
let competitionId: string;

beforeAll(async () => {
	({ call: another } = await events.another());
});

beforeEach(async () => {
	eventId = await stage.event();
	competitionId = await stage.competition(eventId);
});

const pathOf = ({ id }: Pick<Entry, 'id'>) => `/api/events/${eventId}/entries/${id}`;
const stored = ({ id }: Pick<Entry, 'id'>) =>
	events.db.selectFrom('entries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const statusesOf = (responses: readonly { status: number; data: object }[]) =>
	responses.map(({ status, data }) => (status < 300 ? status : Reflect.get(data, 'code')));

describe('behind a swap', () => {
	const swapped = (entry: Entry, body: object) => () =>
		call<object>('POST', `${pathOf(entry)}/swap`, { token: events.officer, body });

	test('starts are not added by the facts of the former pair', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const added = await stage.competition(eventId, { horseMinAge: 8 });
		const young = stage.horse({ name: 'Fohlen', birthYear: 2020 });
		const starts = [competitionId, added].map((id) => ({ competitionId: id }));
		const responses = await atOnce(events, eventId, [
			swapped(entry, { horseId: young.id }),
			() => another<object>('PATCH', pathOf(entry), { token: desk.organiser, body: { starts } }),
		]);
		expect(statusesOf(responses)).toEqual([200, 'CONFLICT']);
		expect(await stored(entry)).toMatchObject({ horseId: young.id, version: 2 });
		const rows = events.db.selectFrom('starts').select('competitionId').where('entryId', '=', entry.id);
		expect(await rows.execute()).toEqual([{ competitionId }]);
	});

	test('the former rider does not withdraw the entry', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const token = events.sign({ memberId: entry.riderMemberId });
		const responses = await atOnce(events, eventId, [
			swapped(entry, { riderMemberId: stage.member().id }),
			() => another<object>('POST', `${pathOf(entry)}/withdraw`, { token }),
		]);
		expect(statusesOf(responses)).toEqual([200, 'CONFLICT']);
		expect((await stored(entry)).status).toBe('ACCEPTED');
	});

	test('the former rider does not take the entry back', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const { riderMemberId } = entry;
		const own = stage.horse({ ownerMemberIds: [riderMemberId] });
		const next = { riderMemberId: stage.member().id, horseId: stage.horse().id };
		const responses = await atOnce(events, eventId, [
			swapped(entry, next),
			() =>
				another<object>('POST', `${pathOf(entry)}/swap`, {
					token: events.sign({ memberId: riderMemberId }),
					body: { riderMemberId, horseId: own.id },
				}),
		]);
		expect(statusesOf(responses)).toEqual([200, 'CONFLICT']);
		expect(await stored(entry)).toMatchObject(next);
	});
});

describe('behind a change of the event', () => {
	const eventPatched = (body: object) => () =>
		call<object>('PATCH', `/api/events/${eventId}`, { token: events.officer, body });

	test('the former organiser does not withdraw an entry', async () => {
		const entry = await desk.enter(eventId, [competitionId]);
		const organiserClubId = randomUUID();
		events.peers.clubs.set(organiserClubId, { id: organiserClubId, name: 'Seeblick', status: 'ACTIVE' });
		const token = events.sign({
			roles: ['MEMBER', 'ORGANISER'],
			roleScopes: { ORGANISER: { clubIds: [stage.clubId] } },
		});
		const responses = await atOnce(events, eventId, [
			eventPatched({ organiserClubId }),
			() => call<object>('POST', `${pathOf(entry)}/withdraw`, { token }),
		]);
		expect(statusesOf(responses)).toEqual([200, 'CONFLICT']);
		expect((await stored(entry)).status).toBe('ACCEPTED');
	});

	test('no entry is stored with the age classes of the former ruleset', async () => {
		await events.db
			.updateTable('competitions')
			.set({ horseMinAge: 6 })
			.where('id', '=', competitionId)
			.execute();
		const responses = await atOnce(events, eventId, [
			eventPatched({ ruleset: 'FEI', category: 'CSI1*' }),
			() =>
				call<object>('POST', `/api/events/${eventId}/entries`, {
					token: desk.organiser,
					body: desk.pair(competitionId),
				}),
		]);
		expect(statusesOf(responses)).toEqual([200, 'CONFLICT']);
		expect(await desk.stored(eventId)).toEqual([]);
	});
});
