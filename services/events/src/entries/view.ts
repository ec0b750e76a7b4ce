import type { Page } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { type CsvColumns, type CsvForm, csvParts } from '@paddock/text/csv';
import type { EntryCheck, EventRow, EventsQueryable } from '../database-schema.ts';
import type { EntryStatus } from '../enumerations.ts';
import { mayManage } from '../events/access.ts';
import { type Disclosure, disclosedChecks, disclosureOfStored, isInDoubt } from './entry-check.ts';
import { listEventEntries } from './list.ts';
import { isFormer } from './overrides.ts';
import { agreedSides, type EntryParties, missingSides, storedParties } from './rights/sides.ts';
import { isUnendedStatus, shownEntryStatus } from './rules.ts';
import type { FullEntryRow } from './store.ts';
import { attentionMax, type EntriesNeedingAttention, type Entry } from './view-schemas.ts';

interface EntryViewer {
	readonly principal: Principal;
	readonly now: Date;
	/** Current parties, if known; otherwise the parties of the day of entry decide what is disclosed. */
	readonly present?: EntryParties | undefined;
}

/** Before the rider's side confirms an entry by others, the rider is disclosed only to callers who act for the rider. */
export function toEntry(row: FullEntryRow, viewer: EntryViewer): Entry {
	const { now } = viewer;
	const shownAs = (stored: EntryStatus) => shownEntryStatus(stored, row, now);
	const hasExpired = shownAs(row.status) === 'EXPIRED';
	const disclosure = disclosureOfRow(row, viewer);
	return {
		id: row.id,
		eventId: row.eventId,
		entryNumber: row.entryNumber,
		type: row.type,
		status: shownAs(row.status),
		missingConfirmations: [...missingSides(agreedSides(row))],
		statusReason: row.statusReason,
		position: hasExpired ? null : row.position,
		riderMemberId: row.riderMemberId,
		...(row.isConfirmed || disclosure.rider ? { rider: riderOf(row) } : {}),
		horseId: row.horseId,
		horse: {
			name: row.horseName,
			headNumber: row.horseHeadNumber,
			birthYear: row.horseBirthYear,
			sireName: row.horseSireName,
		},
		starts: row.starts.map((start) => ({ ...start, status: shownAs(start.status) })),
		checks: disclosedChecks(row.checks, disclosure),
		overrides: row.overrides
			.filter((override) =>
				isFormer(override)
					? mayManage(viewer.principal, row.organiserClubId)
					: isDisclosed(override.about, disclosure),
			)
			.map(({ code, reason, byName, at }) => ({ code, reason, byName, at })),
		needsAttention: isAttentionNeeded(row, now),
		boxes: row.boxes,
		...history(row, viewer, { hasExpired, disclosure }),
		amountDue: hasExpired || row.status === 'WAITLISTED' ? 0 : row.amountDue,
		currency: row.currency,
		freeWithdrawalUntil: freeWithdrawalUntil(row),
		createdAt: row.createdAt.toISOString(),
		updatedAt: row.updatedAt.toISOString(),
		version: row.version,
	};
}

function riderOf(row: FullEntryRow): NonNullable<Entry['rider']> {
	return {
		name: row.riderName,
		clubId: row.riderClubId,
		clubName: row.riderClubName,
		nation: row.riderNation,
		ageClasses: row.riderAgeClasses,
	};
}

/** Whether the viewer may read an override; the reason may be as private as the finding. */
function isDisclosed(about: EntryCheck['about'], { rider, horse }: Disclosure): boolean {
	if (about === 'RIDER') return rider;
	return about === 'HORSE' ? horse : rider || horse;
}

/** Ledger, former pairs and acts; only those who manage the event read whose account made them. Nothing is due once expired. */
function history(
	{ ledger, swaps, acts, organiserClubId }: FullEntryRow,
	{ principal }: EntryViewer,
	{ hasExpired, disclosure }: { readonly hasExpired: boolean; readonly disclosure: Disclosure },
): Pick<Entry, 'ledger' | 'swaps' | 'acts'> {
	const isManager = mayManage(principal, organiserClubId);
	const lines = hasExpired ? [] : ledger;
	const readableActs = isManager || disclosure.rider ? acts : [];
	return {
		ledger: lines.map(({ bookedBy, bookedAt, ...line }) => ({
			...line,
			bookedAt: new Date(bookedAt).toISOString(),
			...(isManager ? { bookedBy } : {}),
		})),
		swaps: swaps.map(({ swappedBy, swappedAt, ...swap }) => ({
			...swap,
			swappedAt: new Date(swappedAt).toISOString(),
			...(isManager ? { swappedBy } : {}),
		})),
		acts: readableActs.map(({ actedBy, actedAt, ...of }) => ({
			...of,
			actedAt: new Date(actedAt).toISOString(),
			...(isManager ? { actedBy } : {}),
		})),
	};
}

/** Must match `needsAttention` of rights/visibility.ts, the same rule in SQL. */
function isAttentionNeeded(row: FullEntryRow, now: Date): boolean {
	const isOver = row.eventStatus !== 'PUBLISHED' || now >= row.endsAt;
	return !isOver && isUnendedStatus(shownEntryStatus(row.status, row, now)) && isInDoubt(row.checks);
}

/** Null unless the time exceeds the entry deadline, until which every withdrawal is free of charge. */
function freeWithdrawalUntil({
	status,
	freeWithdrawalUntil: until,
	entryDeadline,
}: FullEntryRow): string | null {
	const exceeds = until !== null && (entryDeadline === null || until > entryDeadline);
	return exceeds && (status === 'ACCEPTED' || status === 'CANCELLED') ? until.toISOString() : null;
}

/** Disclosure to the viewer as one of the parties of the day of entry or of the current ones. */
export function disclosureOfRow(row: FullEntryRow, { principal, present, now }: EntryViewer): Disclosure {
	const isConfirmed = row.isConfirmed && row.isHorseConfirmed;
	const parties = [storedParties(row, now), ...(present === undefined ? [] : [present])];
	const disclosures = parties.map((of) => disclosureOfStored(principal, of, isConfirmed));
	return { rider: disclosures.some(({ rider }) => rider), horse: disclosures.some(({ horse }) => horse) };
}

export function toEntryPage({ items, ...page }: Page<FullEntryRow>, viewer: EntryViewer): Page<Entry> {
	return { ...page, items: items.map((row) => toEntry(row, viewer)) };
}

/** The entries of a published event that need attention, as its manager may read them; undefined of any other event. */
export async function entriesInDoubt(
	db: EventsQueryable,
	event: Pick<EventRow, 'id' | 'status'>,
	{ principal, now }: { readonly principal: Principal; readonly now: Date },
): Promise<{ readonly entriesNeedingAttention?: EntriesNeedingAttention }> {
	if (event.status !== 'PUBLISHED') return {};
	const viewer = { principal, keptHorses: 'all', now } as const;
	const query = { needsAttention: true, page: 1, size: attentionMax };
	const { items, pagination } = await listEventEntries(db, event.id, viewer, query);
	return {
		entriesNeedingAttention: {
			total: pagination.totalElements,
			items: items
				.map((row) => toEntry(row, { principal, now }))
				.map(({ id, entryNumber, status, rider, horse, checks }) => ({
					id,
					entryNumber,
					status,
					...(rider === undefined ? {} : { riderName: rider.name }),
					horseName: horse.name,
					checks,
				})),
		},
	};
}

function columnsOf(numbers: ReadonlyMap<string, number>, currency: string): CsvColumns<Entry> {
	return [
		['Entry', (entry) => entry.entryNumber],
		['Status', (entry) => entry.status],
		['Position', (entry) => entry.position],
		['Type', (entry) => entry.type],
		['Rider', (entry) => entry.rider?.name ?? null],
		['Club', (entry) => entry.rider?.clubName ?? null],
		['Nation', (entry) => entry.rider?.nation ?? null],
		['Age classes', (entry) => entry.rider?.ageClasses.join(' ') || null],
		['Horse', (entry) => entry.horse.name],
		['Head number', (entry) => entry.horse.headNumber],
		['Born', (entry) => entry.horse.birthYear],
		['Sire', (entry) => entry.horse.sireName],
		['Competitions', (entry) => competitionNumbers(entry, numbers)],
		[`Due ${currency}`, (entry) => ({ hundredths: entry.amountDue })],
		['Remarks', (entry) => entry.checks.map(({ message }) => message).join(' ')],
		['Overrides', (entry) => overridesText(entry) || null],
		['Reason', (entry) => entry.statusReason],
		['Entered at', (entry) => entry.createdAt],
		['Boxes', (entry) => entry.boxes],
	];
}

function overridesText({ overrides }: Entry): string {
	return overrides.map(({ code, reason, byName, at }) => `${code}: ${reason} (${byName}, ${at})`).join(' ');
}

/** The entries as CSV, in parts. `numbers`: competition id → its number. */
export function entriesFile(
	batches: AsyncIterable<readonly FullEntryRow[]>,
	viewer: EntryViewer,
	numbers: ReadonlyMap<string, number>,
	{ form, currency }: { readonly form: CsvForm; readonly currency: string },
): AsyncIterable<string> {
	const entries = async function* () {
		for await (const rows of batches) yield rows.map((row) => toEntry(row, viewer));
	};
	return csvParts(columnsOf(numbers, currency), entries(), form);
}

function competitionNumbers({ status, starts }: Entry, numbers: ReadonlyMap<string, number>): string {
	const going = starts.filter((start) => start.status === status);
	return going.map(({ competitionId }) => numbers.get(competitionId) ?? '?').join(' ');
}
