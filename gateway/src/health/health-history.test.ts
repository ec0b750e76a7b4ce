import { expect, test } from '@jest/globals';
import { createMovingClock } from '@paddock/testing';
import { createHealthHistory } from './health-history.ts';

const change = { context: 'horses', what: 'health', from: 'UP', to: 'DOWN', cause: 'ERROR' } as const;

test('keeps the newest changes, the newest first, and no more than it may', () => {
	const clock = createMovingClock(new Date(0));
	const history = createHealthHistory({ now: clock.now, changesMax: 3 });
	for (const cause of ['1', '2', '3', '4', '5']) {
		history.record({ ...change, cause });
		clock.advance(1_000);
	}
	expect(history.list().map(({ cause, at }) => [cause, at.getTime()])).toEqual([
		['5', 4_000],
		['4', 3_000],
		['3', 2_000],
	]);
});

test('does not let one long cause fill it', () => {
	const history = createHealthHistory({ now: () => new Date(0), changesMax: 1 });
	history.record({ ...change, cause: 'x'.repeat(100_000) });
	expect(history.list()[0]?.cause).toHaveLength(300);
});

test('what was listed does not change afterwards', () => {
	const history = createHealthHistory({ now: () => new Date(0), changesMax: 5 });
	const before = history.list();
	history.record(change);
	expect(before).toEqual([]);
});
