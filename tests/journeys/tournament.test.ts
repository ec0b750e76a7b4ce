import { expect, test } from '@jest/globals';
import { dayAfter, dayInVienna } from '@paddock/calendar';
import { demoClubs, demoHorses, demoMembers, demoPassword } from '@paddock/demo';
import { eventually, patient } from '@paddock/testing';
import { type Recorded, useTournamentOffice } from './tournament-office.ts';

interface Entry extends Recorded {
	position: number | null;
	type: string;
	amountDue: number;
	ledger: { kind: string; amount: number; bookedBy?: string | null }[];
	swaps: { fromHorseName: string; toHorseName: string }[];
	overrides: { code: string; reason: string; byName?: string; at?: string }[];
}

interface Refusal {
	code: string;
	checks: Finding[];
}

interface Finding {
	readonly code: string;
	readonly level: string;
	readonly message: string;
	readonly rule?: { readonly source: string; readonly paragraph: string };
}

const office = useTournamentOffice();

const day = (offset: number) => dayAfter(dayInVienna(new Date()), offset);

test('a tournament from its club to its cancellation', async () => {
	const { created, rider, horse, organiserOf } = office;
	const club = await created(office.officer, '/api/members/clubs', {
		clubNumber: '3117',
		name: 'Reitverein Reise',
	});
	const venue = await created(office.officer, '/api/masterdata/venues', {
		name: 'Reitanlage Reise',
		countryCode: 'AT',
		stateCode: 'AT-3',
		timeZone: 'Europe/Vienna',
	});
	const organiser = await organiserOf(club.id);
	const statsBefore = await office.stats(day(30).slice(0, 4));

	// The organiser announces it: two places, one competition for juniors with horses of five years and more.
	const event = await created(organiser, '/api/events', {
		name: 'Reiseturnier',
		startDate: day(30),
		endDate: day(31),
		venueId: venue.id,
		organiserClubId: club.id,
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
		entryDeadline: new Date(Date.now() + 20 * 86_400_000).toISOString(),
		lateEntryUntil: new Date(Date.now() + 25 * 86_400_000).toISOString(),
		maxEntries: 2,
		fees: { entryFee: 2_500, lateSurcharge: 1_500, stable: 0, currency: 'EUR' },
	});
	const path = `/api/events/${event.id}`;
	const hidden = await office.api('GET', path);
	expect(hidden.status).toBe(404);
	const competition = await created(organiser, `${path}/competitions`, {
		number: 1,
		name: 'Junioren-Springen L',
		discipline: 'JUMPING',
		level: 'L',
		date: day(30),
		ageClasses: ['JUNIOR'],
		startFee: 1_000,
	});
	const submitted = await office.api<Recorded>('POST', `${path}/submit`, { token: organiser });
	expect([submitted.status, submitted.data.status]).toEqual([200, 'SUBMITTED']);
	expect((await office.api('POST', `${path}/publish`, { token: organiser })).status).toBe(403);
	const published = await office.api<Recorded>('POST', `${path}/publish`, { token: office.officer });
	expect([published.status, published.data.status]).toEqual([200, 'REGISTRATION_OPEN']);
	expect((await office.api('GET', path)).status).toBe(200);

	// Riders of different ages.
	const [junior, otherJunior, thirdJunior, adult] = await Promise.all([
		rider('Anna', 16, club.id),
		rider('Berta', 17, club.id),
		rider('Cilli', 18, club.id),
		rider('Dora', 34, club.id),
	]);
	const horses = await Promise.all([
		horse('Reisewind', 9, junior, club.id),
		horse('Reisefieber', 8, otherJunior, club.id),
		horse('Reiseglück', 12, thirdJunior, club.id),
		horse('Reiseleicht', 4, junior, club.id),
	]);
	const [first, second, third, tooYoung] = horses;
	const enter = (riderOf: Recorded, mount: Recorded, type?: 'LATE' | 'REGULAR') =>
		office.api<Entry & Refusal>('POST', `${path}/entries`, {
			token: organiser,
			body: {
				riderMemberId: riderOf.id,
				horseId: mount.id,
				starts: [{ competitionId: competition.id }],
				...(type === undefined ? {} : { type }),
			},
		});

	const accepted = await enter(junior, first);
	expect([accepted.status, accepted.data.status, accepted.data.amountDue]).toEqual([201, 'ACCEPTED', 3_500]);
	const forAge = await enter(adult, second);
	expect([forAge.status, errorCodes(forAge.data)]).toEqual([422, ['AGE_CLASS_MISMATCH']]);
	expect(forAge.data.checks[0]?.message).toContain('Dora');
	const forHorse = await enter(otherJunior, tooYoung);
	expect([forHorse.status, errorCodes(forHorse.data)]).toEqual([422, ['HORSE_TOO_YOUNG']]);
	expect((await enter(otherJunior, second)).data.status).toBe('ACCEPTED');
	const waiting = await enter(thirdJunior, third);
	expect([waiting.status, waiting.data.status, waiting.data.position]).toEqual([201, 'WAITLISTED', 1]);

	// A competition with entries can't be deleted.
	const kept = await office.api<Refusal>('DELETE', `/api/members/${thirdJunior.id}`, {
		token: office.officer,
	});
	expect([kept.status, kept.data.code]).toEqual([409, 'MEMBER_HAS_OPEN_ENTRIES']);
	const stabled = await office.api<Refusal>('DELETE', `/api/horses/${third.id}`, { token: office.officer });
	expect([stabled.status, stabled.data.code]).toEqual([409, 'HORSE_HAS_OPEN_ENTRIES']);

	// A withdrawal gives the place to the first entry on the waiting list.
	const withdrawn = await office.api<Entry>('POST', `${path}/entries/${accepted.data.id}/withdraw`, {
		token: organiser,
	});
	expect([withdrawn.status, withdrawn.data.status]).toEqual([200, 'WITHDRAWN']);
	const promoted = await office.api<Entry>('GET', `${path}/entries/${waiting.data.id}`, { token: organiser });
	expect([promoted.data.status, promoted.data.position]).toEqual(['ACCEPTED', null]);

	// An office.officer sets the deadline a moment ahead, and the clock closes the event.
	const stored = await office.api<Record<string, unknown>>('GET', path, { token: office.officer });
	const shut = await office.api('PUT', path, {
		token: office.officer,
		body: { ...stored.data, entryDeadline: new Date(Date.now() + patient(1_500)).toISOString() },
		headers: { 'If-Match': stored.headers.get('ETag') ?? '' },
	});
	expect(shut.status).toBe(200);
	await eventually(
		'entries are closed',
		async () => (await office.api<Recorded>('GET', path)).data.status === 'REGISTRATION_CLOSED',
	);
	const closed = await enter(otherJunior, first, 'REGULAR');
	expect([closed.status, errorCodes(closed.data)]).toEqual([422, ['EVENT_NOT_OPEN']]);
	const late = await enter(otherJunior, first, 'LATE');
	expect([late.status, late.data.status, late.data.type]).toEqual([201, 'WAITLISTED', 'LATE']);
	// Due once it has a place.
	const charges = late.data.ledger.map(({ kind, amount }) => [kind, amount]);
	expect([late.data.amountDue, charges]).toEqual([0, expect.arrayContaining([['LATE', 1_500]])]);

	const statsAfter = await office.stats(day(30).slice(0, 4));
	expect(statsAfter.totalActive - statsBefore.totalActive).toBe(1);
	expect(difference(statsAfter.entries, statsBefore.entries)).toEqual({
		total: 4,
		late: 1,
		withdrawn: 1,
		waitlisted: 1,
		pendingConfirmation: 0,
	});

	const cancelled = await office.api<Recorded>('POST', `${path}/cancel`, {
		token: organiser,
		body: { reason: 'The river has come.' },
	});
	expect([cancelled.status, cancelled.data.status]).toEqual([200, 'CANCELLED']);
	const entries = await office.api<{ items: Entry[] }>('GET', `${path}/entries?size=50`, {
		token: organiser,
	});
	expect(entries.data.items.map(({ status }) => status).sort()).toEqual([
		'CANCELLED',
		'CANCELLED',
		'CANCELLED',
		'WITHDRAWN',
	]);
	expect((await office.api('DELETE', `/api/horses/${third.id}`, { token: office.officer })).status).toBe(200);
	const calendar = await office.api('GET', '/api/events/calendar.ics');
	expect(calendar.text).toContain(`UID:${event.id}@paddock`);
	expect(calendar.text).toContain('STATUS:CANCELLED');
}, 60_000);

test('an owner enters a minor of another club: no place and no fee until the club confirms', async () => {
	const { kilian } = demoMembers;
	const list = await office.api<{ items: Recorded[] }>('GET', '/api/events?openForEntry=true&q=Reitertage');
	const path = `/api/events/${list.data.items[0]?.id}`;
	const competitions = await office.api<{ items: { id: string; ageClasses: string[] }[] }>(
		'GET',
		`${path}/competitions`,
	);
	const open = competitions.data.items.find(({ ageClasses }) => ageClasses.length === 0);
	const body = {
		riderMemberId: kilian.id,
		horseId: demoHorses.shared.id,
		starts: [{ competitionId: open?.id }],
	};
	const counts = async () => (await office.api<{ counts: object }>('GET', path)).data.counts;
	const before = await counts();

	const eva = await office.system.signIn('member@example.org', demoPassword);
	const made = await office.api<Entry>('POST', `${path}/entries`, { token: eva, body });
	expect([made.status, made.data]).toMatchObject([
		201,
		{ status: 'PENDING_CONFIRMATION', position: null, amountDue: 0 },
	]);
	expect(made.text).not.toContain(kilian.lastName);
	expect(await counts()).toEqual(before);
	const own = await office.api<Refusal>('POST', `${path}/entries/${made.data.id}/confirm`, { token: eva });
	expect([own.status, own.data.code]).toEqual([403, 'OUT_OF_SCOPE']);

	const club = await office.organiserOf(demoClubs.seeblick.id);
	const waiting = await office.api<{ items: Recorded[] }>(
		'GET',
		'/api/events/entries?status=PENDING_CONFIRMATION',
		{
			token: club,
		},
	);
	expect(waiting.data.items.map(({ id }) => id)).toEqual([made.data.id]);
	const confirmed = await office.api<Entry>('POST', `${path}/entries/${made.data.id}/confirm`, {
		token: club,
	});
	expect([confirmed.status, confirmed.data.status, confirmed.data.amountDue]).toEqual([
		200,
		'ACCEPTED',
		4_300,
	]);
}, 60_000);

test('an event from draft over return and approval to entries with an override, a swap, boxes and a refund', async () => {
	const { api, created, officer } = office;
	const club = await created(officer, '/api/members/clubs', { clubNumber: '3118', name: 'Reitverein Probe' });
	const venue = await created(officer, '/api/masterdata/venues', {
		name: 'Reitanlage Probe',
		countryCode: 'AT',
		stateCode: 'AT-3',
		timeZone: 'Europe/Vienna',
	});
	const organiser = await office.organiserOf(club.id);
	const draft = {
		name: 'Probeturnier',
		startDate: day(35),
		endDate: day(35),
		venueId: venue.id,
		organiserClubId: club.id,
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
		entryDeadline: new Date(Date.now() + 20 * 86_400_000).toISOString(),
		lateEntryUntil: new Date(Date.now() + 25 * 86_400_000).toISOString(),
		maxEntries: 1,
		maxBoxes: 2,
		fees: { entryFee: 2_500, lateSurcharge: 2_500, stable: 9_000, swap: 1_500, currency: 'EUR' },
	};
	const event = await created(organiser, '/api/events', draft);
	const path = `/api/events/${event.id}`;
	const competition = await created(organiser, `${path}/competitions`, {
		number: 1,
		name: 'Standardspringprüfung 115 cm',
		discipline: 'JUMPING',
		level: 'L',
		heightCm: 115,
		date: day(35),
		startFee: 1_000,
	});
	const competitionPath = `${path}/competitions/${competition.id}`;

	// The organiser announces prizes; the rules name what is not allowed and what is missing, with their paragraphs.
	const announce = (body: object) =>
		api<Refusal & { rule?: Finding['rule'] }>('PATCH', competitionPath, { token: organiser, body });
	const tooLittle = await announce({ prizes: [5_000, 1_000] });
	expect([tooLittle.status, tooLittle.data.code, tooLittle.data.rule]).toEqual([
		422,
		'START_FEE_TOO_HIGH',
		{ source: 'OETO', paragraph: '36.2' },
	]);
	expect((await announce({ prizes: [5_000, 4_000] })).status).toBe(200);
	const findings = async (token: string) =>
		(await api<{ items: (Finding & { competitionId: string })[] }>('GET', `${path}/findings`, { token })).data
			.items;
	expect(await findings(organiser)).toMatchObject([
		{
			code: 'DIVISION_REQUIRED',
			level: 'WARNING',
			competitionId: competition.id,
			rule: { source: 'OETO', paragraph: '39.1' },
		},
	]);

	// Organiser and office: submitted, returned, corrected, submitted, published. The public sees the last only.
	const step = async (name: string, token: string, body?: object) => {
		const { data } = await api<Recorded>('POST', `${path}/${name}`, { token, ...(body && { body }) });
		return [data.status, (await api('GET', path)).status];
	};
	expect(await step('submit', organiser)).toEqual(['SUBMITTED', 404]);
	expect((await api('PATCH', path, { token: organiser, body: { name: 'Anders' } })).status).toBe(409);
	expect(await step('return', officer, { remarks: 'Tierarzt fehlt.' })).toEqual(['RETURNED', 404]);
	const returned = await api<{ approval: { remarks: string } }>('GET', path, { token: organiser });
	expect(returned.data.approval.remarks).toBe('Tierarzt fehlt.');
	const body = { officials: [{ role: 'VETERINARIAN', name: 'Dr. Huf' }] };
	expect((await api('PATCH', path, { token: organiser, body })).status).toBe(200);
	expect((await announce({ divisions: 2, dividedBy: ['LICENCE'] })).status).toBe(200);
	expect([await findings(organiser), await findings(officer)]).toEqual([[], []]);
	expect(await step('submit', organiser)).toEqual(['SUBMITTED', 404]);
	expect(await step('publish', officer)).toEqual(['REGISTRATION_OPEN', 200]);

	const announced = await api<Record<string, unknown>>('GET', competitionPath);
	expect(announced.data).toMatchObject({
		prizes: [5_000, 4_000],
		divisions: 2,
		dividedBy: ['LICENCE'],
		currency: 'EUR',
	});
	expect((await api('GET', `${path}/findings`)).status).toBe(401);

	// The rider enters with a box, and passes the entry to another horse. Anonymous callers see no entries.
	const eva = await office.system.signIn('member@example.org', demoPassword);
	const owner = { id: demoMembers.eva.id, version: 1, status: 'ACTIVE' };
	const [lame, sound] = [
		await office.horse('Probelahm', 9, owner, club.id),
		await office.horse('Probegut', 10, owner, club.id),
	];
	const starts = [{ competitionId: competition.id }];
	const made = await api<Entry>('POST', `${path}/entries`, {
		token: eva,
		body: { riderMemberId: owner.id, horseId: lame.id, starts, boxes: 1 },
	});
	expect([made.status, made.data.status, made.data.amountDue]).toEqual([201, 'ACCEPTED', 12_500]);
	const entry = `${path}/entries/${made.data.id}`;
	const swapped = await api<Entry>('POST', `${entry}/swap`, { token: eva, body: { horseId: sound.id } });
	expect([swapped.status, swapped.data.amountDue, swapped.data.ledger.map(({ kind }) => kind)]).toEqual([
		200,
		14_000,
		['ENTRY', 'START', 'BOX', 'SWAP'],
	]);
	expect((await api('GET', entry)).status).toBe(401);
	const seen = await api<Entry>('GET', entry, { token: organiser });
	expect([seen.data.swaps, typeof seen.data.ledger[0]?.bookedBy]).toMatchObject([
		[{ fromHorseName: 'Probelahm', toHorseName: 'Probegut' }],
		'string',
	]);

	// Another rider’s horse is too young; the organiser passes the error with a reason. The entry waits. After the deadline, set by the office, the rider withdraws: the place is filled and refunded.
	const other = await office.rider('Ida', 30, club.id);
	const youngEntry = {
		riderMemberId: other.id,
		horseId: (await office.horse('Probejung', 3, other, club.id)).id,
		starts,
	};
	const refused = await api<Refusal>('POST', `${path}/entries`, { token: organiser, body: youngEntry });
	expect([refused.status, refused.data.checks.filter(({ level }) => level === 'ERROR')]).toMatchObject([
		422,
		[{ code: 'HORSE_TOO_YOUNG', rule: { source: 'OETO', paragraph: '200.7' } }],
	]);
	const overrides = [{ code: 'HORSE_TOO_YOUNG', reason: 'Ausnahme der Meldestelle' }];
	const waiting = await api<Entry>('POST', `${path}/entries`, {
		token: organiser,
		body: { ...youngEntry, overrides },
	});
	expect([waiting.status, waiting.data.status]).toEqual([201, 'WAITLISTED']);
	const passed = await api<{ items: Entry[] }>('GET', `${path}/entries?status=WAITLISTED`, {
		token: officer,
	});
	expect(passed.data.items[0]?.overrides).toMatchObject([
		{ ...overrides[0], byName: 'Organiser', at: expect.any(String) },
	]);
	const entryDeadline = new Date(Date.now() + patient(1_000)).toISOString();
	expect((await api('PATCH', path, { token: officer, body: { entryDeadline } })).status).toBe(200);
	await eventually(
		'entries are closed',
		async () => (await api<Recorded>('GET', path)).data.status === 'REGISTRATION_CLOSED',
	);
	const withdrawn = await api<Entry>('POST', `${entry}/withdraw`, { token: eva });
	expect([withdrawn.status, withdrawn.data.amountDue]).toEqual([200, 0]);
	expect(withdrawn.data.ledger.slice(4).map(({ kind, amount }) => [kind, amount])).toEqual([
		['REFUND', -9_000],
		['REFUND', -5_000],
	]);
	const promoted = await api<Entry>('GET', `${path}/entries/${waiting.data.id}`, { token: organiser });
	expect(promoted.data.status).toBe('ACCEPTED');
}, 60_000);

function difference(after: Record<string, number>, before: Record<string, number>) {
	return Object.fromEntries(
		Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]),
	);
}

function errorCodes({ checks }: Refusal): string[] {
	return checks.filter(({ level }) => level === 'ERROR').map(({ code }) => code);
}
