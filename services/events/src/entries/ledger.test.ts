import { expect, test } from '@jest/globals';
import { amountLeft, areBoxesRefunded, entryCharges } from './ledger.ts';

test('an entry costs its fee, each start and each box, a late one the surcharge once', () => {
	const fees = { entryFee: 2_000, lateSurcharge: 1_500, stableFee: 9_000 };
	const competitions = [
		{ id: 'a', number: 1, startFee: 1_200 },
		{ id: 'b', number: 2, startFee: 1_850 },
	];
	const amounts = (type: 'REGULAR' | 'LATE') =>
		entryCharges(fees, { type, competitions, boxes: 2 }).map(({ kind, amount }) => [kind, amount]);
	const regular = [
		['ENTRY', 2_000],
		['START', 1_200],
		['START', 1_850],
	];
	expect(amounts('REGULAR')).toEqual([...regular, ['BOX', 18_000]]);
	expect(amounts('LATE')).toEqual([...regular, ['LATE', 1_500], ['BOX', 18_000]]);
});

test.each([
	['2026-10-13T21:59:59Z', true],
	['2026-10-13T22:00:00Z', false],
])(
	'boxes are given back free of charge until ten days before the event at its venue: %s',
	(now, expected) => {
		const event = { startDate: '2026-10-23', venueTimeZone: 'Europe/Vienna' };
		expect(areBoxesRefunded(event, new Date(now))).toBe(expected);
	},
);

const entryDeadline = new Date('2026-05-01T21:59:00Z');
const inTime = entryDeadline;
const tooLate = new Date(entryDeadline.getTime() + 1);

const withdrawal = { now: tooLate, hasRidden: false, boxesRefunded: true };
const place = { status: 'ACCEPTED', amountDue: 5_050, entryDeadline, checks: [], ledger: [] } as const;

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
	expect(amountLeft(debt, to, { ...withdrawal, now })).toEqual({ fees: left, boxes: 0 });
});

test.each([
	['to the last instant', tooLate, withdrawal, 0],
	['no longer', inTime, withdrawal, 5_050],
	['not after the first competition', tooLate, { ...withdrawal, hasRidden: true }, 5_050],
])('free of charge after a late promotion: %s', (_case, freeWithdrawalUntil, when, left) => {
	const debt = { ...place, freeWithdrawalUntil };
	expect(amountLeft(debt, 'WITHDRAWN', when)).toEqual({ fees: left, boxes: 0 });
});

test.each([
	['in time, boxes too', inTime, true, { fees: 0, boxes: 0 }],
	['in time, boxes too late', inTime, false, { fees: 0, boxes: 1_000 }],
	['too late, boxes in time', tooLate, true, { fees: 4_050, boxes: 0 }],
	['all too late', tooLate, false, { fees: 4_050, boxes: 1_000 }],
])('a withdrawal with a box: %s', (_case, now, boxesRefunded, left) => {
	const box = {
		kind: 'BOX',
		amount: 1_000,
		competitionId: null,
		reason: '',
		bookedBy: null,
		bookedAt: '',
	} as const;
	const debt = { ...place, freeWithdrawalUntil: null, ledger: [box] };
	expect(amountLeft(debt, 'WITHDRAWN', { now, hasRidden: false, boxesRefunded })).toEqual(left);
});
