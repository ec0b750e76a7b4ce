import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type BreakerOrders, createBreakerOrders, type OrderChange } from './breaker-orders.ts';

let orders: BreakerOrders;
let changes: OrderChange[];

beforeEach(() => {
	jest.useFakeTimers({ now: 0 });
	changes = [];
	orders = createBreakerOrders({ now: () => new Date(), onChange: (change) => void changes.push(change) });
});

afterEach(() => {
	orders.close();
	expect(jest.getTimerCount()).toBe(0);
	jest.useRealTimers();
});

function order(state: 'OPEN' | 'CLOSED', seconds = 60) {
	const at = new Date();
	return { state, reason: 'why', by: 'me', at, until: new Date(at.getTime() + seconds * 1000) };
}

const stateOf = (instance: string, context = 'horses') => orders.of(context, instance)?.state;

describe('an order', () => {
	test('for a context covers every instance of it, and no other context', () => {
		orders.give({ context: 'horses' }, order('OPEN'));
		expect([stateOf('a'), stateOf('b'), stateOf('a', 'members')]).toEqual(['OPEN', 'OPEN', undefined]);
	});

	test('ends by itself, to the moment, and is told once', () => {
		orders.give({ context: 'horses' }, order('OPEN', 60));
		jest.advanceTimersByTime(59_999);
		expect(stateOf('a')).toBe('OPEN');
		jest.advanceTimersByTime(1);
		expect(stateOf('a')).toBeUndefined();
		expect(orders.list()).toEqual([]);
		jest.advanceTimersByTime(600_000);
		expect(changes.map(({ to, cause }) => [to?.state, cause])).toEqual([
			['OPEN', 'why'],
			[undefined, 'its time is over'],
		]);
	});

	test('that has ended holds no longer even where its timer is late', () => {
		orders.give({ context: 'horses' }, order('OPEN', 60));
		jest.setSystemTime(60_000);
		expect(stateOf('a')).toBeUndefined();
		expect(orders.list()).toEqual([]);
	});

	test('replaced by another lasts as long as that one', () => {
		orders.give({ context: 'horses' }, order('OPEN', 60));
		orders.give({ context: 'horses' }, order('CLOSED', 600));
		jest.advanceTimersByTime(61_000);
		expect(stateOf('a')).toBe('CLOSED');
		expect(changes.map(({ from, to }) => [from?.state, to?.state])).toEqual([
			[undefined, 'OPEN'],
			['OPEN', 'CLOSED'],
		]);
	});

	test('for an instance stands above an older one for its context', () => {
		orders.give({ context: 'horses' }, order('OPEN'));
		orders.give({ context: 'horses', instance: 'a' }, order('CLOSED'));
		expect([stateOf('a'), stateOf('b')]).toEqual(['CLOSED', 'OPEN']);
	});

	test('for a context takes the place of older ones for its instances', () => {
		orders.give({ context: 'horses', instance: 'a' }, order('CLOSED'));
		orders.give({ context: 'horses' }, order('OPEN'));
		expect(stateOf('a')).toBe('OPEN');
		expect(orders.list()).toHaveLength(1);
	});

	test('withdrawn for an instance leaves the one for its context', () => {
		orders.give({ context: 'horses' }, order('OPEN'));
		orders.give({ context: 'horses', instance: 'a' }, order('CLOSED'));
		orders.withdraw({ context: 'horses', instance: 'a' }, 'done');
		expect([stateOf('a'), stateOf('b')]).toEqual(['OPEN', 'OPEN']);
	});

	test('withdrawn for a context ends all in it, and nothing elsewhere', () => {
		orders.give({ context: 'horses' }, order('OPEN'));
		orders.give({ context: 'horses', instance: 'a' }, order('CLOSED'));
		orders.give({ context: 'members' }, order('OPEN'));
		orders.withdraw({ context: 'horses' }, 'done');
		expect([stateOf('a'), stateOf('b'), stateOf('a', 'members')]).toEqual([undefined, undefined, 'OPEN']);
	});

	test('that was never given is withdrawn without a word', () => {
		orders.withdraw({ context: 'horses' }, 'done');
		expect(changes).toEqual([]);
	});
});
