import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import { requestedMails } from '@paddock/testing';
import { sql } from 'kysely';
import type { Entry } from '../src/entries/view-schemas.ts';
import { asMember, officer, officialOf, useConfirmationDesk } from './confirmation-desk.ts';

const desk = useConfirmationDesk();

const codesOf = ({ checks = [] }: { checks?: readonly { code: string }[] }) => checks.map(({ code }) => code);

// The entry of a rider counted at once, and as a horse has one entry per event it kept the owner's own entry out.
describe('a rider who enters the horse of another owner', () => {
	test('gets no place, owes nothing, and does not block the horse for its owner', async () => {
		const entry = await desk.pendingOnHorse();
		expect(entry).toMatchObject({
			missingConfirmations: ['HORSE'],
			position: null,
			amountDue: 0,
			rider: { name: 'Kilian Striegelmoser' },
			starts: [{ status: 'PENDING_CONFIRMATION' }],
		});
		const own = await desk.enter(asMember(desk.eva), { riderMemberId: desk.eva.id });
		expect([own.status, own.data.status]).toEqual([201, 'ACCEPTED']);
		const refused = await desk.step(entry, 'confirm', asMember(desk.eva));
		expect([refused.status, codesOf(refused.data)[0]]).toEqual([422, 'ENTRY_DUPLICATE']);
		await desk.step(own.data, 'withdraw', asMember(desk.eva));
		const confirmed = await desk.step(entry, 'confirm', asMember(desk.eva));
		expect(confirmed.data).toMatchObject({ status: 'ACCEPTED', missingConfirmations: [], amountDue: 4_300 });
	});

	test('waits beside other riders of the horse, of whom one is confirmed', async () => {
		const one = await desk.pendingOnHorse();
		const other = desk.stage.member();
		const two = (await desk.enter(asMember(other), { riderMemberId: other.id })).data;
		expect(two.status).toBe('PENDING_CONFIRMATION');
		const responses = await Promise.all(
			[one, two].map((entry) => desk.step(entry, 'confirm', asMember(desk.eva))),
		);
		expect(responses.map(({ status }) => status).sort()).toEqual([200, 422]);
		const twice = await desk.enter(asMember(desk.rider));
		expect(twice.status).toBe(422);
	});

	test.each([
		['an owner', () => asMember(desk.eva)],
		['the person responsible', () => asMember({ id: desk.evasHorse.responsibleMemberId ?? '' })],
		['an official of its club', () => officialOf(desk.evasHorse.clubId ?? '')],
		['the office', () => officer],
	])('needs %s, who finds the entry, reads it and confirms', async (_name, claims) => {
		const responsibleMemberId = desk.stage.member().id;
		Object.assign(desk.evasHorse, { responsibleMemberId, clubId: randomUUID() });
		desk.stage.horse(desk.evasHorse);
		const { id } = await desk.pendingOnHorse();
		const query = 'status=PENDING_CONFIRMATION';
		const list = await desk.call<Page<Entry>>('GET', `${desk.path}?${query}`, claims());
		expect(list.data.items.map((item) => item.id)).toEqual([id]);
		expect((await desk.call<Entry>('GET', `${desk.path}/${id}`, claims())).status).toBe(200);
		const confirmed = await desk.step({ id }, 'confirm', claims());
		expect([confirmed.status, confirmed.data.status]).toEqual([200, 'ACCEPTED']);
		const again = await desk.step({ id }, 'confirm', claims());
		expect([again.status, again.data.version]).toEqual([200, confirmed.data.version]);
	});

	test('can’t confirm or decline it, nor can others', async () => {
		const entry = await desk.pendingOnHorse();
		for (const name of ['confirm', 'decline'] as const)
			for (const [claims, status] of [
				[asMember(desk.rider), 403],
				[officialOf(desk.seeblick), 403],
				[desk.organiser, 403],
				[officialOf(randomUUID()), 404],
				[asMember(desk.stage.member()), 404],
			] as const)
				expect([name, (await desk.step(entry, name, claims)).status]).toEqual([name, status]);
	});

	test.each([
		['declined by the owner', 'decline', () => asMember(desk.eva), 'DECLINED'],
		['withdrawn by the owner', 'withdraw', () => asMember(desk.eva), 'WITHDRAWN'],
		['withdrawn by the rider', 'withdraw', () => asMember(desk.rider), 'WITHDRAWN'],
		['rejected by the organiser', 'reject', () => desk.organiser, 'REJECTED'],
	] as const)('has it %s', async (_name, name, claims, status) => {
		const entry = await desk.pendingOnHorse();
		const ended = await desk.step(entry, name, claims());
		expect(ended.data).toMatchObject({ status, amountDue: 0, starts: [{ status }] });
		const confirmed = await desk.step(entry, 'confirm', asMember(desk.eva));
		expect([confirmed.status, confirmed.data.code]).toEqual([409, 'ILLEGAL_STATE_TRANSITION']);
	});

	test('may add starts before the confirmation, which then names the version that was read', async () => {
		const second = await desk.stage.competition(desk.eventId);
		const entry = await desk.pendingOnHorse();
		const body = { starts: [...entry.starts, { competitionId: second }] };
		const changed = await desk.call<Entry>('PUT', `${desk.path}/${entry.id}`, asMember(desk.rider), body);
		expect([changed.status, changed.data.amountDue]).toEqual([200, 0]);
		await desk.call(
			'POST',
			`/api/events/${desk.eventId}/competitions/${desk.competitionId}/cancel`,
			desk.organiser,
		);
		const stale = await desk.events.call('POST', `${desk.path}/${entry.id}/confirm`, {
			token: desk.events.sign(asMember(desk.eva)),
			headers: { 'If-Match': `"${entry.version}"` },
		});
		expect(stale.status).toBe(412);
		const confirmed = await desk.step(entry, 'confirm', asMember(desk.eva));
		expect(confirmed.data).toMatchObject({
			status: 'ACCEPTED',
			amountDue: 4_300,
			starts: [{ status: 'CANCELLED' }, { status: 'ACCEPTED' }],
		});
	});
});

describe('an organiser who acts for neither side', () => {
	test('needs both of them, in whatever order', async () => {
		for (const [first, second, missing] of [
			[asMember(desk.rider), asMember(desk.eva), 'HORSE'],
			[asMember(desk.eva), asMember(desk.rider), 'RIDER'],
		] as const) {
			const entry = (await desk.enter(desk.organiser)).data;
			expect(entry.missingConfirmations).toEqual(['RIDER', 'HORSE']);
			const half = await desk.step(entry, 'confirm', first);
			expect(half.data).toMatchObject({
				status: 'PENDING_CONFIRMATION',
				missingConfirmations: [missing],
				amountDue: 0,
			});
			const whole = await desk.step(entry, 'confirm', second);
			expect(whole.data).toMatchObject({ status: 'ACCEPTED', missingConfirmations: [], amountDue: 4_300 });
			await desk.step(entry, 'withdraw', desk.organiser);
		}
	});
});

// Withdrawing, declining and reading used the guardian and the club of the day of entry.
describe('a new guardian and a new home club', () => {
	const newGuardian = () => {
		const guardian = desk.stage.member();
		const club = randomUUID();
		desk.stage.member({ ...desk.rider, guardianMemberId: guardian.id, homeClubId: club });
		return [asMember(guardian), officialOf(club)] as const;
	};

	test('read a pending entry with the rider’s name, and decline it', async () => {
		for (const index of [0, 1] as const) {
			const entry = await desk.pending();
			const claims = newGuardian()[index];
			const read = await desk.call<Entry>('GET', `${desk.path}/${entry.id}`, claims);
			expect([read.status, read.data.rider?.name]).toEqual([200, 'Kilian Striegelmoser']);
			const declined = await desk.step(entry, 'decline', claims);
			expect([declined.status, declined.data.status]).toEqual([200, 'DECLINED']);
		}
	});

	test('withdraw an entry; the former ones read it and do not', async () => {
		for (const index of [0, 1] as const) {
			const own = desk.stage.horse({ ownerMemberIds: [desk.rider.id] }).id;
			desk.stage.member(desk.rider);
			const entry = (await desk.enter(asMember(desk.rider), { horseId: own })).data;
			const claims = newGuardian()[index];
			for (const former of [asMember(desk.guardian), officialOf(desk.seeblick)]) {
				const refused = await desk.step(entry, 'withdraw', former);
				expect([refused.status, refused.data.code]).toEqual([403, 'OUT_OF_SCOPE']);
				expect((await desk.step(entry, 'decline', former)).status).toBe(403);
				expect((await desk.call('GET', `${desk.path}/${entry.id}`, former)).status).toBe(200);
			}
			expect((await desk.step(entry, 'withdraw', claims)).data.status).toBe('WITHDRAWN');
		}
	});

	test('of other horses get 404', async () => {
		const entry = await desk.pending();
		const [, official] = newGuardian();
		desk.stage.member(desk.rider);
		expect((await desk.call('GET', `${desk.path}/${entry.id}`, official)).status).toBe(404);
	});
});

// Their lists, the entry and its history were open to the guardian of the day of entry for ever.
describe('from the 18th birthday on', () => {
	const former = () => asMember(desk.guardian);
	const adultTomorrow = () => desk.stage.member({ ...desk.rider, dateOfBirth: '2008-09-16' });
	/** The clock shows noon of 15 September 2026. */
	const nextDay = async <Result>(work: () => Promise<Result>): Promise<Result> => {
		const untilMidnightMs = 12 * 3_600_000;
		desk.events.clock.advance(untilMidnightMs);
		try {
			return await work();
		} finally {
			desk.events.clock.advance(-untilMidnightMs);
		}
	};

	test('the guardian of the day of entry reads neither entry, list nor history, and no refusal tells of the entry', async () => {
		adultTomorrow();
		const entry = await desk.pending();
		const own = `${desk.path}/${entry.id}`;
		const reads = async () => {
			const list = await desk.call<{ items: Entry[] }>('GET', desk.path, former());
			const listed = list.data.items.map(({ id }) => id).includes(entry.id);
			const statuses = [own, `${own}/history`].map((path) => desk.call('GET', path, former()));
			return [listed, ...(await Promise.all(statuses)).map(({ status }) => status)];
		};
		desk.stage.member({ ...desk.rider, dateOfBirth: '2008-09-16', guardianMemberId: null });
		expect([await reads(), (await desk.step(entry, 'withdraw', former())).status]).toEqual([
			[true, 200, 200],
			403,
		]);
		expect(await nextDay(reads)).toEqual([false, 404, 404]);
		for (const step of ['confirm', 'decline', 'withdraw', 'reject'] as const)
			expect([step, (await nextDay(() => desk.step(entry, step, former()))).status]).toEqual([step, 404]);
		// Entries of earlier versions have the year only, which then counts from its beginning.
		await sql`update entries set judged_by = judged_by - 'riderOfAgeAt'`.execute(desk.events.db);
		expect(await reads()).toEqual([false, 404, 404]);
	});

	test('nor the rider’s name as an owner of the horse', async () => {
		adultTomorrow();
		const horse = desk.stage.horse({ clubId: null, ownerMemberIds: [desk.guardian.id, desk.eva.id] }).id;
		const waiting = (await desk.enter(asMember(desk.eva), { horseId: horse })).data;
		const seen = async () => {
			const path = `/api/events/entries?horseId=${horse}`;
			const { data } = await desk.call<{ items: Entry[] }>('GET', path, former());
			return data.items.map(({ id, rider }) => [id, rider?.name]);
		};
		expect(await seen()).toEqual([[waiting.id, 'Kilian Striegelmoser']]);
		expect(await nextDay(seen)).toEqual([[waiting.id, undefined]]);
	});

	test('nor a mail about the entry', async () => {
		adultTomorrow();
		await sql`delete from jobs.job`.execute(desk.events.db);
		const told = async () => {
			const mails = (await requestedMails(desk.events.db)).filter(({ name }) => name === 'entry-declined');
			await sql`delete from jobs.job`.execute(desk.events.db);
			expect(mails).not.toHaveLength(0);
			const recipients = mails.flatMap((mail) => mail.recipients);
			return recipients.some((each) => 'memberId' in each && each.memberId === desk.guardian.id);
		};
		await desk.step(await desk.pending(), 'decline', asMember(desk.rider));
		expect(await told()).toBe(true);
		const entry = await desk.pending();
		await nextDay(() => desk.step(entry, 'decline', asMember(desk.rider)));
		expect(await told()).toBe(false);
	});
});
