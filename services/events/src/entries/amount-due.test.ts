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

test.each([
	['a withdrawal in time', 'ACCEPTED', 'WITHDRAWN', inTime, 0],
	['a withdrawal after the deadline', 'ACCEPTED', 'WITHDRAWN', tooLate, 5_050],
	['one that only waited', 'WAITLISTED', 'WITHDRAWN', tooLate, 0],
	['one that the organiser refuses', 'ACCEPTED', 'REJECTED', tooLate, 0],
	['one that the rider’s side refuses', 'PENDING_CONFIRMATION', 'DECLINED', tooLate, 0],
] as const)('%s', (_case, status, to, now, left) => {
	expect(amountLeft({ status, amountDue: 5_050, entryDeadline }, to, now)).toBe(left);
});
