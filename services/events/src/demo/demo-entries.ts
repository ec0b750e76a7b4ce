import { type DemoHorse, type DemoMember, demoClubs, demoHorses, demoMembers } from '@paddock/demo';
import type { EventsQueryable } from '../database-schema.ts';
import { entryCharges } from '../entries/ledger.ts';
import { insertEntry } from '../entries/store.ts';
import type { EntryStatus } from '../enumerations.ts';
import type { DemoEvent } from './demo-events.ts';

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
	const competition = competitions.find(({ ageClasses }) => ageClasses.length === 0) ?? competitions[0];
	if (competition === undefined) return;
	const startFee = competition.startFee;
	let position = 0;
	for (const [index, { rider, horse, status }] of entries.entries()) {
		if (status === 'WAITLISTED') position += 1;
		const owed = status === 'ACCEPTED' || status === 'WAITLISTED';
		await insertEntry(
			db,
			{
				eventId: row.id,
				entryNumber: index + 1,
				type: 'REGULAR',
				status,
				statusReason: null,
				position: status === 'WAITLISTED' ? position : null,
				...riderSnapshot(rider),
				...horseSnapshot(horse, now),
				isConfirmed: status !== 'PENDING_CONFIRMATION',
				checks: '[]',
				enteredBy,
				createdAt: now,
				updatedAt: now,
			},
			{
				starts: [{ competitionId: competition.id, startFee }],
				lines: owed ? entryCharges(row, { type: 'REGULAR', competitions: [competition], boxes: 0 }) : [],
				acts: [],
			},
		);
	}
}

function riderSnapshot({ id, firstName, lastName, clubId, nationality, ageInYear }: DemoMember) {
	const club = Object.values(demoClubs).find((candidate) => candidate.id === clubId);
	return {
		riderMemberId: id,
		riderName: `${firstName} ${lastName}`,
		riderClubId: clubId,
		riderClubName: club?.name ?? null,
		riderNation: nationality,
		riderAgeClasses: ageClasses
			.filter(({ minAge, maxAge }) => ageInYear >= minAge && ageInYear <= maxAge)
			.map(({ code }) => code),
	};
}

function horseSnapshot(
	{ id, name, headNumber, age, sireName, clubId, ownerMemberIds }: DemoHorse,
	now: Date,
) {
	return {
		horseId: id,
		horseName: name,
		horseHeadNumber: headNumber,
		horseBirthYear: now.getUTCFullYear() - age,
		horseSireName: sireName,
		horseClubId: clubId,
		horseKeeperIds: [...ownerMemberIds],
	};
}
