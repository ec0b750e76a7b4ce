import { yearOf } from '@paddock/calendar';
import { failHorses } from './errors.ts';

export const horseStatuses = ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'DECEASED', 'INACTIVE'] as const;

/** INACTIVE = removed from the registry, as far as everybody but the federation's office can see. */
export type HorseStatus = (typeof horseStatuses)[number];

export type StatusStep = 'suspend' | 'retire' | 'lapse' | 'reinstate' | 'decease' | 'remove' | 'restore';

/** What a removed horse is restored to; null where it isn't removed. */
type RemovedStatus = HorseStatus | null;

interface Step {
	readonly from: readonly HorseStatus[];
	/** `removed`: what it was before it was removed. */
	readonly to: HorseStatus | 'removed';
}

const steps: Readonly<Record<StatusStep, Step>> = {
	suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
	retire: { from: ['ACTIVE'], to: 'RETIRED' },
	lapse: { from: ['ACTIVE'], to: 'LAPSED' },
	reinstate: { from: ['SUSPENDED', 'RETIRED', 'LAPSED'], to: 'ACTIVE' },
	decease: { from: ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED', 'INACTIVE'], to: 'DECEASED' },
	remove: { from: ['ACTIVE', 'SUSPENDED', 'RETIRED', 'LAPSED'], to: 'INACTIVE' },
	restore: { from: ['INACTIVE'], to: 'removed' },
};

/**
 * The status that a step leads to.
 * @throws ApiError ILLEGAL_STATE_TRANSITION with `{ from, to, allowed }`; `allowed` are the statuses that some step leads to.
 */
export function statusAfter(step: StatusStep, from: HorseStatus, removedStatus: RemovedStatus): HorseStatus {
	const to = targetOf(step, removedStatus);
	if (steps[step].from.includes(from)) return to;
	throw failHorses('ILLEGAL_STATE_TRANSITION', {
		context: { from, to, allowed: statusesAfter(from, removedStatus) },
	});
}

function statusesAfter(from: HorseStatus, removedStatus: RemovedStatus): HorseStatus[] {
	const names = Object.keys(steps) as StatusStep[];
	const open = names.filter((name) => steps[name].from.includes(from));
	return open.map((name) => targetOf(name, removedStatus));
}

function targetOf(step: StatusStep, removedStatus: RemovedStatus): HorseStatus {
	const { to } = steps[step];
	return to === 'removed' ? (removedStatus ?? 'ACTIVE') : to;
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
