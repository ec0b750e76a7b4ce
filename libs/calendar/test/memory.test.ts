import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const calendar = fileURLToPath(new URL('../src/index.ts', import.meta.url));
const zones = ['Europe/Vienna', 'America/Sao_Paulo', 'Africa/Cairo', 'UTC'];
// A separate process: the resident memory of Jest varies by more than the limit.
const program = `
	import * as calendar from ${JSON.stringify(calendar)};
	const zones = ${JSON.stringify(zones)};
	const round = (calls) => {
		for (let call = 0; call < calls; call += 1) {
			const zone = zones[call % zones.length];
			const instant = new Date(1.7e12 + call * 3_600_000);
			calendar.startOfDay(zone, calendar.dayIn(zone, instant));
			calendar.timeIn(zone, instant);
			calendar.timeInVienna(instant);
			calendar.isTimeZone(zone);
			calendar.isTimeZone('Europe/' + 'vienna'.slice(0, call % 6) + 'VIENNA'.slice(call % 6));
		}
		gc();
		return process.memoryUsage.rss();
	};
	const before = round(200);
	console.log(JSON.stringify([before, round(4_000)]));
`;

// An Intl formatter holds 27 KB outside of the heap; with one per call, 4,000 calls took over 100 MB.
test('thousands of calls do not increase the resident memory', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, [
		'--expose-gc',
		'--input-type=module-typescript',
		'--eval',
		program,
	]);
	const [before = 0, after = 0] = JSON.parse(stdout) as number[];
	expect(after - before).toBeLessThan(20_000_000);
});
