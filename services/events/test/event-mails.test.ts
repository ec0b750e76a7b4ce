import { beforeEach, describe, expect, test } from '@jest/globals';
import { dayAfter } from '@paddock/calendar';
import { inTransaction } from '@paddock/database';
import { type MailRequest, mailRecipientsMax } from '@paddock/mail';
import { requestedMails } from '@paddock/testing';
import { sql } from 'kysely';
import { sendDueReminders } from '../src/events/reminders.ts';
import { useOffice } from './use-events.ts';

const { events, stage, office } = useOffice();

beforeEach(async () => {
	await sql`delete from jobs.job`.execute(events.db);
});

const mails = () => requestedMails(events.db);
const named = async (name: string) => (await mails()).filter((mail) => mail.name === name);
const textOf = (mail: MailRequest | undefined) => JSON.stringify([mail?.de, mail?.en]);
const managers = () => [{ clubId: office.clubId }];

/** Beyond those of the stage and the office. */
let numbers = 50_000;

/** A published event of the office's club with a competition. */
async function publishedEvent(changes: Parameters<typeof stage.event>[0] = {}) {
	numbers += 1;
	const eventNumber = String(numbers);
	const id = await stage.event({ organiserClubId: office.clubId, eventNumber, ...changes });
	return { id, competitionId: await stage.competition(id) };
}

async function enter(
	{ id, competitionId }: Awaited<ReturnType<typeof publishedEvent>>,
	rider = stage.member(),
	ownerMemberIds: string[] = [rider.id],
) {
	const body = {
		riderMemberId: rider.id,
		horseId: stage.horse({ ownerMemberIds }).id,
		starts: [{ competitionId }],
	};
	const token = events.sign({ memberId: rider.id });
	const { status, text } = await events.call('POST', `/api/events/${id}/entries`, { token, body });
	if (status !== 201) throw new Error(text);
	return rider;
}

describe('approval', () => {
	test('the managers of the event are told of a return with its remarks, and of the publication', async () => {
		const { id, startDate } = await office.draft();
		await office.competition(id, { date: startDate });
		await office.step(id, 'submit');
		expect(await mails()).toEqual([]);
		await office.step(id, 'return');
		await office.step(id, 'submit');
		await office.step(id, 'publish');
		const [returned, published, ...others] = await mails();
		expect([returned?.name, returned?.category, returned?.recipients]).toEqual([
			'event-returned',
			'EVENTS',
			managers(),
		]);
		expect(textOf(returned)).toContain('Der Tierarzt fehlt.');
		expect([published?.name, published?.recipients, others]).toEqual(['event-published', managers(), []]);
		// A refused step tells nobody.
		expect((await office.step(id, 'return')).status).toBe(409);
		expect(await mails()).toHaveLength(2);
	});
});

describe('a cancelled event', () => {
	test('tells the managers and the parties of entries that had not ended, with their entries and the reason', async () => {
		const event = await publishedEvent();
		const rider = await enter(event);
		const owner = stage.member();
		const pending = await enter(event, stage.member({ lastName: 'Ander' }), [owner.id]);
		await events.db
			.updateTable('entries')
			.set({ status: 'WITHDRAWN' })
			.where('riderMemberId', '=', (await enter(event)).id)
			.execute();
		await sql`delete from jobs.job`.execute(events.db);
		await office.step(event.id, 'cancel', events.officer);
		const [mail, ...others] = await mails();
		expect([mail?.name, others]).toEqual(['event-cancelled', []]);
		expect(textOf(mail)).toContain('Hochwasser');
		expect(mail?.recipients).toEqual([
			...managers(),
			{ memberId: pending.id, about: 'Eva Ander, Lärchenglut (2)' },
			{ memberId: owner.id, about: 'Eva Ander, Lärchenglut (2)' },
			{ memberId: rider.id, about: 'Eva Zügelbauer, Lärchenglut (1)' },
		]);
	});

	test('with many entries is one statement more, and its requests fit into a body', async () => {
		const event = await publishedEvent();
		await enter(event);
		await sql`
			insert into entries select (jsonb_populate_record(entries, jsonb_build_object(
				'id', gen_random_uuid(), 'entry_number', number, 'horse_id', gen_random_uuid(), 'rider_member_id', gen_random_uuid(),
				'rider_name', repeat('Ü', 100) || ' ' || number, 'horse_keeper_ids', jsonb_build_array(gen_random_uuid())
			))).* from entries, generate_series(2, 500) as number where event_id = ${event.id}`.execute(events.db);
		await sql`delete from jobs.job`.execute(events.db);
		await office.step(event.id, 'cancel', events.officer);
		const requests = await named('event-cancelled');
		const recipients = requests.flatMap((each) => each.recipients);
		// The managers, the first rider, and rider and keeper of each other one.
		expect(recipients).toHaveLength(1 + 1 + 2 * 499);
		for (const request of requests) {
			expect(request.recipients.length).toBeLessThanOrEqual(mailRecipientsMax);
			expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThan(100_000);
		}
		expect(requests).toHaveLength(Math.ceil(recipients.length / mailRecipientsMax));
	});

	// Half a character in JSON is refused by PostgreSQL: the event could not be cancelled.
	test.each(['x'.repeat(39), 'x'.repeat(40), '🏇'.repeat(200)])(
		'is cancelled with a rider %s',
		async (riderName) => {
			const event = await publishedEvent();
			await enter(event);
			const names = { riderName, horseName: '🐴'.repeat(60) };
			await events.db.updateTable('entries').set(names).where('eventId', '=', event.id).execute();
			expect((await office.step(event.id, 'cancel', events.officer)).status).toBe(200);
			const [mail] = await named('event-cancelled');
			const abouts = mail?.recipients.flatMap((each) => ('about' in each ? (each.about ?? []) : [])) ?? [];
			expect(abouts).toHaveLength(1);
			for (const about of abouts)
				expect([about.isWellFormed(), about.length > 150, about.length <= 160]).toEqual([true, true, true]);
		},
	);

	test('that was a draft tells nobody', async () => {
		const { id } = await office.draft();
		await office.step(id, 'cancel', events.officer);
		expect(await mails()).toEqual([]);
	});
});

test('a rescheduled event tells the managers and the parties of the new dates; the same dates again tell nobody', async () => {
	const event = await publishedEvent();
	const rider = await enter(event);
	const move = () =>
		events.call('POST', `/api/events/${event.id}/reschedule`, {
			token: events.officer,
			body: { startDate: '2026-10-30', endDate: '2026-11-01' },
		});
	expect((await move()).status).toBe(200);
	expect((await move()).status).toBe(200);
	const [mail, ...others] = await mails();
	expect([mail?.name, others]).toEqual(['event-rescheduled', []]);
	expect(mail?.recipients).toEqual([...managers(), expect.objectContaining({ memberId: rider.id })]);
	for (const text of [
		'23. Oktober 2026',
		'30. Oktober 2026 bis 1. November 2026',
		'19. Oktober 2026 um 23:59',
	])
		expect(textOf(mail)).toContain(text);
});

// Only the route for it sent the mail.
test.each(['PUT', 'PATCH'])('%s of other days sends the same mail; of another name none', async (method) => {
	const event = await publishedEvent();
	const rider = await enter(event);
	const path = `/api/events/${event.id}`;
	const token = events.officer;
	const change = async (changes: object) => {
		const { data } = await events.call<object>('GET', path, { token });
		const body = method === 'PUT' ? { ...data, ...changes } : changes;
		return events.call(method, path, { token, body });
	};
	expect((await change({ name: 'Herbstturnier' })).status).toBe(200);
	expect(await mails()).toEqual([]);
	expect((await change({ name: 'Herbstturnier', endDate: '2026-10-26' })).status).toBe(200);
	const [mail, ...others] = await mails();
	expect([mail?.name, others]).toEqual(['event-rescheduled', []]);
	expect(mail?.recipients).toEqual([...managers(), expect.objectContaining({ memberId: rider.id })]);
	expect(textOf(mail)).toContain('23 October 2026 to 25 October 2026');
	expect(textOf(mail)).toContain('23 October 2026 to 26 October 2026');
	expect(textOf(mail)).not.toContain('free of charge');
});

// It read as a reschedule without another date.
test('another entry deadline alone sends a mail of both deadlines', async () => {
	const event = await publishedEvent();
	const rider = await enter(event);
	const body = { entryDeadline: '2026-10-10T21:59:00Z' };
	const path = `/api/events/${event.id}`;
	expect((await events.call('PATCH', path, { token: events.officer, body })).status).toBe(200);
	const [mail, ...others] = await mails();
	expect([mail?.name, others]).toEqual(['entry-deadline-changed', []]);
	expect(mail?.recipients).toEqual([...managers(), expect.objectContaining({ memberId: rider.id })]);
	for (const text of [
		'Nennschluss geändert',
		'["Former entry deadline","12 October 2026 at 23:59 (Vienna)"]',
		'["New entry deadline","10 October 2026 at 23:59 (Vienna)"]',
	])
		expect(textOf(mail)).toContain(text);
});

test('a competition on another day sends a mail to the parties of its starts only, another name sends none', async () => {
	const event = await publishedEvent();
	const rider = await enter(event);
	await enter({ id: event.id, competitionId: await stage.competition(event.id) });
	const path = `/api/events/${event.id}/competitions/${event.competitionId}`;
	const change = (body: object) => events.call('PATCH', path, { token: events.officer, body });
	expect((await change({ name: 'Standardspringen' })).status).toBe(200);
	expect(await mails()).toEqual([]);
	expect((await change({ date: '2026-10-25' })).status).toBe(200);
	const [mail, ...others] = await mails();
	expect([mail?.name, others]).toEqual(['competition-rescheduled', []]);
	expect(mail?.recipients).toEqual([expect.objectContaining({ memberId: rider.id })]);
	expect(textOf(mail)).toContain('25 October 2026');
});

test('a cancelled competition tells the parties of its starts only', async () => {
	const event = await publishedEvent();
	const rider = await enter(event);
	const other = await stage.competition(event.id);
	await enter({ id: event.id, competitionId: other });
	const path = `/api/events/${event.id}/competitions/${event.competitionId}/cancel`;
	expect((await events.call('POST', path, { token: events.officer })).status).toBe(200);
	const [mail, ...others] = await mails();
	expect([mail?.name, others]).toEqual(['competition-cancelled', []]);
	expect(mail?.recipients).toEqual([expect.objectContaining({ memberId: rider.id })]);
});

describe('reminders', () => {
	beforeEach(async () => {
		await sql`delete from sent_reminders`.execute(events.db);
		// Those of other tests are over.
		await events.db
			.updateTable('events')
			.set({ status: 'COMPLETED' })
			.where('status', '=', 'PUBLISHED')
			.execute();
	});
	const jobs = {
		enqueueAll: async (db: unknown, _queue: unknown, all: readonly { id: string; data: object }[]) => {
			for (const { id, data } of all)
				await sql`insert into jobs.job (id, name, data, policy) values (${id}, 'mail-requests', ${JSON.stringify(data)}, 'standard')`.execute(
					db as typeof events.db,
				);
		},
	} as Parameters<typeof sendDueReminders>[0]['jobs'];
	const approval = { isRequired: true, submissionDays: 28 };
	const directory = {
		members: async () => events.peers.members,
		horses: async () => events.peers.horses,
	};
	const remind = (changes = {}) =>
		sendDueReminders({ db: events.db, jobs, directory, approval, now: events.clock.now(), ...changes });
	const later = (hours: number) => new Date(events.clock.now().getTime() + hours * 3_600_000);
	const sent = async () => (await mails()).map(({ name }) => name);

	test('of confirmations that are missing a day before the deadline: one mail for an event, to each side its entries, once', async () => {
		const deadline = later(24);
		const event = await publishedEvent({ entryDeadline: deadline });
		const owner = stage.member();
		await enter(event, stage.member({ lastName: 'Ander' }), [owner.id]);
		await enter(event, stage.member({ lastName: 'Berger' }), [owner.id]);
		await enter(event);
		await sql`delete from jobs.job`.execute(events.db);
		await remind({ now: later(-1) });
		expect(await sent()).toEqual([]);
		// An attempt that fails, like one of a process that is killed, leaves no trace.
		const failing = { enqueueAll: () => Promise.reject(new Error('no space left')) };
		await expect(remind({ jobs: failing })).rejects.toMatchObject({
			errors: [new Error('no space left'), new Error('no space left')],
		});
		await Promise.all([remind(), remind(), remind()]);
		await remind();
		const [mail, ...others] = await named('entry-expiring');
		expect(others).toEqual([]);
		expect([mail?.canBeSwitchedOff, mail?.recipients]).toEqual([
			false,
			expect.arrayContaining([
				{ memberId: owner.id, about: 'Eva Ander, Lärchenglut (1)' },
				{ memberId: owner.id, about: 'Eva Berger, Lärchenglut (2)' },
			]),
		]);
		expect(mail?.recipients).toHaveLength(2);
		// Another deadline is reminded of again.
		await events.db
			.updateTable('events')
			.set({ entryDeadline: later(48) })
			.where('id', '=', event.id)
			.execute();
		await remind({ now: later(30) });
		expect(await named('entry-expiring')).toHaveLength(2);
	});

	// Who had sold the horse, or was the guardian of an adult, was reminded, and the buyer was not.
	test('go to the owners and the guardian of today', async () => {
		const event = await publishedEvent({ entryDeadline: later(24) });
		const [seller, buyer, guardian] = [stage.member(), stage.member(), stage.member()];
		const rider = stage.member({ dateOfBirth: '2014-10-26', guardianMemberId: guardian.id });
		const horse = stage.horse({ ownerMemberIds: [seller.id] });
		const body = {
			riderMemberId: rider.id,
			horseId: horse.id,
			starts: [{ competitionId: event.competitionId }],
		};
		const byOffice = events.sign({
			roles: ['ORGANISER'],
			roleScopes: { ORGANISER: { clubIds: [office.clubId] } },
		});
		const made = await events.call('POST', `/api/events/${event.id}/entries`, { token: byOffice, body });
		expect(made.status).toBe(201);
		const other = stage.member();
		stage.horse({ ...horse, ownerMemberIds: [buyer.id] });
		stage.member({ ...rider, dateOfBirth: '2013-10-26', guardianMemberId: other.id });
		await remind();
		const [mail] = await named('entry-expiring');
		const ids = mail?.recipients.flatMap((each) => ('memberId' in each ? [each.memberId] : []));
		expect(ids?.toSorted()).toEqual([rider.id, other.id, buyer.id].sort());
		const stored = await events.db
			.selectFrom('entries')
			.select('judgedBy')
			.where('eventId', '=', event.id)
			.executeTakeFirstOrThrow();
		expect(stored.judgedBy?.riderOfAgeAt).toBe('2031-10-25T22:00:00.000Z');
	});

	// A confirmation that was missing ended the entry in silence.
	test('go to all parties and to the account that made the entry once it has expired, once', async () => {
		const event = await publishedEvent({ entryDeadline: later(24) });
		const owner = stage.member();
		const rider = await enter(event, stage.member({ lastName: 'Ander' }), [owner.id]);
		await remind({ now: later(24) });
		expect(await named('entries-expired')).toEqual([]);
		await remind({ now: later(25) });
		await remind({ now: later(26) });
		const [mail, ...others] = await named('entries-expired');
		expect(others).toEqual([]);
		const { enteredBy } = await events.db
			.selectFrom('entries')
			.select('enteredBy')
			.where('eventId', '=', event.id)
			.executeTakeFirstOrThrow();
		const about = 'Eva Ander, Lärchenglut (1)';
		expect(mail?.recipients).toEqual([
			{ memberId: rider.id, about },
			{ memberId: owner.id, about },
			{ userId: enteredBy, about },
		]);
		expect(textOf(mail)).toContain('The entry has expired; nothing is due.');
	});

	test('are not sent of an entry that is confirmed while members and horses are read', async () => {
		const event = await publishedEvent({ entryDeadline: later(24) });
		await enter(event, stage.member(), [stage.member().id]);
		const confirming = {
			...directory,
			members: async () => {
				await events.db
					.updateTable('entries')
					.set({ status: 'ACCEPTED', isHorseConfirmed: true })
					.where('eventId', '=', event.id)
					.execute();
				return events.peers.members;
			},
		};
		await remind({ directory: confirming });
		expect(await named('entry-expiring')).toEqual([]);
	});

	// An owner learned whose member id it was by entering it on the own horse.
	test('name the rider to others only once the side of the rider has confirmed', async () => {
		const event = await publishedEvent({ entryDeadline: later(24) });
		const [rider, owner] = [stage.member({ lastName: 'Geheim' }), stage.member()];
		const path = `/api/events/${event.id}/entries`;
		const body = {
			riderMemberId: rider.id,
			horseId: stage.horse({ ownerMemberIds: [owner.id] }).id,
			starts: [{ competitionId: event.competitionId }],
		};
		const token = events.sign({ memberId: owner.id });
		const made = await events.call('POST', path, { token, body });
		expect([made.status, made.data]).toEqual([
			201,
			expect.not.objectContaining({ rider: expect.anything() }),
		]);
		await remind({ now: later(25) });
		await office.step(event.id, 'cancel', events.officer);
		const all = await mails();
		const recipients = all.flatMap((mail) => (mail.recipients as object[]).map((of) => ({ ...of })));
		expect(all.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['entries-expired', 'event-cancelled']),
		);
		const isNamed = (of: object) => JSON.stringify(of).includes('Geheim');
		expect(recipients.filter(isNamed)).toEqual([
			{ memberId: rider.id, about: 'Eva Geheim, Lärchenglut (1)' },
			{ memberId: rider.id, about: 'Eva Geheim, Lärchenglut (1)' },
		]);
		expect(recipients).toContainEqual({ memberId: owner.id, about: 'Lärchenglut (1)' });
	});

	test('of the entry deadline, a day before and after it, with the numbers of entries; not of one long ago', async () => {
		const event = await publishedEvent({ entryDeadline: later(24), maxEntries: 1 });
		await enter(event);
		await enter(event);
		await sql`delete from jobs.job`.execute(events.db);
		await Promise.all([remind(), remind()]);
		expect(await sent()).toEqual(['entry-deadline-tomorrow']);
		const [before] = await mails();
		expect([before?.category, before?.recipients]).toEqual(['REMINDERS', managers()]);
		expect(textOf(before)).toContain(
			'["Angenommen","1"],["Auf der Warteliste","1"],["Ohne Bestätigung","0"]',
		);
		await remind({ now: later(25) });
		await remind({ now: later(26) });
		expect(await sent()).toEqual(['entry-deadline-tomorrow', 'entry-deadline-passed']);
		await sql`delete from sent_reminders`.execute(events.db);
		await remind({ now: later(24 + 49) });
		expect(await named('entry-deadline-passed')).toHaveLength(1);
	});

	test('of an event that is over and not completed, and of a draft whose submission is due', async () => {
		const { id } = await publishedEvent({ startDate: '2026-09-13', endDate: '2026-09-13' });
		await remind();
		expect(await sent()).toEqual(['event-completion-missing']);
		await events.db.updateTable('events').set({ status: 'COMPLETED' }).where('id', '=', id).execute();
		const due = { organiserClubId: office.clubId, status: 'DRAFT' as const };
		const on = (days: number) => ({ startDate: dayAfter(today, days), endDate: dayAfter(today, days) });
		const today = '2026-09-15';
		await stage.event({ ...due, eventNumber: '60001', ...on(35), name: 'fällig' });
		await stage.event({ ...due, eventNumber: '60002', ...on(36), name: 'später' });
		await stage.event({ ...due, eventNumber: '60003', ...on(27), name: 'zu spät' });
		await stage.event({
			...due,
			eventNumber: '60004',
			...on(30),
			approval: 'SUBMITTED',
			name: 'eingereicht',
		});
		await remind({ approval: { ...approval, isRequired: false } });
		expect(await sent()).toHaveLength(1);
		await remind();
		await remind();
		const submissions = await named('event-submission-due');
		expect(submissions).toHaveLength(1);
		expect(textOf(submissions[0])).toContain('fällig');
		expect(textOf(submissions[0])).toContain('22. September 2026');
	});

	test('are found by indexes', async () => {
		const { rows } = await inTransaction(events.db, async (db) => {
			await sql`set local enable_seqscan = off`.execute(db);
			return sql<object>`
				explain select 1 from events join entries on entries.event_id = events.id
				where events.status = 'PUBLISHED' and ends_at > now() and entries.status = 'PENDING_CONFIRMATION' and (
					(coalesce(entry_deadline, 'infinity') > now() and coalesce(entry_deadline, 'infinity') <= now() + interval '1 day')
					or (starts_at > now() and starts_at <= now() + interval '1 day')
				)`.execute(db);
		});
		for (const index of ['on events', 'entries_undecided_list_index'])
			expect(JSON.stringify(rows)).toContain(index);
	});
});
