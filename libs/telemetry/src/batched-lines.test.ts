import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { createBatchedLines } from './batched-lines.ts';
import { droppedLines } from './dropped-lines.ts';
import { createLineOutput } from './line-output.ts';

/** Accepts data only when the test says so. */
function stubbornOutput() {
	const given: Buffer[] = [];
	const waiting: (() => void)[] = [];
	const output = new Writable({
		highWaterMark: 10,
		write: (bytes: Buffer, _encoding, done) => {
			given.push(bytes);
			waiting.push(done);
		},
	});
	// Read as late as an output may read its input.
	const taken = () => given.map(String);
	return { output, taken, take: () => waiting.shift()?.() };
}

function batched(
	output: Writable,
	limits: { waitMs?: number; batchBytes?: number; waitingBytesMax?: number },
) {
	const recoveries: number[] = [];
	const { waitMs = 60_000, batchBytes = 1_000, waitingBytesMax = 1_000 } = limits;
	const lines = createBatchedLines({
		output: createLineOutput(Object.assign(output, { fd: -1 })),
		waitMs,
		batchBytes,
		waitingBytesMax,
		onRecovered: () => recoveries.push(droppedLines.takeUnreported()),
	});
	return { lines, recoveries };
}

describe('lines', () => {
	test('of one iteration are written together, in order', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines } = batched(output, { waitMs: 1 });
		for (const line of ['one', 'two', 'three']) lines.write(line);
		expect(taken()).toEqual([]);
		await eventually('they are written', () => taken().length > 0);
		expect(taken()).toEqual(['one\ntwo\nthree\n']);
		take();
	});

	test('that fill a batch do not wait for time to pass', () => {
		const { output, taken } = stubbornOutput();
		const { lines } = batched(output, { batchBytes: 16 });
		for (const line of ['one', 'two', 'three']) lines.write(line);
		expect(taken()).toEqual(['one\ntwo\n']);
		expect(lines.rest().toString()).toBe('three\n');
	});

	test('wait while the output is blocked, and are dropped and counted beyond the limit', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines, recoveries } = batched(output, { batchBytes: 12, waitingBytesMax: 24 });
		const blocked = () => droppedLines.byCause().get('blocked') ?? 0;
		const before = blocked();
		lines.write('the first one');
		for (let at = 0; at < 10; at += 1) lines.write('another one');
		expect(taken()).toEqual(['the first one\n']);
		expect(lines.rest().toString()).toBe('another one\nanother one\n');
		take();
		await eventually('the remaining lines are written', () => taken().length === 2);
		take();
		await eventually('the last is written', () => taken().length === 3);
		expect(taken().join('')).toBe('the first one\nanother one\nanother one\n');
		await eventually('the loss is reported', () => recoveries.length > 0);
		expect(recoveries).toEqual([8]);
		expect(blocked() - before).toBe(8);
	});

	test('are unchanged in any script, at any length, and by later writes', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines } = batched(output, { batchBytes: 64, waitingBytesMax: 100_000 });
		const written = ['Ä', '\u{1f40e}'.repeat(5), '€'.repeat(1_000), '', 'end'];
		for (const line of [...written, ...written, ...written]) lines.write(line);
		const flushed = lines.flush();
		while (output.writableLength > 0) {
			take();
			await Promise.resolve();
		}
		await flushed;
		expect(taken().join('')).toBe([...written, ...written, ...written].map((line) => `${line}\n`).join(''));
	});

	test('are not modified while the output reads them', async () => {
		const { output, taken } = stubbornOutput();
		const { lines } = batched(output, { waitMs: 1 });
		lines.write('one');
		await eventually('they are passed to the output', () => taken().length > 0);
		lines.write('two');
		expect(taken()).toEqual(['one\n']);
	});

	test('are all out when a flush resolves', async () => {
		const { output, taken, take } = stubbornOutput();
		const { lines } = batched(output, {});
		lines.write('one');
		let done = false;
		const flushed = lines.flush().then(() => {
			done = true;
		});
		expect(taken()).toEqual(['one\n']);
		await Promise.resolve();
		expect(done).toBe(false);
		take();
		await flushed;
		expect(lines.rest()).toHaveLength(0);
	});
});
