import { expect, test } from '@jest/globals';
import { amountLeft } from './finish-entry.ts';
import { fullAmount } from './judge-entry.ts';

test('an entry costs its fee and each start, a late one the surcharge once', () => {
	const fees = { entryFee: 2_000, lateSurcharge: 1_500 };
	expect(fullAmount(fees, 'REGULAR', [1_200, 1_850])).toBe(5_050);
	expect(fullAmount(fees, 'LATE', [1_200, 1_850])).toBe(6_550);
});

const entryDeadline = new Date('2026-05-01T21:59:00Z');
const inTime = entryDeadline;
const tooLate = new Date(entryDeadline.getTime() + 1);

const withdrawal = { now: tooLate, hasRidden: false };
const place = { status: 'ACCEPTED', amountDue: 5_050, entryDeadline, checks: [] } as const;

test.each([
	['a withdrawal in time', 'ACCEPTED', 'WITHDRAWN', inTime, 0],
	['a withdrawal after the deadline', 'ACCEPTED', 'WITHDRAWN', tooLate, 5_050],
	['the rest after the deadline', 'CANCELLED', 'WITHDRAWN', tooLate, 5_050],
	['the rest in time', 'CANCELLED', 'WITHDRAWN', inTime, 0],
	['one that only waited', 'WAITLISTED', 'WITHDRAWN', tooLate, 0],
	['one that the organiser refuses', 'ACCEPTED', 'REJECTED', tooLate, 0],
	['one that the rider’s side refuses', 'PENDING_CONFIRMATION', 'DECLINED', tooLate, 0],
] as const)('%s', (_case, status, to, now, left) => {
	const debt = { ...place, status, freeWithdrawalUntil: null };
	expect(amountLeft(debt, to, { now, hasRidden: false })).toBe(left);
});

test.each([
	['to the last instant', tooLate, withdrawal, 0],
	['no longer', inTime, withdrawal, 5_050],
	['not after the first competition', tooLate, { ...withdrawal, hasRidden: true }, 5_050],
])('free of charge after a late promotion: %s', (_case, freeWithdrawalUntil, when, left) => {
	expect(amountLeft({ ...place, freeWithdrawalUntil }, 'WITHDRAWN', when)).toBe(left);
});
