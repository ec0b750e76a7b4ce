import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
const limitMb = 770;

const { PATH = '' } = process.env;
const { start, dataDir, health } = useStarts(PATH);
const hasProc = existsSync('/proc/self/smaps_rollup');

describeUnless(hasProc ? undefined : 'needs /proc', 'the memory of npm start', () => {
	test(`is under ${limitMb} MB for all processes together, once the code is in the compile cache`, async () => {
		const DISCOVERY = findConsul(PATH) === undefined ? 'static' : 'consul';
		const env = { NODE_COMPILE_CACHE: join(dirname(dataDir()), 'compile-cache'), DISCOVERY };
		const first = start(env);
		await first.up();
		await first.end('SIGTERM');
		const system = start(env);
		await system.up();
		expect(await health()).toEqual({ code: 200, status: 'UP' });
		const pids = system.tree();
		expect(pids.length).toBeGreaterThan(12);
		const { sharedOnceMb, plainSumMb, lines } = await residentMemory(pids);
		const report = [`${sharedOnceMb} MB, or ${plainSumMb} MB with shared pages counted for each:`, ...lines];
		if (!(sharedOnceMb < limitMb)) throw new Error(report.join('\n'));
	});
});
