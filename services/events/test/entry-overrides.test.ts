import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { createMetrics } from '@paddock/telemetry';
import type { TestFailure } from '@paddock/testing';
import { overrideCounter } from '../src/entries/overrides.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { RuleList } from '../src/rules/schemas.ts';
import { useEntryDesk } from './use-events.ts';

const { events, call, stage, desk } = useEntryDesk();
let eventId: string;
const path = () => `/api/events/${eventId}/entries`;
const override = (code: string) => [{ code, reason: 'Ausnahme des Verbandes' }];
const codesOf = (data: unknown) =>
	(data as { checks: Entry['checks'] }).checks.map(({ level, code }) => `${level} ${code}`);

/** A horse born in 2022 in 115 cm: four years old, five required. */
async function tooYoung() {
	const competitionId = await stage.competition(eventId, { level: 'L', heightCm: 115, horseMinAge: 5 });
	return {
		riderMemberId: stage.member().id,
		horseId: stage.horse({ birthYear: 2022 }).id,
		starts: [{ competitionId }],
	};
}

beforeEach(async () => {
	eventId = await stage.event();
});

describe('an entry that a rule forbids', () => {
	test('is refused with the paragraph, and passed by the organiser with a reason', async () => {
		const body = await tooYoung();
		const refused = await call<TestFailure>('POST', path(), { token: desk.organiser, body });
		expect([refused.status, refused.data['checks']]).toEqual([
			422,
			[
				expect.objectContaining({
					code: 'HORSE_TOO_YOUNG',
					level: 'ERROR',
					rule: { source: 'OETO', paragraph: '200.7' },
					overridable: true,
				}),
			],
		]);
		const { status, data } = await call<Entry>('POST', path(), {
			token: desk.organiser,
			body: { ...body, overrides: override('HORSE_TOO_YOUNG') },
		});
		const passed = {
			reason: 'Ausnahme des Verbandes',
			byName: 'Organiser',
			at: events.clock.now().toISOString(),
		};
		expect([status, data.status, data.needsAttention]).toEqual([201, 'ACCEPTED', false]);
		expect(data.checks).toEqual([
			expect.objectContaining({ code: 'HORSE_TOO_YOUNG', level: 'WARNING', overridden: passed }),
		]);
		expect(data.overrides).toEqual([{ code: 'HORSE_TOO_YOUNG', ...passed }]);
		const { data: list } = await call<Page<Entry>>('GET', path(), { token: desk.organiser });
		expect(list.items[0]?.overrides).toEqual(data.overrides);
		const file = await fetch(`${events.url}${path()}.csv`, {
			headers: { authorization: `Bearer ${desk.organiser}` },
		});
		expect(await file.text()).toContain('HORSE_TOO_YOUNG: Ausnahme des Verbandes (Organiser, ');
	});

	test('shows the name of the member who passed it', async () => {
		const self = stage.member({ firstName: 'Otto', lastName: 'Meldestellner' });
		const officer = events.sign({ roles: ['FEDERATION_OFFICER'], memberId: self.id });
		const body = { ...(await tooYoung()), overrides: override('HORSE_TOO_YOUNG') };
		const { data } = await call<Entry>('POST', path(), { token: officer, body });
		expect(data.overrides[0]?.byName).toBe('Otto Meldestellner');
	});

	test('is passed by nobody else', async () => {
		const body = await tooYoung();
		const rider = events.sign({ roles: ['MEMBER'], memberId: body.riderMemberId });
		const { status, data } = await call('POST', path(), {
			token: rider,
			body: { ...body, overrides: override('HORSE_TOO_YOUNG') },
		});
		expect([status, data.code]).toEqual([403, 'OUT_OF_SCOPE']);
	});

	test('stays passed when the event is judged again, but not for another reason', async () => {
		const body = { ...(await tooYoung()), overrides: override('HORSE_TOO_YOUNG') };
		const { data } = await call<Entry>('POST', path(), { token: desk.organiser, body });
		const one = () => call<Entry>('GET', `${path()}/${data.id}`, { token: desk.organiser });
		const [competitionId] = data.starts.map((start) => start.competitionId);
		const rename = await call('PATCH', `/api/events/${eventId}/competitions/${competitionId}`, {
			token: desk.organiser,
			headers: { 'content-type': 'application/merge-patch+json' },
			body: { name: 'Neuer Name' },
		});
		expect(rename.status).toBe(200);
		expect((await one()).data.checks).toEqual([
			expect.objectContaining({
				level: 'WARNING',
				overridden: expect.anything(),
				message: expect.stringContaining('Neuer Name'),
			}),
		]);
		const further = await stage.competition(eventId, { level: 'LM', heightCm: 125, horseMinAge: 5 });
		const starts = [...data.starts, { competitionId: further }];
		const refused = await call('PUT', `${path()}/${data.id}`, { token: desk.organiser, body: { starts } });
		expect([refused.status, codesOf(refused.data)]).toEqual([422, ['ERROR HORSE_TOO_YOUNG']]);
		const added = await call<Entry>('PUT', `${path()}/${data.id}`, {
			token: desk.organiser,
			body: { starts, overrides: override('HORSE_TOO_YOUNG') },
		});
		expect([added.status, codesOf(added.data), added.data.overrides.length]).toEqual([
			200,
			['WARNING HORSE_TOO_YOUNG', 'WARNING HORSE_TOO_YOUNG'],
			2,
		]);
		const { starts: read, overrides } = (await one()).data;
		const repeated = await call<Entry>('PUT', `${path()}/${data.id}`, {
			token: desk.organiser,
			body: { starts: read, overrides },
		});
		expect([repeated.status, repeated.data.overrides]).toEqual([200, overrides]);
	});

	test('is passed after a change of the event made it wrong', async () => {
		const competitionId = await stage.competition(eventId);
		const entry = await desk.enter(eventId, [competitionId]);
		await call('PATCH', `/api/events/${eventId}/competitions/${competitionId}`, {
			token: desk.organiser,
			headers: { 'content-type': 'application/merge-patch+json' },
			body: { horseMinAge: 15 },
		});
		const doubtful = await call<Entry>('GET', `${path()}/${entry.id}`, { token: desk.organiser });
		expect([doubtful.data.needsAttention, codesOf(doubtful.data)]).toEqual([true, ['ERROR HORSE_TOO_YOUNG']]);
		const { data } = await call<Entry>('PUT', `${path()}/${entry.id}`, {
			token: desk.organiser,
			body: { starts: entry.starts, overrides: override('HORSE_TOO_YOUNG') },
		});
		expect([data.needsAttention, codesOf(data)]).toEqual([false, ['WARNING HORSE_TOO_YOUNG']]);
	});

	test('is passed at the confirmation', async () => {
		const competitionId = await stage.competition(eventId);
		const foreign = { homeClubId: randomUUID() };
		const rider = stage.member(foreign);
		const horse = stage.horse({ clubId: randomUUID() });
		const created = await call<Entry>('POST', path(), {
			token: desk.organiser,
			body: { riderMemberId: rider.id, horseId: horse.id, starts: [{ competitionId }] },
		});
		expect([created.status, created.data.status]).toEqual([201, 'PENDING_CONFIRMATION']);
		await events.db
			.updateTable('competitions')
			.set({ horseMinAge: 15 })
			.where('id', '=', competitionId)
			.execute();
		const confirm = (body?: object) =>
			call<Entry>('POST', `${path()}/${created.data.id}/confirm`, {
				token: events.officer,
				...(body === undefined ? {} : { body }),
			});
		expect((await confirm()).status).toBe(422);
		const { status, data } = await confirm({ overrides: override('HORSE_TOO_YOUNG') });
		expect([status, data.status, data.overrides.length]).toEqual([200, 'ACCEPTED', 1]);
	});
});

test('passed findings are counted by code', async () => {
	const metrics = createMetrics({ prefix: 'service', service: 'events' });
	overrideCounter(metrics)([{ code: 'HORSE_TOO_YOUNG' }, { code: 'HORSE_TOO_YOUNG' }]);
	expect(await metrics.registry.metrics()).toMatch(
		/events_entry_overrides_total\{(?=[^}]*code="HORSE_TOO_YOUNG")[^}]*\} 2/,
	);
});

describe('errors that nobody passes', () => {
	test.each([
		['a suspended rider', { rider: { status: 'SUSPENDED' } }, 'RIDER_ON_SUSPENSION_LIST'],
		['a retired horse', { horse: { status: 'RETIRED' } }, 'HORSE_NOT_ACTIVE'],
		['an unknown horse', { unknown: true }, 'HORSE_UNKNOWN'],
	])(
		'%s',
		async (_name, { rider, horse, unknown }: { rider?: object; horse?: object; unknown?: boolean }, code) => {
			const body = {
				riderMemberId: stage.member(rider).id,
				horseId: unknown === true ? randomUUID() : stage.horse(horse).id,
				starts: [{ competitionId: await stage.competition(eventId) }],
				overrides: override(code),
			};
			const { status, data } = await call('POST', path(), { token: events.officer, body });
			expect([status, codesOf(data)]).toEqual([422, [`ERROR ${code}`]]);
		},
	);

	test('a closed event', async () => {
		eventId = await stage.event({ entryDeadline: new Date('2026-09-02T06:00:00Z'), lateEntryUntil: null });
		const body = {
			...desk.pair(await stage.competition(eventId)),
			overrides: override('EVENT_NOT_OPEN'),
		};
		const { status, data } = await call('POST', path(), { token: events.officer, body });
		expect([status, codesOf(data)]).toEqual([422, ['ERROR EVENT_NOT_OPEN']]);
	});
});

describe('rules about an entry', () => {
	test('a horse does not start at two events on one day, also not when both are entered at once', async () => {
		const other = await stage.event();
		const horse = stage.horse().id;
		const enter = async (id: string) => {
			const body = {
				riderMemberId: stage.member().id,
				horseId: horse,
				starts: [{ competitionId: await stage.competition(id) }],
			};
			return () => call('POST', `/api/events/${id}/entries`, { token: desk.organiser, body });
		};
		const posts = await Promise.all([enter(eventId), enter(other)]);
		const responses = await Promise.all(posts.map((post) => post()));
		expect(responses.map(({ status }) => status).sort()).toEqual([201, 422]);
		const refused = responses.find(({ status }) => status === 422);
		expect(codesOf(refused?.data)).toEqual(['ERROR HORSE_AT_TWO_EVENTS']);
	});

	test('starts that are added count with those that the entry has', async () => {
		const ids = await Promise.all([1, 2, 3, 4].map(() => stage.competition(eventId)));
		const entry = await desk.enter(eventId, ids.slice(0, 3));
		const { status, data } = await call('PUT', `${path()}/${entry.id}`, {
			token: desk.organiser,
			body: { starts: ids.map((competitionId) => ({ competitionId })) },
		});
		expect([status, codesOf(data)]).toEqual([422, ['ERROR HORSE_TOO_MANY_STARTS']]);
	});

	test('several riders start with a horse where the rules allow it, and pay one entry fee', async () => {
		const free = await stage.competition(eventId, { kind: 'LICENCE_FREE' });
		const plain = await stage.competition(eventId);
		const horseId = stage.horse().id;
		const enter = (competitionId: string) =>
			call<Entry & TestFailure>('POST', path(), {
				token: desk.organiser,
				body: { riderMemberId: stage.member().id, horseId, starts: [{ competitionId }] },
			});
		const responses = [await enter(free), await enter(free), await enter(free)];
		expect(responses.map(({ status, data }) => [status, data.amountDue])).toEqual([
			[201, 4_300],
			[201, 1_800],
			[201, 1_800],
		]);
		const fourth = await enter(free);
		expect([fourth.status, codesOf(fourth.data)]).toEqual([422, ['ERROR HORSE_TWICE_IN_COMPETITION']]);
		expect(codesOf((await enter(plain)).data)).toEqual(['ERROR ENTRY_DUPLICATE']);
	});

	test('officials who judge do not ride', async () => {
		const rider = stage.member();
		const officials = JSON.stringify([{ role: 'JUDGE', name: 'Renate Richterin', memberId: rider.id }]);
		eventId = await stage.event({ officials });
		const body = {
			riderMemberId: rider.id,
			horseId: stage.horse().id,
			starts: [{ competitionId: await stage.competition(eventId) }],
		};
		const { data } = await call('POST', path(), { token: desk.organiser, body });
		expect(codesOf(data)).toEqual(['ERROR OFFICIAL_MUST_NOT_RIDE']);
	});
});

test('the rules are public, by discipline and day', async () => {
	const { status, data } = await call<RuleList>(
		'GET',
		'/api/events/rules?discipline=JUMPING&date=2026-06-12',
	);
	expect([status, data.ruleset, data.date]).toEqual([200, 'OETO', '2026-06-12']);
	expect(data.items).toContainEqual(
		expect.objectContaining({ code: 'HORSE_TOO_YOUNG', paragraph: '200.7', min: 5, validFrom: '2026-01-01' }),
	);
	expect(data.items.filter(({ criteria }) => criteria.discipline === 'DRESSAGE')).toEqual([]);
	const fei = await call<RuleList>('GET', '/api/events/rules?ruleset=FEI');
	expect(fei.data.items).toEqual([]);
	expect((await call('GET', '/api/events/rules?date=gestern')).status).toBe(400);
});
