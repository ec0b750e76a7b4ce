import type { EntryCheck } from '../entries/entry-check.ts';
import type { EntryStatus } from '../entries/entry-status.ts';
import type { EntryRow } from '../entry-tables.ts';
import type { Entry } from '../schemas/entry.ts';

/** A start as it is selected beside its entry. */
export interface SelectedStart {
	readonly competitionId: string;
	readonly status: EntryStatus;
	readonly startFee: number;
}

/** A row with its starts. */
export type FullEntryRow = EntryRow & { readonly starts: readonly SelectedStart[] };

/** The record as it is shown. */
export function toEntry(row: FullEntryRow): Entry {
	return {
		id: row.id,
		eventId: row.event_id,
		entryNumber: row.entry_number,
		type: row.type,
		status: row.status,
		statusReason: row.status_reason,
		position: row.position,
		riderMemberId: row.rider_member_id,
		rider: {
			name: row.rider_name,
			clubId: row.rider_club_id,
			clubName: row.rider_club_name,
			nation: row.rider_nation,
			ageClasses: row.rider_age_classes,
		},
		horseId: row.horse_id,
		horse: {
			name: row.horse_name,
			headNumber: row.horse_head_number,
			birthYear: row.horse_birth_year,
			sireName: row.horse_sire_name,
		},
		starts: row.starts.map(({ competitionId, status, startFee }) => ({ competitionId, status, startFee })),
		checks: row.checks.map(toCheck),
		amountDue: row.amount_due,
		currency: 'EUR',
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		version: row.version,
	};
}

function toCheck({ code, level, message }: EntryCheck): Entry['checks'][number] {
	return { code, level, message };
}
