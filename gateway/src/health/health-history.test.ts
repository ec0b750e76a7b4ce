import { describe, expect, test } from '@jest/globals';
import { createMovingClock } from '@paddock/testing';
import { createHealthHistory, type HealthHistory } from './health-history.ts';

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

describe('the same change of several contexts', () => {
	const failed = { ...change, cause: 'ERROR: Not ready; database: connection refused', check: 'database' };
	const lines = (history: HealthHistory) =>
		history.list().map(({ context, contexts, to, cause }) => [contexts ?? context, to, cause]);

	test('for the same failing check within ten seconds is one entry, whatever the check says in detail', () => {
		const clock = createMovingClock(new Date(0));
		const history = createHealthHistory({ now: clock.now, changesMax: 5 });
		history.record({ ...failed, instance: 'a' });
		clock.advance(10_000);
		history.record({ ...failed, context: 'members', cause: 'ERROR: Not ready; database: connection reset' });
		clock.advance(1);
		history.record({ ...failed, context: 'events' });
		expect(lines(history)).toEqual([
			['events', 'DOWN', failed.cause],
			[['horses', 'members'], 'DOWN', failed.cause],
		]);
		expect(history.list()[1]).not.toHaveProperty('instance');
	});

	test('for different causes is an entry each', () => {
		const history = createHealthHistory({ now: () => new Date(0), changesMax: 5 });
		history.record(failed);
		history.record({ ...failed, context: 'members', check: 'search index' });
		history.record({ ...change, context: 'ping' });
		expect(lines(history).map(([context]) => context)).toEqual(['ping', 'members', 'horses']);
	});

	test('never shows the changes of one context in another order', () => {
		const history = createHealthHistory({ now: () => new Date(0), changesMax: 5 });
		history.record(failed);
		history.record({ ...failed, context: 'members', from: 'DOWN', to: 'UP' });
		history.record({ ...failed, context: 'members' });
		history.record(failed);
		expect(lines(history).map(([context, to]) => [context, to])).toEqual([
			[['members', 'horses'], 'DOWN'],
			['members', 'UP'],
			['horses', 'DOWN'],
		]);
	});
});
