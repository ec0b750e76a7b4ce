import { existsSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';
import { findConsul } from '../../scripts/start/registry-choice.ts';
import { residentMemory } from './resident-memory.ts';
import { useStarts } from './use-starts.ts';

jest.setTimeout(120_000);

/**
 * The guarantee is 900, under load and with npm, which this test doesn't start. The first start of a version, whose processes
 * strip types themselves, exceeds this limit.
 */
const limitMb = 760;

const { PATH = '' } = process.env;
const { start, health } = useStarts(PATH);
const hasProc = existsSync('/proc/self/smaps_rollup');

describeUnless(hasProc ? undefined : 'needs /proc', 'the memory of npm start', () => {
	test(`is under ${limitMb} MB for all processes together, once the code is in the compile cache`, async () => {
		const DISCOVERY = findConsul(PATH) === undefined ? 'static' : 'consul';
		// The cache is that of all tests: to fill one of its own would take more processor time than both starts.
		const first = start({ DISCOVERY });
		await first.up();
		await first.end('SIGTERM');
		const system = start({ DISCOVERY });
		await system.up();
		expect(await health()).toEqual({ code: 200, status: 'UP' });
		const pids = system.tree();
		expect(pids.length).toBeGreaterThan(12);
		const { sharedOnceMb, plainSumMb, lines } = await residentMemory(pids);
		const report = [`${sharedOnceMb} MB, or ${plainSumMb} MB with shared pages counted for each:`, ...lines];
		if (!(sharedOnceMb < limitMb)) throw new Error(report.join('\n'));
	});
});
