import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { describeUnless } from '../describe-with-programs.ts';
import { countProcessorTime, processorSeconds } from './processor-time.ts';
import { slowestLines } from './slowest-reporter.ts';

test('a run ends with its twenty slowest files by processor time, or by duration where that is unknown', () => {
	const files = Array.from({ length: 30 }, (_, at) => ({
		file: `${at}`,
		durationS: 30 - at,
		processorS: at,
	}));
	const [title, ...lines] = slowestLines([...files, { file: 'x', durationS: 29.5, processorS: undefined }]);
	expect(title).toBe('Slowest files, with seconds of processor time (435 of all files) and of duration:');
	expect(lines).toHaveLength(20);
	expect(lines.slice(0, 2)).toEqual(['        29.5  x', '  29.0   1.0  29']);
});

describeUnless(Number.isNaN(processorSeconds()) ? 'needs /proc' : undefined, 'processor time', () => {
	test('has that of processes that the file has started', () => {
		const before = processorSeconds();
		execFileSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 400_000);']);
		expect(processorSeconds() - before).toBeGreaterThanOrEqual(0.4);
	});
});

// Chromium's own processes were missing, which are most of what a browser test costs.
test('counts processes that no parent waits for', async () => {
	const busy = "while (process.cpuUsage().user < 200_000); console.log('done')";
	const child = spawn(process.execPath, ['-e', `${busy}; setInterval(() => {}, 1_000)`], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(child.stdout, 'data');
	const before = processorSeconds();
	countProcessorTime([child.pid ?? 0]);
	const counted = processorSeconds() - before;
	child.kill('SIGKILL');
	await once(child, 'exit');
	expect(counted).toBeGreaterThan(0.05);
	countProcessorTime([child.pid ?? 0]);
	expect(processorSeconds()).not.toBeNaN();
});
