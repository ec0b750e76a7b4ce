import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { AccessTokenClaims } from '@paddock/identity';
import type { EntryCheck } from '../src/database-schema.ts';
import type { EntryVerdict } from '../src/entries/schemas.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { MemberRecord } from '../src/peers/records.ts';
import { useEvents } from './use-events.ts';

const { events, stage } = useEvents();

let eventId: string;
let path: string;
let competitionId: string;
/** For riders of 8 to 15 years. */
let youthCompetitionId: string;
let eva: MemberRecord;
let evasHorse: string;

const otherClub = randomUUID();
const openEnded = { category: 'RIDER' as const, discipline: null, validFrom: null, validTo: null };

beforeAll(async () => {
	eventId = await stage.event();
	path = `/api/events/${eventId}/entries`;
	competitionId = await stage.competition(eventId);
	youthCompetitionId = await stage.competition(eventId, { ageClasses: ['YOUTH'] });
	events.peers.ageClasses.push({
		...openEnded,
		code: 'YOUTH',
		minAge: 8,
		maxAge: 15,
	});
	eva = stage.member({ homeClubId: randomUUID() });
	evasHorse = stage.horse({ clubId: null, ownerMemberIds: [eva.id] }).id;
});

const scoped = (role: 'CLUB_OFFICIAL' | 'ORGANISER', clubId: string): Partial<AccessTokenClaims> => ({
	roles: ['MEMBER', role],
	roleScopes: { [role]: { clubIds: [clubId] } },
});

/** Status and body, without what differs between two equal requests. */
async function send(route: string, claims: Partial<AccessTokenClaims>, body: object): Promise<string> {
	const { status, text } = await events.call('POST', route, { token: events.sign(claims), body });
	return `${status} ${text.replace(/"requestId":"[^"]*"/, '').replace(/"timestamp":"[^"]*"/, '')}`;
}

const starts = (id: string) => ({ starts: [{ competitionId: id }] });

describe('a caller who does not act for the rider', () => {
	/** By the hidden fact; each must be indistinguishable from a rider who may start. */
	const riders: readonly (readonly [string, () => string])[] = [
		['a suspended member', () => stage.member({ homeClubId: otherClub, status: 'SUSPENDED' }).id],
		['a member who is not approved yet', () => stage.member({ homeClubId: otherClub, status: 'PENDING' }).id],
		['an adult, where the young ride', () => stage.member({ homeClubId: otherClub }).id],
		['a child of six', () => stage.member({ homeClubId: otherClub, dateOfBirth: '2020-01-01' }).id],
	];
	const callers: readonly (readonly [string, () => Partial<AccessTokenClaims>])[] = [
		['the horse’s owner', () => ({ memberId: eva.id })],
		['the organiser of the event', () => ({ ...scoped('ORGANISER', stage.clubId), memberId: eva.id })],
		['an official of another club', () => ({ ...scoped('CLUB_OFFICIAL', randomUUID()), memberId: eva.id })],
	];

	describe.each(callers)('%s', (_caller, claims) => {
		const bodyOf = (riderMemberId: string) => ({
			riderMemberId,
			horseId: stage.horse({ clubId: null, ownerMemberIds: [eva.id], name: 'Feder' }).id,
			...starts(youthCompetitionId),
		});
		const child = () => stage.member({ homeClubId: otherClub, dateOfBirth: '2014-06-01' }).id;
		/** Without what differs between two entries. */
		const same = (response: string) =>
			response.replaceAll(/"[0-9a-f-]{36}"/g, '""').replace(/"entryNumber":\d+/, '');

		test.each(riders)('gets the same response for %s as for a rider who may start', async (_rider, rider) => {
			const check = `${path}/check`;
			const eligible = await send(check, claims(), bodyOf(child()));
			expect(await send(check, claims(), bodyOf(rider()))).toBe(eligible);
			expect(eligible).toContain('"acceptable":true');
			const entered = await send(path, claims(), bodyOf(child()));
			expect(same(await send(path, claims(), bodyOf(rider())))).toBe(same(entered));
			expect(entered).toContain('PENDING_CONFIRMATION');
			expect(entered).not.toMatch(/Zügelbauer|UNKNOWN|FEE|AGE_CLASS|SUSPENSION/);
		});

		test.each([
			['a deleted member', () => stage.member({ homeClubId: otherClub, status: 'INACTIVE' }).id],
			[
				'a deleted member without a fee',
				() => stage.member({ homeClubId: null, status: 'INACTIVE', feePaidForYear: null }).id,
			],
		])('gets the same response for %s as for an unknown id', async (_rider, rider) => {
			for (const route of [`${path}/check`, path]) {
				const unknown = await send(route, claims(), { ...bodyOf(randomUUID()), horseId: evasHorse });
				expect(await send(route, claims(), { ...bodyOf(rider()), horseId: evasHorse })).toBe(unknown);
				expect(unknown).toContain('RIDER_NOT_ELIGIBLE');
			}
		});

		test('gets no warnings about one who may start', async () => {
			const rider = stage.member({ homeClubId: null, feePaidForYear: null });
			const body = { riderMemberId: rider.id, horseId: evasHorse, ...starts(competitionId) };
			const { status, data } = await events.call<EntryVerdict>('POST', `${path}/check`, {
				token: events.sign(claims()),
				body,
			});
			expect([status, data.acceptable, data.checks]).toEqual([200, true, []]);
			expect(data.wouldBe).toBe('PENDING_CONFIRMATION');
		});
	});

	test('does not learn that the rider has three horses in a competition', async () => {
		const rider = stage.member({ homeClubId: otherClub });
		const own = await stage.competition(eventId);
		for (let horse = 0; horse < 3; horse++) {
			const { status } = await events.call('POST', path, {
				token: events.officer,
				body: { riderMemberId: rider.id, horseId: stage.horse().id, ...starts(own) },
			});
			expect(status).toBe(201);
		}
		const { data } = await events.call<EntryVerdict>('POST', `${path}/check`, {
			token: events.sign({ memberId: eva.id }),
			body: { riderMemberId: rider.id, horseId: evasHorse, ...starts(own) },
		});
		expect([data.acceptable, data.checks]).toEqual([true, []]);
	});

	test('and without a token nobody checks', async () => {
		const body = { riderMemberId: eva.id, horseId: evasHorse, ...starts(competitionId) };
		expect((await events.call('POST', `${path}/check`, { body })).status).toBe(401);
	});

	test('the rider’s side reads at the confirmation why the entry is refused', async () => {
		const rider = stage.member({ homeClubId: otherClub, status: 'SUSPENDED' });
		const horseId = stage.horse({ clubId: null, ownerMemberIds: [eva.id] }).id;
		const made = await events.call<Entry>('POST', path, {
			token: events.sign({ memberId: eva.id }),
			body: { riderMemberId: rider.id, horseId, ...starts(competitionId) },
		});
		expect([made.status, made.data.status, made.data.checks]).toEqual([201, 'PENDING_CONFIRMATION', []]);
		const confirm = await events.call('POST', `${path}/${made.data.id}/confirm`, {
			token: events.sign(scoped('CLUB_OFFICIAL', otherClub)),
		});
		expect([confirm.status, (confirm.data['checks'] as EntryCheck[]).map(({ code }) => code)]).toEqual([
			422,
			['RIDER_ON_SUSPENSION_LIST'],
		]);
	});
});

describe('a caller who acts for the rider reads the details', () => {
	const guardian = randomUUID();
	const people: readonly (readonly [string, () => Partial<AccessTokenClaims>])[] = [
		['a guardian', () => ({ memberId: guardian })],
		['an official of the home club', () => scoped('CLUB_OFFICIAL', otherClub)],
		['an officer', () => ({ roles: ['FEDERATION_OFFICER'] })],
		['an administrator', () => ({ roles: ['ADMIN'] })],
	];

	test.each(people)('%s', async (_name, claims) => {
		stage.member({ id: guardian });
		const rider = stage.member({
			homeClubId: otherClub,
			guardianMemberId: guardian,
			dateOfBirth: '2006-01-01',
			feePaidForYear: null,
		});
		const { data } = await events.call<EntryVerdict>('POST', `${path}/check`, {
			token: events.sign(claims()),
			body: { riderMemberId: rider.id, horseId: evasHorse, ...starts(youthCompetitionId) },
		});
		expect(data.checks.map(({ code }) => code)).toEqual(['FEE_UNPAID', 'AGE_CLASS_MISMATCH']);
	});

	test('and so does a guardian of the ward’s own horse', async () => {
		const parent = stage.member();
		const rider = stage.member({ guardianMemberId: parent.id, homeClubId: null });
		const horse = stage.horse({
			clubId: null,
			ownerMemberIds: [rider.id],
			feePaidForYear: null,
			birthYear: 2024,
		});
		const { data } = await events.call<EntryVerdict>('POST', `${path}/check`, {
			token: events.sign({ memberId: parent.id }),
			body: { riderMemberId: rider.id, horseId: horse.id, ...starts(competitionId) },
		});
		expect(data.checks.map(({ code }) => code)).toEqual([
			'HOME_CLUB_MISSING',
			'HORSE_FEE_UNPAID',
			'HORSE_TOO_YOUNG',
		]);
	});

	test('an official reads no more of a deleted member of the club than of an unknown one', async () => {
		const rider = stage.member({ homeClubId: otherClub, status: 'INACTIVE' });
		const claims = scoped('CLUB_OFFICIAL', otherClub);
		const bodyOf = (riderMemberId: string) => ({
			riderMemberId,
			horseId: evasHorse,
			...starts(competitionId),
		});
		expect(await send(path, claims, bodyOf(rider.id))).toBe(await send(path, claims, bodyOf(randomUUID())));
	});
});

describe('a caller who does not act for the horse', () => {
	const horses: readonly (readonly [string, () => string])[] = [
		['a removed horse', () => stage.horse({ clubId: otherClub, status: 'INACTIVE', name: 'Geheim' }).id],
		['a deceased horse', () => stage.horse({ clubId: otherClub, status: 'DECEASED', name: 'Geheim' }).id],
		['a horse without a fee that is too young', () => young().id],
	];
	const young = () =>
		stage.horse({ clubId: otherClub, feePaidForYear: null, birthYear: 2024, name: 'Geheim' });

	test.each(horses)('gets the same response for %s as for an unknown id', async (_name, horse) => {
		const claims = { memberId: eva.id };
		for (const route of [`${path}/check`, path]) {
			const bodyOf = (horseId: string) => ({ riderMemberId: eva.id, horseId, ...starts(competitionId) });
			const unknown = await send(route, claims, bodyOf(randomUUID()));
			expect(await send(route, claims, bodyOf(horse()))).toBe(unknown);
			expect(unknown).toContain('HORSE_NOT_ELIGIBLE');
			expect(unknown).not.toContain('Geheim');
		}
	});

	test.each([
		['its owner', () => ({ memberId: eva.id }), ['HORSE_FEE_UNPAID', 'HORSE_TOO_YOUNG']],
		['its club', () => scoped('CLUB_OFFICIAL', otherClub), ['HORSE_FEE_UNPAID', 'HORSE_TOO_YOUNG']],
		['the organiser', () => scoped('ORGANISER', stage.clubId), ['HORSE_TOO_YOUNG']],
	])('unlike %s', async (_name, claims, expected) => {
		const rider = stage.member({ homeClubId: otherClub });
		const horse = stage.horse({ ...young(), ownerMemberIds: [eva.id] });
		const { data } = await events.call('POST', path, {
			token: events.sign(claims()),
			body: { riderMemberId: rider.id, horseId: horse.id, ...starts(competitionId) },
		});
		expect((data['checks'] as EntryCheck[]).map(({ code }) => code)).toEqual(expected);
	});
});

describe('a stored entry', () => {
	test('shows each the warnings of the own rider or horse, and the organiser all', async () => {
		const owner = stage.member();
		const rider = stage.member({ homeClubId: otherClub, feePaidForYear: 2020, lastName: 'Reiterin' });
		const horse = stage.horse({
			clubId: null,
			ownerMemberIds: [owner.id],
			feePaidForYear: null,
			name: 'Pferd',
		});
		const made = await events.call<Entry>('POST', path, {
			token: events.sign({ memberId: rider.id }),
			body: { riderMemberId: rider.id, horseId: horse.id, ...starts(competitionId) },
		});
		expect(made.data.checks.map(({ message }) => message)).toEqual([
			'Eva Reiterin has not paid the membership fee for 2026.',
		]);
		await events.call('POST', `${path}/${made.data.id}/confirm`, {
			token: events.sign({ memberId: owner.id }),
		});
		const read = async (claims: Partial<AccessTokenClaims>) => {
			const token = events.sign(claims);
			const one = await events.call<Entry>('GET', `${path}/${made.data.id}`, { token });
			const list = await events.call<Page<Entry>>('GET', `${path}?horseId=${horse.id}`, { token });
			expect(list.data.items).toEqual([one.data]);
			expect(one.data.rider?.name).toBe('Eva Reiterin');
			return one.data.checks.map(({ message }) => /Pferd|Reiterin/.exec(message)?.[0]);
		};
		expect(await read({ memberId: rider.id })).toEqual(['Reiterin']);
		expect(await read({ memberId: owner.id })).toEqual(['Pferd']);
		expect(await read(scoped('CLUB_OFFICIAL', otherClub))).toEqual(['Reiterin']);
		expect(await read(scoped('ORGANISER', stage.clubId))).toEqual(['Reiterin', 'Pferd']);
		expect(await read({ roles: ['FEDERATION_OFFICER'] })).toEqual(['Reiterin', 'Pferd']);
	});
});
