import { type DemoHorse, type DemoMember, demoClubs, demoHorses, demoMembers } from '@paddock/demo';
import type { EventsQueryable } from '../database-schema.ts';
import type { EntryStatus } from '../entries/entry-status.ts';
import { insertEntry } from '../repository/entries.ts';
import type { DemoEvent } from './demo-events.ts';

/** Rider, horse and status of a demo entry. */
export interface DemoEntry {
	readonly rider: DemoMember;
	readonly horse: DemoHorse;
	readonly status: EntryStatus;
}

type Pair = readonly [rider: keyof typeof demoMembers, horse: keyof typeof demoHorses];

/** In the order of creation. */
export function demoEntries(status: EntryStatus, ...pairs: readonly Pair[]): readonly DemoEntry[] {
	return pairs.map(([rider, horse]) => ({ rider: demoMembers[rider], horse: demoHorses[horse], status }));
}

/** User id of demo entries; belongs to no account. */
const enteredBy = 'd5000000-0000-4000-8000-000000000001';

/** OeTO §12(2), as stored in the snapshot of an entry. */
const ageClasses = [
	{ code: 'YOUTH', minAge: 8, maxAge: 15 },
	{ code: 'CHILDREN_DRESSAGE', minAge: 12, maxAge: 14 },
	{ code: 'JUNIOR', minAge: 16, maxAge: 18 },
	{ code: 'YOUNG_RIDER', minAge: 16, maxAge: 21 },
	{ code: 'U25', minAge: 16, maxAge: 25 },
	{ code: 'GENERAL', minAge: 19, maxAge: 150 },
	{ code: 'SENIOR', minAge: 40, maxAge: 150 },
] as const;

/** Creates the entries in the first competition that is open to all, or else in the first one. */
export async function insertDemoEntries(
	db: EventsQueryable,
	{ row, competitions, entries }: DemoEvent,
	now: Date,
): Promise<void> {
	const competition = competitions.find(({ age_classes }) => age_classes.length === 0) ?? competitions[0];
	if (competition === undefined) return;
	const startFee = competition.start_fee;
	let position = 0;
	for (const [index, { rider, horse, status }] of entries.entries()) {
		if (status === 'WAITLISTED') position += 1;
		const owed = status === 'ACCEPTED' || status === 'WAITLISTED';
		await insertEntry(
			db,
			{
				event_id: row.id,
				entry_number: index + 1,
				type: 'REGULAR',
				status,
				status_reason: null,
				position: status === 'WAITLISTED' ? position : null,
				...riderSnapshot(rider),
				...horseSnapshot(horse, now),
				is_confirmed: status !== 'PENDING_CONFIRMATION',
				checks: '[]',
				amount_due: owed ? row.entry_fee + startFee : 0,
				entered_by: enteredBy,
				created_at: now,
				updated_at: now,
			},
			[{ competition_id: competition.id, start_fee: startFee }],
		);
	}
}

function riderSnapshot({ id, firstName, lastName, clubId, nationality, ageInYear }: DemoMember) {
	const club = Object.values(demoClubs).find((candidate) => candidate.id === clubId);
	return {
		rider_member_id: id,
		rider_name: `${firstName} ${lastName}`,
		rider_club_id: clubId,
		rider_club_name: club?.name ?? null,
		rider_nation: nationality,
		rider_age_classes: ageClasses
			.filter(({ minAge, maxAge }) => ageInYear >= minAge && ageInYear <= maxAge)
			.map(({ code }) => code),
	};
}

function horseSnapshot(
	{ id, name, headNumber, age, sireName, clubId, ownerMemberIds }: DemoHorse,
	now: Date,
) {
	return {
		horse_id: id,
		horse_name: name,
		horse_head_number: headNumber,
		horse_birth_year: now.getUTCFullYear() - age,
		horse_sire_name: sireName,
		horse_club_id: clubId,
		horse_keeper_ids: [...ownerMemberIds],
	};
}
