import { yearOf } from '@paddock/calendar';
import { horsesError } from './errors.ts';

export const horseStatuses = ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE'] as const;

/** INACTIVE = removed from the registry; only the federation's office sees it. */
export type HorseStatus = (typeof horseStatuses)[number];

export type StatusStep =
	| 'suspend'
	| 'retire'
	| 'lapse'
	| 'reinstate'
	| 'decease'
	| 'remove'
	| 'restore'
	| 'undoDeath';

/** What a removed horse is restored to, and a deceased one if its death is undone; null for others or if not stored. */
type EarlierStatus = HorseStatus | null;

interface Step {
	readonly from: readonly HorseStatus[];
	/** `earlier`: what it was before it was removed, or before its death. */
	readonly to: HorseStatus | 'earlier';
}

const steps: Readonly<Record<StatusStep, Step>> = {
	suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
	retire: { from: ['ACTIVE'], to: 'RETIRED' },
	lapse: { from: ['ACTIVE'], to: 'LAPSED' },
	reinstate: { from: ['SUSPENDED', 'RETIRED', 'LAPSED'], to: 'ACTIVE' },
	decease: { from: ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'INACTIVE'], to: 'DECEASED' },
	remove: { from: ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED'], to: 'INACTIVE' },
	restore: { from: ['INACTIVE'], to: 'earlier' },
	undoDeath: { from: ['DECEASED'], to: 'earlier' },
};

/**
 * The status that a step leads to.
 * @throws ApiError ILLEGAL_STATE_TRANSITION with `{ from, to, allowed }`; `allowed` are the statuses that some step leads to.
 */
export function statusAfter(step: StatusStep, from: HorseStatus, earlierStatus: EarlierStatus): HorseStatus {
	const to = targetOf(step, earlierStatus);
	if (steps[step].from.includes(from)) return to;
	throw horsesError('ILLEGAL_STATE_TRANSITION', {
		context: { from, to, allowed: statusesAfter(from, earlierStatus) },
	});
}

function statusesAfter(from: HorseStatus, earlierStatus: EarlierStatus): HorseStatus[] {
	const names = Object.keys(steps) as StatusStep[];
	const open = names.filter((name) => steps[name].from.includes(from));
	return open.map((name) => targetOf(name, earlierStatus));
}

function targetOf(step: StatusStep, earlierStatus: EarlierStatus): HorseStatus {
	const { to } = steps[step];
	return to === 'earlier' ? (earlierStatus ?? 'ACTIVE') : to;
}

/** The status that a removed or a deceased horse had before. */
export function earlierStatusOf(stored: {
	readonly removed_status: HorseStatus | null;
	readonly before_death: { readonly status: HorseStatus } | null;
}): EarlierStatus {
	return stored.removed_status ?? stored.before_death?.status ?? null;
}

export interface FeeState {
	readonly feePaidForYear: number | null;
	/** `YYYY-MM-DD` */
	readonly registeredOn: string;
}

const unpaidYearsTolerated = 3;

/** Whether more than three years are unpaid; where nothing was ever paid, since the year of the registration. */
export function isFeeOverdue({ feePaidForYear, registeredOn }: FeeState, today: string): boolean {
	const paidUntilYear = feePaidForYear ?? yearOf(registeredOn) - 1;
	return yearOf(today) - paidUntilYear > unpaidYearsTolerated;
}

export function isFeePaid({ feePaidForYear }: Pick<FeeState, 'feePaidForYear'>, today: string): boolean {
	return (feePaidForYear ?? 0) >= yearOf(today);
}
