import { describe, expect, test } from '@jest/globals';
import { ApiError } from '@paddock/contract';
import { isFeeOverdue, isFeePaid, type StatusStep, statusAfter } from './status.ts';
import { type HorseStatus, horseStatus } from './words.ts';

const table: Readonly<Record<StatusStep, Partial<Record<HorseStatus, HorseStatus>>>> = {
	suspend: { ACTIVE: 'SUSPENDED' },
	retire: { ACTIVE: 'RETIRED' },
	lapse: { ACTIVE: 'LAPSED' },
	reinstate: { SUSPENDED: 'ACTIVE', RETIRED: 'ACTIVE', LAPSED: 'ACTIVE' },
	decease: {
		ACTIVE: 'DECEASED',
		SUSPENDED: 'DECEASED',
		RETIRED: 'DECEASED',
		LAPSED: 'DECEASED',
		INACTIVE: 'DECEASED',
	},
	delete: { ACTIVE: 'INACTIVE', SUSPENDED: 'INACTIVE', RETIRED: 'INACTIVE', LAPSED: 'INACTIVE' },
	restore: { INACTIVE: 'SUSPENDED' },
	undoDeath: { DECEASED: 'SUSPENDED' },
};

const cases = (Object.keys(table) as StatusStep[]).flatMap((step) =>
	horseStatus.options.map((from) => [step, from, table[step][from]] as const),
);

describe('a step of the status', () => {
	test.each(cases)('%s from %s leads to %s', (step, from, to) => {
		const take = () =>
			statusAfter(step, {
				status: from,
				removedStatus: from === 'INACTIVE' ? 'SUSPENDED' : null,
				beforeDeath: from === 'DECEASED' ? { status: 'SUSPENDED' } : null,
			});
		if (to === undefined) expect(take).toThrow(ApiError);
		else expect(take()).toBe(to);
	});

	test.each([
		['suspend', 'RETIRED', null, 'SUSPENDED', ['ACTIVE', 'DECEASED', 'INACTIVE']],
		['retire', 'DECEASED', null, 'RETIRED', ['ACTIVE']],
		['retire', 'DECEASED', 'LAPSED', 'RETIRED', ['LAPSED']],
		['reinstate', 'INACTIVE', 'RETIRED', 'ACTIVE', ['DECEASED', 'RETIRED']],
	] as const)('that is refused (%s from %s) says what is allowed', (step, from, earlier, to, allowed) => {
		const isDead = from === 'DECEASED' && earlier !== null;
		const refused = () =>
			statusAfter(step, {
				status: from,
				removedStatus: isDead ? null : earlier,
				beforeDeath: isDead ? { status: earlier } : null,
			});
		expect(refused).toThrow(
			expect.objectContaining({ code: 'ILLEGAL_STATE_TRANSITION', context: { from, to, allowed } }),
		);
	});
});

describe('the fee in 2026', () => {
	test.each([
		[2023, '2020-01-01', false],
		[2022, '2020-01-01', true],
		[null, '2024-12-31', false],
		[null, '2023-01-01', true],
		[2027, '2010-01-01', false],
	])('paid for %s, registered on %s, is overdue: %j', (feePaidForYear, registeredOn, expected) => {
		expect(isFeeOverdue({ feePaidForYear, registeredOn }, '2026-05-01')).toBe(expected);
	});

	test.each([
		[2026, true],
		[2027, true],
		[2025, false],
		[null, false],
	])('paid for %s is paid: %j', (feePaidForYear, expected) => {
		expect(isFeePaid({ feePaidForYear }, '2026-05-01')).toBe(expected);
	});
});
