import { yearOf } from '@paddock/calendar';
import { horsesError } from '../errors.ts';
import type { HorseStatus } from './words.ts';

export type StatusStep =
	| 'suspend'
	| 'retire'
	| 'lapse'
	| 'reinstate'
	| 'decease'
	| 'delete'
	| 'restore'
	| 'undoDeath';

interface Step {
	readonly from: readonly HorseStatus[];
	/** `earlier`: the status before the deletion or the death. */
	readonly to: HorseStatus | 'earlier';
}

const steps: Readonly<Record<StatusStep, Step>> = {
	suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
	retire: { from: ['ACTIVE'], to: 'RETIRED' },
	lapse: { from: ['ACTIVE'], to: 'LAPSED' },
	reinstate: { from: ['SUSPENDED', 'RETIRED', 'LAPSED'], to: 'ACTIVE' },
	decease: { from: ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'INACTIVE'], to: 'DECEASED' },
	delete: { from: ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED'], to: 'INACTIVE' },
	restore: { from: ['INACTIVE'], to: 'earlier' },
	undoDeath: { from: ['DECEASED'], to: 'earlier' },
};

interface StoredStatus {
	readonly status: HorseStatus;
	readonly removedStatus: HorseStatus | null;
	/** Null also if the status before the death was not stored. */
	readonly beforeDeath: { readonly status: HorseStatus } | null;
}

/** @throws ApiError ILLEGAL_STATE_TRANSITION with `{ from, to, allowed }`; `allowed`: statuses reachable by any step. */
export function statusAfter(step: StatusStep, stored: StoredStatus): HorseStatus {
	const to = targetOf(step, stored);
	const isOpen = (name: StatusStep) => steps[name].from.includes(stored.status);
	if (isOpen(step)) return to;
	const names = Object.keys(steps) as StatusStep[];
	const allowed = names.filter(isOpen).map((name) => targetOf(name, stored));
	throw horsesError('ILLEGAL_STATE_TRANSITION', { context: { from: stored.status, to, allowed } });
}

function targetOf(step: StatusStep, { removedStatus, beforeDeath }: StoredStatus): HorseStatus {
	const { to } = steps[step];
	return to === 'earlier' ? (removedStatus ?? beforeDeath?.status ?? 'ACTIVE') : to;
}

interface FeeState {
	readonly feePaidForYear: number | null;
	/** `YYYY-MM-DD` */
	readonly registeredOn: string;
}

const unpaidYearsTolerated = 3;

/** Whether more than three years are unpaid; if no fee was ever paid, counted from the year of registration. */
export function isFeeOverdue({ feePaidForYear, registeredOn }: FeeState, today: string): boolean {
	const paidUntilYear = feePaidForYear ?? yearOf(registeredOn) - 1;
	return yearOf(today) - paidUntilYear > unpaidYearsTolerated;
}

export function isFeePaid({ feePaidForYear }: Pick<FeeState, 'feePaidForYear'>, today: string): boolean {
	return (feePaidForYear ?? 0) >= yearOf(today);
}
