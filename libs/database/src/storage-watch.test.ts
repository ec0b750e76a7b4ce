import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createStorageWatch } from './storage-watch.ts';

const full = () => Object.assign(new Error('could not extend file'), { code: '53100', severity: 'ERROR' });

test('a problem lasts for as long as writes fail, and for a while after the last failure', async () => {
	let nowMs = 0;
	let writes = 0;
	let disk: 'full' | 'free' = 'full';
	const watch = createStorageWatch(silentLogger(), () => nowMs);
	const write = async () => {
		writes += 1;
		if (disk === 'free') return;
		watch.failed(full());
		throw full();
	};
	expect(await watch.problem(write)).toBeUndefined();
	watch.failed(new Error('a bug'));
	expect(await watch.problem(write)).toBeUndefined();
	watch.failed(full());
	expect([await watch.problem(write), writes]).toEqual(['out of space', 0]);
	nowMs += 10_000;
	expect([await watch.problem(write), writes]).toEqual(['out of space', 1]);
	disk = 'free';
	nowMs += 9_999;
	expect([await watch.problem(write), writes]).toEqual(['out of space', 1]);
	nowMs += 1;
	expect([await watch.problem(write), writes]).toEqual([undefined, 2]);
	expect(watch.counts().get('out of space')).toBe(2);
	expect([await watch.problem(write), writes]).toEqual([undefined, 2]);
});
