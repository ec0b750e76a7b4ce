import { randomUUID } from 'node:crypto';
import { dayAfter, startOfDay } from '@paddock/calendar';
import type { NewCompetitionRow, NewEventRow } from '../src/database-schema.ts';
import type { HorseRecord, MemberRecord } from '../src/peers/records.ts';
import type { RunningEvents } from './running-events.ts';

/** What entries need: people, horses, and a published event with competitions, written as rows. */
export interface Stage {
	/** The organiser of every event made here; its members and horses too, by default. */
	readonly clubId: string;
	member(changes?: Partial<MemberRecord>): MemberRecord;
	horse(changes?: Partial<HorseRecord>): HorseRecord;
	/** Open for entries until 12 October 2026, 23:59 in Vienna; from 23 to 25 October. */
	event(changes?: Partial<NewEventRow>): Promise<string>;
	/** On 24 October, open to all. */
	competition(eventId: string, changes?: Partial<NewCompetitionRow>): Promise<string>;
}

const zone = 'Europe/Vienna';

/** Where rows and records are put. */
interface Ground extends Pick<RunningEvents, 'db'> {
	readonly peers: Pick<RunningEvents['peers'], 'members' | 'horses'>;
}

export function setStage({ db, peers }: Ground): Stage {
	const clubId = randomUUID();
	let running = 10_000;
	return {
		clubId,
		member: (changes = {}) => {
			const member = { ...someone(), homeClubId: clubId, ...changes };
			peers.members.set(member.id, member);
			return member;
		},
		horse: (changes = {}) => {
			const horse = { ...someHorse(), clubId, ...changes };
			peers.horses.set(horse.id, horse);
			return horse;
		},
		event: async (changes = {}) => {
			running += 1;
			const row = { ...someEvent(clubId, String(running)), ...changes };
			const days = {
				startsAt: startOfDay(zone, row.startDate),
				endsAt: startOfDay(zone, dayAfter(row.endDate)),
			};
			const insert = db.insertInto('events').values({ ...row, ...days });
			const { id } = await insert.returning('id').executeTakeFirstOrThrow();
			return id;
		},
		competition: async (eventId, changes = {}) => {
			running += 1;
			const row = { ...someCompetition(eventId, running - 10_000), ...changes };
			const insert = db.insertInto('competitions').values(row);
			const { id } = await insert.returning('id').executeTakeFirstOrThrow();
			return id;
		},
	};
}

function someone(): MemberRecord {
	return {
		id: randomUUID(),
		firstName: 'Eva',
		lastName: 'Zügelbauer',
		dateOfBirth: '1992-01-30',
		nationality: 'AT',
		homeClubId: null,
		homeClubName: 'Reitverein Auwiesen',
		status: 'ACTIVE',
		feePaidForYear: 2026,
		guardianMemberId: null,
		publishResults: true,
	};
}

function someHorse(): HorseRecord {
	return {
		id: randomUUID(),
		name: 'Lärchenglut',
		birthYear: 2016,
		isPony: false,
		heightCm: 166,
		headNumber: 'D006',
		sireName: 'Waldkauz',
		clubId: null,
		responsibleMemberId: null,
		ownerMemberIds: [],
		status: 'ACTIVE',
		feePaidForYear: 2026,
	};
}

function someEvent(clubId: string, eventNumber: string): Omit<NewEventRow, 'startsAt' | 'endsAt'> {
	return {
		eventNumber,
		name: 'Herbstturnier',
		description: null,
		startDate: '2026-10-23',
		endDate: '2026-10-25',
		venueId: randomUUID(),
		venueName: 'Reitzentrum Auwiesen',
		venueCity: 'Auwiesen an der Furt',
		venueStateCode: 'AT-3',
		venueCountryCode: 'AT',
		venueTimeZone: zone,
		organiserClubId: clubId,
		organiserClubName: 'Reitverein Auwiesen',
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
		isPublic: true,
		entriesOpenAt: new Date('2026-09-01T06:00:00Z'),
		entryDeadline: new Date('2026-10-12T21:59:00Z'),
		lateEntryUntil: new Date('2026-10-19T21:59:00Z'),
		maxEntries: null,
		entryFee: 2_500,
		lateSurcharge: 1_500,
		stableFee: 9_000,
		officials: '[]',
		status: 'PUBLISHED',
		cancelledReason: null,
		searchText: '\nherbstturnier',
		createdAt: new Date('2026-08-01T06:00:00Z'),
		updatedAt: new Date('2026-08-01T06:00:00Z'),
	};
}

function someCompetition(eventId: string, number: number): NewCompetitionRow {
	return {
		eventId,
		number,
		name: `Standardspringen ${number}`,
		discipline: 'JUMPING',
		level: 'L',
		date: '2026-10-24',
		arenaId: null,
		arenaName: null,
		ageClasses: [],
		horseMinAge: 5,
		ponyOnly: false,
		maxStarters: null,
		startFee: 1_800,
	};
}
