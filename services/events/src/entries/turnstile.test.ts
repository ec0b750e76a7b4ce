import { expect, test } from '@jest/globals';
import { createTurnstile } from './turnstile.ts';

const never = new AbortController().signal;

/** Enters, and tells when it is through. */
function enter(turnstile: ReturnType<typeof createTurnstile>, key: string, log: string[], name: string) {
	return turnstile.enter(key, never).then((leave) => {
		log.push(name);
		return leave;
	});
}

/** Until everything that can go on has gone on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('lets one at a time through, in the order of coming', async () => {
	const turnstile = createTurnstile();
	const log: string[] = [];
	const [first, second, third] = ['1', '2', '3'].map((name) => enter(turnstile, 'a', log, name));
	await settled();
	expect(log).toEqual(['1']);
	(await first)?.();
	await settled();
	expect(log).toEqual(['1', '2']);
	(await second)?.();
	(await third)?.();
	expect(log).toEqual(['1', '2', '3']);
	await enter(turnstile, 'a', log, 'later');
	expect(log).toHaveLength(4);
});

test('keeps other keys apart, and ends a turn once', async () => {
	const turnstile = createTurnstile();
	const log: string[] = [];
	const leave = await enter(turnstile, 'a', log, 'a1');
	const waiting = ['a2', 'a3'].map((name) => enter(turnstile, 'a', log, name));
	await enter(turnstile, 'b', log, 'b1');
	leave();
	leave();
	await settled();
	expect(log).toEqual(['a1', 'b1', 'a2']);
	expect(waiting).toHaveLength(2);
});

test('whoever gives up loses the place, and nobody behind does', async () => {
	const turnstile = createTurnstile();
	const log: string[] = [];
	const leave = await enter(turnstile, 'a', log, '1');
	const impatient = new AbortController();
	const given = turnstile.enter('a', impatient.signal);
	const behind = enter(turnstile, 'a', log, '3');
	impatient.abort(new Error('The caller left.'));
	await expect(given).rejects.toThrow('The caller left.');
	leave();
	await behind;
	expect(log).toEqual(['1', '3']);
	await expect(turnstile.enter('a', impatient.signal)).rejects.toThrow('The caller left.');
});
