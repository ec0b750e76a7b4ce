import type { EntryStatus, EntryType } from './entry-status.ts';

/** What an entry costs; all amounts in cents. */
export interface EntryFees {
	readonly type: EntryType;
	readonly entryFee: number;
	readonly lateSurcharge: number;
	readonly startFees: readonly number[];
}

/** Entry fee, the fee of each start, and for a late entry the surcharge once; in cents. Stabling is booked apart. */
export function fullAmount({ type, entryFee, lateSurcharge, startFees }: EntryFees): number {
	const starts = startFees.reduce((sum, fee) => sum + fee, 0);
	return entryFee + starts + (type === 'LATE' ? lateSurcharge : 0);
}

/** An entry that ends. */
export interface EndingEntry {
	/** What it was, and what it becomes. */
	readonly from: EntryStatus;
	readonly to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED' | 'CANCELLED';
	/** In cents, before. */
	readonly amountDue: number;
	readonly entryDeadline: Date | null;
	readonly now: Date;
}

/**
 * What stays due of an entry that ends, in cents. Who withdraws a place after the entry deadline still owes all of it,
 * because it was kept free for the horse; who withdraws earlier, never got a place, or is refused owes nothing.
 */
export function amountLeft({ from, to, amountDue, entryDeadline, now }: EndingEntry): number {
	const kept = to === 'WITHDRAWN' && from === 'ACCEPTED';
	return kept && entryDeadline !== null && now > entryDeadline ? amountDue : 0;
}
