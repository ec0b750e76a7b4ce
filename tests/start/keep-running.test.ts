import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { type KeepRunningOptions, keepRunning } from '../../scripts/start/keep-running.ts';

describe('a kept process', () => {
	/** A fake process that the test ends; it counts the starts. */
	function fake(failures: readonly number[] = []) {
		const ends: ((how: string) => void)[] = [];
		const lines: string[] = [];
		const starts = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
		let stopped = 0;
		const start: KeepRunningOptions['start'] = async (_signal, attempt) => {
			starts[attempt - 1]?.resolve();
			if (failures.includes(attempt)) throw new Error(`no start ${attempt}`);
			const { promise: exited, resolve } = Promise.withResolvers<string>();
			ends.push(resolve);
			return {
				exited,
				stop: async () => {
					stopped++;
					resolve('stopped');
				},
			};
		};
		const options: KeepRunningOptions = {
			start,
			report: (line) => lines.push(line),
			now: () => 0,
		};
		return {
			options,
			ends,
			lines,
			started: (attempt: number) => starts[attempt - 1]?.promise,
			stopped: () => stopped,
		};
	}

	test('is not restarted if the first start fails', async () => {
		const { options } = fake([1]);
		await expect(keepRunning(options, new AbortController().signal)).rejects.toThrow('no start 1');
	});

	test('is restarted after an exit and after a failed restart, with a line each time and one when it runs again', async () => {
		const { options, ends, lines, started } = fake([2]);
		const kept = await keepRunning(options, new AbortController().signal);
		ends[0]?.('exit code 3');
		await started(3);
		await eventually('it runs again', () => lines.length === 3);
		expect(lines).toEqual([
			'exited (exit code 3); restarting in 0.5 s',
			'exited (no start 2); restarting in 1 s',
			'running again',
		]);
		await kept.stop();
	});

	test('stays stopped, even if stopped during a restart delay', async () => {
		const { options, ends, lines, stopped } = fake();
		const kept = await keepRunning(options, new AbortController().signal);
		ends[0]?.('exit code 1');
		await Promise.resolve();
		await kept.stop();
		expect(ends).toHaveLength(1);
		expect(lines.length).toBeLessThanOrEqual(1);
		expect(stopped()).toBeGreaterThan(0);
	});
});
