import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import type { AccessTokenClaims } from '@paddock/identity';
import type { TestResponse } from '@paddock/testing';
import type { EntryCheck } from '../src/database-schema.ts';
import type { Entry } from '../src/entries/view-schemas.ts';
import type { HorseRecord, MemberRecord } from '../src/peers/records.ts';
import { type RunningEvents, runEvents } from './running-events.ts';
import { type Stage, setStage } from './stage.ts';

type Claims = Partial<AccessTokenClaims>;

interface Failure {
	readonly code?: string;
	readonly checks?: readonly EntryCheck[];
}

/** An event with one place, an owner, and the minor of another club whom the owner enters. */
export interface ConfirmationDesk {
	readonly stage: Stage;
	readonly eventId: string;
	/** Of the event's entries. */
	readonly path: string;
	readonly competitionId: string;
	readonly eva: MemberRecord;
	readonly evasHorse: HorseRecord;
	/** Kilian Striegelmoser of the club Seeblick, whose fee is not paid. */
	readonly rider: MemberRecord;
	readonly guardian: MemberRecord;
	readonly seeblick: string;
	/** The organiser of the event; neither Eva nor the rider belongs to that club. */
	readonly organiser: Claims;
	call<Data>(
		method: string,
		route: string,
		claims: Claims,
		body?: object,
	): Promise<TestResponse<Data & Failure>>;
	/** The rider with Eva's horse by default. */
	enter(claims: Claims, changes?: object): Promise<TestResponse<Entry & Failure>>;
	/** As Eva enters the rider: the rider's side is missing. */
	pending(): Promise<Entry>;
	/** As the rider enters Eva's horse: the horse's side is missing. */
	pendingOnHorse(): Promise<Entry>;
	/** Of a member with an own horse. */
	ownPair(changes?: Partial<MemberRecord>): { riderMemberId: string; horseId: string };
	/** Such a member enters. */
	enterOwn(changes?: Partial<MemberRecord>): Promise<Entry>;
	step(
		entry: Pick<Entry, 'id'>,
		name: 'confirm' | 'decline' | 'withdraw' | 'reject',
		claims: Claims,
	): Promise<TestResponse<Entry & Failure>>;
}

export const officer = { roles: ['FEDERATION_OFFICER'] } as const;
export const asMember = ({ id }: Pick<MemberRecord, 'id'>): Claims => ({ memberId: id });

export function officialOf(clubId: string): Claims {
	return { roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } } };
}

/** Starts one service for the tests of a file and opens a new desk before each; the desk is filled in then. */
export function useConfirmationDesk(): ConfirmationDesk & { readonly events: RunningEvents } {
	const desk = {} as ConfirmationDesk & { events: RunningEvents };
	beforeAll(async () => {
		desk.events = await runEvents();
	});
	afterAll(() => desk.events.close());
	beforeEach(async () => {
		Object.assign(desk, await openConfirmationDesk(desk.events));
	});
	return desk;
}

/** A new event with new people. */
async function openConfirmationDesk(events: RunningEvents): Promise<ConfirmationDesk> {
	const stage = setStage(events);
	const seeblick = randomUUID();
	const eventId = await stage.event({ maxEntries: 1, eventNumber: eventNumber() });
	const competitionId = await stage.competition(eventId);
	const path = `/api/events/${eventId}/entries`;
	const eva = stage.member();
	const guardian = stage.member({ homeClubId: seeblick });
	const rider = stage.member({
		firstName: 'Kilian',
		lastName: 'Striegelmoser',
		dateOfBirth: '2014-10-26',
		homeClubId: seeblick,
		guardianMemberId: guardian.id,
		feePaidForYear: null,
	});
	const evasHorse = stage.horse({ clubId: null, ownerMemberIds: [eva.id] });
	const call: ConfirmationDesk['call'] = (method, route, claims, body) =>
		events.call(method, route, { token: events.sign(claims), ...(body === undefined ? {} : { body }) });
	const enter: ConfirmationDesk['enter'] = (claims, changes = {}) => {
		const body = { riderMemberId: rider.id, horseId: evasHorse.id, starts: [{ competitionId }], ...changes };
		return call('POST', path, claims, body);
	};
	const pendingBy = async (claims: Claims): Promise<Entry> => {
		const { status, data } = await enter(claims);
		expect([status, data.status]).toEqual([201, 'PENDING_CONFIRMATION']);
		return data;
	};
	const ownPair: ConfirmationDesk['ownPair'] = (changes) => {
		const { id } = stage.member(changes);
		return { riderMemberId: id, horseId: stage.horse({ ownerMemberIds: [id] }).id };
	};
	return {
		stage,
		eventId,
		path,
		competitionId,
		eva,
		evasHorse,
		rider,
		guardian,
		seeblick,
		organiser: { roles: ['MEMBER', 'ORGANISER'], roleScopes: { ORGANISER: { clubIds: [stage.clubId] } } },
		call,
		enter,
		pending: () => pendingBy(asMember(eva)),
		pendingOnHorse: () => pendingBy(asMember(rider)),
		ownPair,
		enterOwn: async (changes) => {
			const pair = ownPair(changes);
			return (await enter({ memberId: pair.riderMemberId }, pair)).data;
		},
		step: ({ id }, name, claims) =>
			call(
				'POST',
				`${path}/${id}/${name}`,
				claims,
				name === 'reject' ? { statusReason: 'Nein danke' } : undefined,
			),
	};
}

let numbers = 50_000;

/** Each stage counts from the same number; these are beyond all of them. */
function eventNumber(): string {
	numbers += 1;
	return String(numbers);
}
