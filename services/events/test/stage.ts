import { randomUUID } from 'node:crypto';
import { dayAfter, startOfDay } from '@paddock/calendar';
import type { NewCompetitionRow, NewEventRow } from '../src/database-schema.ts';
import type { HorseReference, MemberReference } from '../src/directory/references.ts';
import type { RunningEvents } from './running-events.ts';

/** What entries need: people, horses, and a published event with competitions, written as rows. */
export interface Stage {
	/** The organiser of every event made here; its members and horses too, unless told otherwise. */
	readonly clubId: string;
	member(changes?: Partial<MemberReference>): MemberReference;
	horse(changes?: Partial<HorseReference>): HorseReference;
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
				starts_at: startOfDay(zone, row.start_date),
				ends_at: startOfDay(zone, dayAfter(row.end_date)),
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

function someone(): MemberReference {
	return {
		id: randomUUID(),
		membershipNumber: '19990001',
		firstName: 'Eva',
		lastName: 'Zügelbauer',
		dateOfBirth: '1992-01-30',
		nationality: 'AT',
		stateCode: 'AT-3',
		homeClubId: null,
		homeClubName: 'Reitverein Auwiesen',
		status: 'ACTIVE',
		feePaidForYear: 2026,
		guardianMemberId: null,
		publishResults: true,
	};
}

function someHorse(): HorseReference {
	return {
		id: randomUUID(),
		name: 'Lärchenglut',
		sex: 'MARE',
		birthYear: 2016,
		dateOfBirth: null,
		isPony: false,
		heightCm: 166,
		headNumber: 'D006',
		feiId: null,
		sireName: 'Waldkauz',
		clubId: null,
		responsibleMemberId: null,
		ownerMemberIds: [],
		status: 'ACTIVE',
		feePaidForYear: 2026,
	};
}

function someEvent(clubId: string, eventNumber: string): Omit<NewEventRow, 'starts_at' | 'ends_at'> {
	return {
		event_number: eventNumber,
		name: 'Herbstturnier',
		description: null,
		start_date: '2026-10-23',
		end_date: '2026-10-25',
		venue_id: randomUUID(),
		venue_name: 'Reitzentrum Auwiesen',
		venue_city: 'Auwiesen an der Furt',
		venue_state_code: 'AT-3',
		venue_country_code: 'AT',
		venue_time_zone: zone,
		organiser_club_id: clubId,
		organiser_club_name: 'Reitverein Auwiesen',
		ruleset: 'OETO',
		category: 'CSN-B',
		disciplines: ['JUMPING'],
		is_public: true,
		entries_open_at: new Date('2026-09-01T06:00:00Z'),
		entry_deadline: new Date('2026-10-12T21:59:00Z'),
		late_entry_until: new Date('2026-10-19T21:59:00Z'),
		max_entries: null,
		entry_fee: 2_500,
		late_surcharge: 1_500,
		stable_fee: 9_000,
		officials: '[]',
		status: 'PUBLISHED',
		cancelled_reason: null,
		search_text: '\nherbstturnier',
		created_at: new Date('2026-08-01T06:00:00Z'),
		updated_at: new Date('2026-08-01T06:00:00Z'),
	};
}

function someCompetition(eventId: string, number: number): NewCompetitionRow {
	return {
		event_id: eventId,
		number,
		name: `Standardspringen ${number}`,
		discipline: 'JUMPING',
		level: 'L',
		date: '2026-10-24',
		arena_id: null,
		arena_name: null,
		age_classes: [],
		horse_min_age: 5,
		pony_only: false,
		max_starters: null,
		start_fee: 1_800,
	};
}
