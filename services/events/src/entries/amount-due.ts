import type { EntryStatus, EntryType } from './entry-status.ts';

/** Fees of an entry; all amounts in cents. */
export interface EntryFees {
	readonly type: EntryType;
	readonly entryFee: number;
	readonly lateSurcharge: number;
	readonly startFees: readonly number[];
}

/** Entry fee plus all start fees, plus the surcharge of a late entry; in cents. Stabling is booked separately. */
export function fullAmount({ type, entryFee, lateSurcharge, startFees }: EntryFees): number {
	const starts = startFees.reduce((sum, fee) => sum + fee, 0);
	return entryFee + starts + (type === 'LATE' ? lateSurcharge : 0);
}

/** An entry that ends. */
export interface EndingEntry {
	/** Status before and after. */
	readonly from: EntryStatus;
	readonly to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED' | 'CANCELLED';
	/** Before the entry ends, in cents. */
	readonly amountDue: number;
	readonly entryDeadline: Date | null;
	readonly now: Date;
}

/**
 * Amount due after an entry ends, in cents. An accepted entry that is withdrawn after the entry deadline stays fully
 * due, because its place was reserved; an earlier withdrawal, a waiting entry or a refused one owes nothing.
 */
export function amountLeft({ from, to, amountDue, entryDeadline, now }: EndingEntry): number {
	const kept = to === 'WITHDRAWN' && from === 'ACCEPTED';
	return kept && entryDeadline !== null && now > entryDeadline ? amountDue : 0;
}
