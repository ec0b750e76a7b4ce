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

/** The status that a restore or the undoing of a death leads to; null for other horses or if not stored. */
type EarlierStatus = HorseStatus | null;

interface Step {
	readonly from: readonly HorseStatus[];
	/** `earlier`: the status before the removal or the death. */
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
 * The status after a step.
 * @throws ApiError ILLEGAL_STATE_TRANSITION with `{ from, to, allowed }`; `allowed` lists the statuses reachable by any
 * step.
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

/** The previous status of a removed or deceased horse. */
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

/** Whether more than three years are unpaid; if no fee was ever paid, counted from the year of registration. */
export function isFeeOverdue({ feePaidForYear, registeredOn }: FeeState, today: string): boolean {
	const paidUntilYear = feePaidForYear ?? yearOf(registeredOn) - 1;
	return yearOf(today) - paidUntilYear > unpaidYearsTolerated;
}

export function isFeePaid({ feePaidForYear }: Pick<FeeState, 'feePaidForYear'>, today: string): boolean {
	return (feePaidForYear ?? 0) >= yearOf(today);
}
