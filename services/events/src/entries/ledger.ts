import { dayAfter, dayIn } from '@paddock/calendar';
import { refuseInvalid } from '@paddock/contract';
import type { CompetitionRow, EventRow, EventsQueryable } from '../database-schema.ts';
import type { EntryType, LedgerKind } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { ruleOf } from '../rules/entry-rules.ts';
import { isAcceptable } from './entry-check.ts';
import type { FullEntryRow } from './store.ts';

/** A line to book. A negative amount, in cents, is in favour of the entrant. */
export interface LedgerLine {
	readonly kind: LedgerKind;
	readonly amount: number;
	readonly competitionId?: string;
	readonly reason: string;
}

/** Who books, and when; null = the system. */
export interface Booking {
	readonly by: string | null;
	readonly now: Date;
}

/** Books lines of one entry; those without an amount are left out. `amount_due` follows by a trigger. */
export async function bookLines(
	db: EventsQueryable,
	entryId: string,
	lines: readonly LedgerLine[],
	{ by, now }: Booking,
): Promise<void> {
	const rows = lines
		.filter(({ amount }) => amount !== 0)
		.map((line) => ({ ...line, entryId, bookedBy: by, bookedAt: now }));
	if (rows.length > 0) await db.insertInto('ledgerLines').values(rows).execute();
}

export function sumOf(lines: readonly Pick<LedgerLine, 'amount'>[]): number {
	return lines.reduce((total, { amount }) => total + amount, 0);
}

type Fees = Pick<EventRow, 'entryFee' | 'lateSurcharge' | 'stableFee'>;
type PaidCompetition = Pick<CompetitionRow, 'id' | 'number' | 'startFee'>;

/** The lines of an entry that counts: entry fee, starts, boxes, and the surcharge of a late entry. */
export function entryCharges(
	{ entryFee, lateSurcharge, stableFee }: Fees,
	{
		type,
		competitions,
		boxes,
	}: {
		readonly type: EntryType;
		readonly competitions: readonly PaidCompetition[];
		readonly boxes: number;
	},
): readonly LedgerLine[] {
	return [
		{ kind: 'ENTRY', amount: entryFee, reason: 'Entry fee' },
		...competitions.map(startCharge),
		...(type === 'LATE' ? [{ kind: 'LATE', amount: lateSurcharge, reason: 'Late entry' } as const] : []),
		{ kind: 'BOX', amount: boxes * stableFee, reason: boxesText(boxes) },
	];
}

export function startCharge({ id, number, startFee }: PaidCompetition): LedgerLine {
	return { kind: 'START', amount: startFee, competitionId: id, reason: `Start in no. ${number}` };
}

function boxesText(boxes: number): string {
	return boxes === 1 ? '1 box' : `${boxes} boxes`;
}

/** @throws ApiError VALIDATION_ERROR for more boxes than the event has. */
export function requireBoxesOffered({ maxBoxes }: Pick<EventRow, 'maxBoxes'>, boxes: number): void {
	if (maxBoxes === null || boxes <= maxBoxes) return;
	const message = `must be at most ${maxBoxes}, the boxes of the event`;
	refuseInvalid([{ field: 'boxes', code: 'INVALID_RANGE', message }]);
}

/** So that an entry, which every list reads with its ledger, does not grow for ever. */
const linesMax = 200;
const swapsMax = 50;

/** An entry can end at any time. Lines stay, as they are what the entrant was told. @throws ApiError ENTRY_CHANGES_USED_UP */
export function requireChangesLeft({ ledger, swaps }: Pick<FullEntryRow, 'ledger' | 'swaps'>): void {
	if (ledger.length >= linesMax || swaps.length >= swapsMax) throw eventsError('ENTRY_CHANGES_USED_UP');
}

/** Whether boxes can still be cancelled free of charge (OeTO §23.4); events under other rules have the same period. */
export function areBoxesRefunded(
	{ startDate, venueTimeZone }: Pick<EventRow, 'startDate' | 'venueTimeZone'>,
	now: Date,
): boolean {
	const { min: days = 0 } = ruleOf('NO_REFUND', startDate, '23.4') ?? {};
	return dayIn(venueTimeZone, now) <= dayAfter(startDate, -days);
}

/** The data of an entry that decide on its amount due after its end. */
type Debt = Pick<
	FullEntryRow,
	'status' | 'amountDue' | 'entryDeadline' | 'freeWithdrawalUntil' | 'checks' | 'ledger'
>;

/** Whether boxes that the entry gives back stay due (OeTO §23.4). An entry that waits has no box yet. */
export function areBoxesKeptDue(
	{ status }: Pick<FullEntryRow, 'status'>,
	event: Pick<EventRow, 'startDate' | 'venueTimeZone'>,
	now: Date,
): boolean {
	return status === 'ACCEPTED' && !areBoxesRefunded(event, now);
}

/**
 * The line for another number of boxes. Those that stayed due cost nothing if they are taken again; those that are refunded have
 * the price that was booked, not that of today.
 */
export function boxLine(
	entry: Pick<FullEntryRow, 'status' | 'boxes' | 'ledger' | 'checks'>,
	boxes: number,
	event: Pick<EventRow, 'startDate' | 'venueTimeZone' | 'stableFee'>,
	now: Date,
): readonly LedgerLine[] {
	const difference = boxes - entry.boxes;
	const booked = sumOf(entry.ledger.filter(({ kind }) => kind === 'BOX'));
	const price = Math.abs(difference) * event.stableFee;
	// On an entry that has not ended only boxes that stayed due cause this warning.
	const hasKeptDue = entry.checks.some(({ code }) => code === 'NO_REFUND');
	if (difference > 0) {
		const unpaid = Math.max(0, boxes * event.stableFee - booked);
		const amount = hasKeptDue ? Math.min(price, unpaid) : price;
		return [{ kind: 'BOX', amount, reason: boxesText(difference) }];
	}
	if (difference === 0 || areBoxesKeptDue(entry, event, now)) return [];
	const share = Math.round((booked * -difference) / entry.boxes);
	// After a move of the event; the booked amount includes boxes that stayed due before it.
	const amount = -(hasKeptDue ? Math.min(share, price) : share);
	return [{ kind: 'BOX', amount, reason: `${boxesText(-difference)} given back` }];
}

/**
 * The line for an entry that becomes the first one of its horse, which has an entry fee (OeTO §26.1), if it has none yet. One that becomes a
 * further entry keeps its fee: the horse's other entry may have none.
 */
export function entryFeeLine(
	entry: Pick<FullEntryRow, 'isAdditional' | 'ledger'>,
	isAdditional: boolean,
	{ entryFee }: Pick<EventRow, 'entryFee'>,
): readonly LedgerLine[] {
	if (isAdditional || !entry.isAdditional) return [];
	const booked = sumOf(entry.ledger.filter(({ kind }) => kind === 'ENTRY'));
	return booked >= entryFee ? [] : [{ kind: 'ENTRY', amount: entryFee - booked, reason: 'Entry fee' }];
}

/** Amounts in cents. */
export interface AmountLeft {
	/** Entry fee, starts, surcharge and swaps: all of them or none. */
	readonly fees: number;
	readonly boxes: number;
}

const nothing: AmountLeft = { fees: 0, boxes: 0 };

/**
 * Amounts due after an entry ends. After the entry deadline an accepted entry stays due, because its place was reserved
 * (OeTO §28.7); before, only boxes that were cancelled too late. Nothing is due in the free time after a late promotion or a new
 * date, for an entry that no longer fits, and for one without a place. `hasRidden`: a competition is over, the place was used.
 */
export function amountLeft(
	{ status, amountDue, entryDeadline, freeWithdrawalUntil, checks, ledger }: Debt,
	to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED',
	{
		now,
		hasRidden,
		boxesRefunded,
	}: {
		readonly now: Date;
		readonly hasRidden: boolean;
		readonly boxesRefunded: boolean;
	},
): AmountLeft {
	if (to !== 'WITHDRAWN' || !(status === 'ACCEPTED' || status === 'CANCELLED')) return nothing;
	const hasTime = freeWithdrawalUntil !== null && now <= freeWithdrawalUntil;
	if (!hasRidden && (hasTime || !isAcceptable(checks))) return nothing;
	const forBoxes = Math.min(amountDue, sumOf(ledger.filter(({ kind }) => kind === 'BOX')));
	const isInTime = entryDeadline === null || now <= entryDeadline;
	return { fees: isInTime ? 0 : amountDue - forBoxes, boxes: boxesRefunded ? 0 : forBoxes };
}
