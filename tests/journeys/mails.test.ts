import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dayAfter, dayInVienna } from '@paddock/calendar';
import { demoClubs, demoPassword } from '@paddock/demo';
import {
	eventually,
	type MailServer,
	openTestPool,
	type ReceivedMail,
	startMailServer,
} from '@paddock/testing';
import { sql } from 'kysely';
import { generate } from 'otplib';
import { type Recorded, useTournamentOffice } from './tournament-office.ts';

// What people do by mail, through the gateway and a real mail server.

let server: MailServer;
beforeAll(async () => {
	server = await startMailServer();
});
const office = useTournamentOffice(() => ({
	SMTP_URL: server.url,
	EMAIL_VERIFICATION: 'on',
	JOB_POLL_MS: '500',
}));
afterAll(async () => {
	await server?.stop();
});

const password = 'a gate that never sticks';
const clubId = demoClubs.auwiesen.id;

/** The next mail to an address with that text in its subject. */
async function mailTo(email: string, subject: string): Promise<ReceivedMail> {
	const found = () => server.to(email).find((mail) => mail.subject.includes(subject));
	await eventually(`the mail "${subject}" came`, () => found() !== undefined, 20_000);
	return found() as ReceivedMail;
}

const tokenIn = ({ text }: ReceivedMail) => /#(?:token=)?([\w-]{20,})/.exec(text)?.[1] ?? '';

async function posted<Data>(path: string, body: unknown, token?: string, status = 200): Promise<Data> {
	const response = await office.api<Data>('POST', path, { body, ...(token && { token }) });
	if (response.status !== status)
		throw new Error(`POST ${path} responded ${response.status}: ${response.text}`);
	return response.data;
}

/** A registered account whose address was verified by the link of the mail. */
async function newAccount(): Promise<string> {
	const email = `gerda.${randomUUID().slice(0, 8)}@example.org`;
	await posted('/auth/register', { email, password, firstName: 'Gerda', lastName: 'Huber' }, undefined, 201);
	const mail = await mailTo(email, 'bestätigen Sie Ihre E-Mail-Adresse');
	await posted('/auth/verify-email', { token: tokenIn(mail) });
	return email;
}

const signIn = (email: string) => office.system.signIn(email, password);

async function newEvent(): Promise<{ readonly id: string; readonly competitionId: string }> {
	const { officer, created } = office;
	const day = (offset: number) => dayAfter(dayInVienna(new Date()), offset);
	const venue = await created(officer, '/api/masterdata/venues', {
		name: `Reitanlage ${randomUUID().slice(0, 8)}`,
		countryCode: 'AT',
		stateCode: 'AT-3',
		timeZone: 'Europe/Vienna',
	});
	const { id } = await created(officer, '/api/events', {
		name: 'Posttagsturnier',
		startDate: day(30),
		endDate: day(31),
		venueId: venue.id,
		organiserClubId: clubId,
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
		entryDeadline: new Date(Date.now() + 20 * 86_400_000).toISOString(),
		maxEntries: 1,
		fees: { entryFee: 2_500, lateSurcharge: 1_500, stable: 0, currency: 'EUR' },
	});
	const competition = await created(officer, `/api/events/${id}/competitions`, {
		number: 1,
		name: 'Springen A',
		discipline: 'JUMPING',
		level: 'A',
		date: day(30),
		startFee: 1_000,
	});
	await posted(`/api/events/${id}/publish`, undefined, officer);
	return { id, competitionId: competition.id };
}

test('a guardian registers, verifies, claims the child, enters it once the club has confirmed, and hears of the promotion and of the cancellation', async () => {
	const { officer, api } = office;
	const child = await office.rider('Lena', 14, clubId);
	const sibling = await office.rider('Max', 15, clubId);
	const email = await newAccount();
	const official = await office.system.signIn('official@example.org', demoPassword);
	for (const { id } of [child, sibling]) {
		const { data: record } = await api<{ membershipNumber: string; dateOfBirth: string }>(
			'GET',
			`/api/members/${id}`,
			{ token: officer },
		);
		const { membershipNumber, dateOfBirth } = record;
		const claim = { relationship: 'GUARDIAN', membershipNumber, dateOfBirth };
		const link = await posted<Recorded>('/auth/member-links', claim, await signIn(email), 201);
		await posted(`/auth/member-links/${link.id}/confirm`, undefined, official);
	}
	const guardian = await signIn(email);
	const event = await newEvent();
	const path = `/api/events/${event.id}`;
	const enter = async (rider: Recorded, name: string, token: string) => {
		const horse = await office.horse(name, 9, rider, clubId);
		const body = {
			riderMemberId: rider.id,
			horseId: horse.id,
			starts: [{ competitionId: event.competitionId }],
		};
		return posted<Recorded>(`${path}/entries`, body, token, 201);
	};
	const first = await enter(await office.rider('Anna', 30, clubId), 'Ersthorse', officer);
	const own = await enter(child, 'Fleur', guardian);
	const other = await enter(sibling, 'Donner', officer);
	expect([first.status, own.status, other.status]).toEqual(['ACCEPTED', 'WAITLISTED', 'WAITLISTED']);
	await posted(`${path}/entries/${first.id}/withdraw`, undefined, officer);
	const promoted = await mailTo(email, 'Startplatz frei geworden: Posttagsturnier');
	expect(promoted.text).toContain('Guten Tag Gerda Huber,');
	expect(promoted.text).toMatch(/- Lena Reise \w+, Fleur \(2\)/);
	await posted(`${path}/cancel`, { statusReason: 'Hochwasser' }, officer);
	const cancelled = await mailTo(email, 'Abgesagt: Posttagsturnier');
	expect(cancelled.text).toMatch(/- Lena Reise \w+, Fleur \(2\)/);
	expect(cancelled.text).toMatch(/- Max Reise \w+, Donner \(3\)/);
	// One mail for each occasion, and none of what the guardian did.
	const subjects = server.to(email).map(({ subject }) => subject.replace(/: .*/, ''));
	expect(subjects.filter((subject) => subject === 'Abgesagt')).toHaveLength(1);
	expect(subjects.filter((subject) => subject === 'Auf der Warteliste')).toHaveLength(1);
});

test('a forgotten password is reset by mail, which ends the sessions and is told', async () => {
	const email = await newAccount();
	const before = await posted<{ refreshToken: string }>('/auth/login', { email, password });
	await posted('/auth/forgot-password', { email });
	const token = tokenIn(await mailTo(email, 'Neues Passwort'));
	const newPassword = 'a gate that sticks after all';
	await posted('/auth/reset-password', { token, newPassword });
	await mailTo(email, 'Ihr Passwort wurde geändert');
	await posted('/auth/login', { email, password }, undefined, 401);
	await posted('/auth/refresh', { refreshToken: before.refreshToken }, undefined, 401);
	await posted('/auth/login', { email, password: newPassword });
	const again = await office.api('POST', '/auth/reset-password', { body: { token, newPassword: password } });
	expect(again.status).toBe(400);
});

test('an account with a second factor signs in with a code', async () => {
	const email = await newAccount();
	const token = await signIn(email);
	const { secret } = await posted<{ secret: string }>('/auth/second-factors/totp', undefined, token);
	const { recoveryCodes } = await posted<{ recoveryCodes: string[] }>(
		'/auth/second-factors/totp/confirm',
		{ code: await generate({ secret }) },
		token,
	);
	const begin = () =>
		posted<{ code: string; challengeToken: string }>('/auth/login', { email, password }, undefined, 403);
	const { code, challengeToken } = await begin();
	expect(code).toBe('SECOND_FACTOR_REQUIRED');
	const epoch = Math.floor(Date.now() / 1_000) + 30;
	const next = { challengeToken, code: await generate({ secret, epoch }) };
	const { accessToken } = await posted<{ accessToken: string }>('/auth/login/second-factor', next);
	expect((await office.api('GET', '/auth/profile', { token: accessToken })).status).toBe(200);
	const recovery = { challengeToken: (await begin()).challengeToken, code: recoveryCodes[0] };
	await posted('/auth/login/second-factor', recovery);
});

test('a person downloads the own data by mail, and is erased after the time to think it over', async () => {
	const email = await newAccount();
	const token = await signIn(email);
	await posted('/auth/privacy/exports', undefined, token, 201);
	const ready = await mailTo(email, 'Ihre Daten stehen bereit');
	const data = await posted<{ contexts: { context: string }[] }>('/auth/privacy/exports/download', {
		token: tokenIn(ready),
	});
	expect(data.contexts.map(({ context }) => context)).toEqual(
		expect.arrayContaining(['auth', 'members', 'horses', 'events']),
	);
	await posted('/auth/privacy/erasure', { email }, token, 201);
	await mailTo(email, 'Ihre Daten werden gelöscht');
	// 30 days later.
	const db = openTestPool<never>(office.system.databaseUrls.get('auth') ?? '');
	await sql`update person_requests set due_at = now() where kind = 'ERASURE'`.execute(db);
	await sql`update jobs.job set start_after = now() where name = 'person-erasures'`.execute(db);
	await db.destroy();
	await mailTo(email, 'Ihre Daten sind gelöscht');
	await posted('/auth/login', { email, password }, undefined, 401);
});
