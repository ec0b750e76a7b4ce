import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { createBatchedLines } from './batched-lines.ts';

/** Takes what it is given only when it is told to. */
function stubbornOutput() {
	const taken: string[] = [];
	const waiting: (() => void)[] = [];
	const output = new Writable({
		highWaterMark: 10,
		decodeStrings: false,
		write: (text: string, _encoding, done) => {
			taken.push(text);
			waiting.push(done);
		},
	});
	return { output, taken, take: () => waiting.shift()?.() };
}

function batched(
	output: Writable,
	limits: { waitMs?: number; batchChars?: number; waitingCharsMax?: number },
) {
	const dropped: number[] = [];
	const { waitMs = 60_000, batchChars = 1_000, waitingCharsMax = 1_000 } = limits;
	const lines = createBatchedLines({
		output,
		waitMs,
		batchChars,
		waitingCharsMax,
		onDropped: (count) => dropped.push(count),
	});
	return { lines, dropped };
}

describe('lines', () => {
	test('that come together are written together, in their order', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines } = batched(output, { waitMs: 1 });
		for (const line of ['one', 'two', 'three']) lines.write(line);
		expect(taken).toEqual([]);
		await eventually('they are written', () => taken.length > 0);
		expect(taken).toEqual(['one\ntwo\nthree\n']);
		take();
	});

	test('that make a batch do not wait for time to pass', () => {
		const { output, taken } = stubbornOutput();
		const { lines } = batched(output, { batchChars: 8 });
		lines.write('one');
		lines.write('two');
		expect(taken).toEqual(['one\ntwo\n']);
	});

	test('wait while the output takes nothing, and are dropped and counted past their limit', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines, dropped } = batched(output, { batchChars: 12, waitingCharsMax: 24 });
		lines.write('the first one');
		for (let at = 0; at < 10; at += 1) lines.write('another one');
		expect(taken).toEqual(['the first one\n']);
		expect(lines.rest()).toBe('another one\nanother one\n');
		take();
		await eventually('the rest is written', () => taken.length === 2);
		expect(dropped).toEqual([8]);
	});

	test('are all out when a flush resolves', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines } = batched(output, {});
		lines.write('one');
		let done = false;
		const flushed = lines.flush().then(() => {
			done = true;
		});
		expect(taken).toEqual(['one\n']);
		await Promise.resolve();
		expect(done).toBe(false);
		take();
		await flushed;
		expect(lines.rest()).toBe('');
	});
});
