import { expect, test } from '@jest/globals';
import { createMovingClock } from '@paddock/testing';
import { createRecentMap } from './rate-limit.ts';

const periodMs = 1_000;

function mapWithEntry() {
	const { now, advance } = createMovingClock();
	const map = createRecentMap<string>({ periodMs, nowMs: () => now().getTime() });
	map.get('other');
	map.set('key', 'value');
	/** Uses the map, but not the entry. */
	const pass = (ms: number): void => {
		advance(ms);
		map.get('other');
	};
	return { map, advance, pass };
}

test('an entry that is used at least once in a period remains', () => {
	const { map, advance } = mapWithEntry();
	for (let period = 0; period < 5; period += 1) {
		advance(periodMs);
		expect(map.get('key')).toBe('value');
	}
});

test('an entry that is not used remains for one period and is dropped within two', () => {
	const { map, pass } = mapWithEntry();
	pass(periodMs);
	expect(map.get('key')).toBe('value');
	pass(periodMs);
	pass(periodMs);
	expect(map.get('key')).toBeUndefined();
});
