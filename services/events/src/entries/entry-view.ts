import type { Page } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { EntryRow } from '../entry-tables.ts';
import type { EventOfEntry, FullEntryRow } from '../repository/entries.ts';
import type { Entry } from '../schemas/entry.ts';
import type { EntryCheck } from './entry-check.ts';
import { type Disclosure, disclosedChecks, disclosureOfStored } from './entry-disclosure.ts';
import { agreedSides, type EntryParties, missingSides } from './entry-scope.ts';
import { type EntryEventTimes, type EntryStatus, shownEntryStatus } from './entry-status.ts';

/** The instants on which the status of an entry depends. */
export function entryEventTimes(row: EventOfEntry): EntryEventTimes {
	return {
		entryDeadline: row.entry_deadline,
		startsAt: row.starts_at,
		endsAt: row.ends_at,
		storedStatus: row.event_status,
	};
}

/** The reader of an entry and the time of reading. */
export interface EntryViewer {
	readonly principal: Principal;
	readonly now: Date;
	/** Current parties, if known; otherwise the parties of the day of entry decide what is disclosed. */
	readonly present?: EntryParties | undefined;
}

/** Parties of a stored entry on the day of entry. */
export function partiesOfRow(row: FullEntryRow): EntryParties {
	return {
		organiserClubId: row.organiser_club_id,
		riderMemberId: row.rider_member_id,
		riderClubId: row.rider_club_id,
		riderGuardianId: row.rider_guardian_id,
		horseKeeperIds: row.horse_keeper_ids,
		horseClubId: row.horse_club_id,
	};
}

/**
 * The representation that the viewer may read. Before the rider's side confirms an entry created by others, the rider
 * is disclosed only to callers who act for the rider.
 */
export function toEntry(row: FullEntryRow, viewer: EntryViewer): Entry {
	const { now } = viewer;
	const shownAs = (stored: EntryStatus) => shownEntryStatus(stored, entryEventTimes(row), now);
	const hasExpired = shownAs(row.status) === 'EXPIRED';
	const disclosure = disclosureOfRow(row, viewer);
	return {
		id: row.id,
		eventId: row.event_id,
		entryNumber: row.entry_number,
		type: row.type,
		status: shownAs(row.status),
		missingConfirmations: [...missingSides(agreedSides(row))],
		statusReason: row.status_reason,
		position: hasExpired ? null : row.position,
		riderMemberId: row.rider_member_id,
		rider: row.is_confirmed || disclosure.rider ? riderOf(row) : null,
		horseId: row.horse_id,
		horse: {
			name: row.horse_name,
			headNumber: row.horse_head_number,
			birthYear: row.horse_birth_year,
			sireName: row.horse_sire_name,
		},
		starts: row.starts.map(({ competitionId, status, startFee }) => ({
			competitionId,
			status: shownAs(status),
			startFee,
		})),
		checks: disclosedChecks(row.checks, disclosure).map(toCheck),
		amountDue: hasExpired ? 0 : row.amount_due,
		currency: 'EUR',
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		version: row.version,
	};
}

/** Disclosure to the viewer as one of the parties of the day of entry or of the current ones. */
export function disclosureOfRow(
	row: FullEntryRow,
	{ principal, present }: Pick<EntryViewer, 'principal' | 'present'>,
): Disclosure {
	const isConfirmed = row.is_confirmed && row.is_horse_confirmed;
	const parties = [partiesOfRow(row), ...(present === undefined ? [] : [present])];
	const disclosures = parties.map((of) => disclosureOfStored(principal, of, isConfirmed));
	return { rider: disclosures.some(({ rider }) => rider), horse: disclosures.some(({ horse }) => horse) };
}

export function toEntryPage({ items, ...page }: Page<FullEntryRow>, viewer: EntryViewer): Page<Entry> {
	return { ...page, items: items.map((row) => toEntry(row, viewer)) };
}

/** API representation of a check. */
export function toCheck({ code, level, message }: EntryCheck): Entry['checks'][number] {
	return { code, level, message };
}

function riderOf(row: EntryRow): Entry['rider'] {
	return {
		name: row.rider_name,
		clubId: row.rider_club_id,
		clubName: row.rider_club_name,
		nation: row.rider_nation,
		ageClasses: row.rider_age_classes,
	};
}
